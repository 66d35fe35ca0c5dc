import type { Message, Part } from '@plimsoll/core'
import type { RecallFold } from '@plimsoll/core/session'
import type { RecordedSession } from '../record-session.ts'
import { partText } from './call-texts.ts'
import { isOwnWords, type JudgeNeeds, type Need, type NeedOutcome, type Supplier } from './need.ts'
import { holds } from './need-match.ts'
import { handlesIn, type Recaller, recallerOf } from './recall-needs.ts'

/** What is judged. */
export interface JudgeOptions {
  readonly session: RecordedSession
  /** Whether what is not in view can be had back by handle or search. */
  readonly canRecall: boolean
}

/**
 * Judges views of a session. A need is in view where one of its suppliers is shown as it is, or where what is shown in its place
 * still holds the string: what stands elsewhere does not count, so that no list of words can win.
 */
export function createJudge({ session, canRecall }: JudgeOptions): JudgeNeeds {
  const recaller = canRecall ? recallerOf(session) : null
  return (needs, originals, view) => {
    const [first] = needs
    if (first === undefined) return []
    const segment = session.segments[session.steps[first.step]?.segment ?? 0] ?? originals
    const find = createShownParts(segment, originals, view)
    const recovery = createRecovery(recaller, find, originals, view)
    return needs.flatMap((need): readonly NeedOutcome[] => {
      if (need.class === 'user-rule') return [ruleOutcome(need, find, view)]
      if (need.suppliers.some((supplier) => isOwnWords(supplier) && isShown(need, find(supplier)))) return []
      if (need.suppliers.some((supplier) => !isOwnWords(supplier) && isShown(need, find(supplier)))) return [inView(need)]
      return [recovery(need)]
    })
  }
}

type Find = (supplier: Supplier) => ShownPart | null

function inView(need: Need): NeedOutcome {
  return { need, state: 'view', supplier: null, recalled: '' }
}

function isShown(need: Need, part: ShownPart | null): boolean {
  if (part === null || part.shown === null) return false
  return part.shown === part.original || holds(need.class, partText(part.shown), need.text)
}

/** What people said may also stand in a summary, word for word. */
function ruleOutcome(need: Need, find: Find, view: readonly Message[]): NeedOutcome {
  const isThere =
    need.suppliers.some((supplier) => isShown(need, find(supplier))) ||
    view.some(({ parts }) => parts.some((part) => partText(part).includes(need.text)))
  if (isThere) return inView(need)
  return { need, state: 'lost', supplier: need.suppliers[0] ?? null, recalled: need.text }
}

/** Finds out how what is not in view can be had. What one need of a step brings back serves the others. */
function createRecovery(
  recaller: Recaller | null,
  find: Find,
  originals: readonly Message[],
  view: readonly Message[],
): (need: Need) => NeedOutcome {
  const brought = new Set<Supplier>()
  let folds: readonly PlacedFold[] | null = null

  function foldAround(index: number): RecallFold | null {
    folds ??= foldsIn(originals, view)
    return folds.find(({ first, last }) => first <= index && index <= last)?.fold ?? null
  }

  function byHandle(need: Need, supplier: Supplier, recall: Recaller): NeedOutcome | null {
    const part = find(supplier)
    if (part === null) return null
    const fold = part.shown === null ? foldAround(part.index) : null
    const from = part.shown === null ? fold : part.message
    const shown = part.shown ?? fold?.into?.parts.find(({ type }) => type === 'text')
    if (from === null || shown === undefined) return null
    for (const handle of handlesIn(partText(shown))) {
      const recalled = recall.byHandle(need, handle, from, partText(part.original))
      if (recalled !== null) return { need, state: 'handle', supplier, ...recalled }
    }
    return null
  }

  return (need) => {
    // Those that had to come back anyway first, then results, newest first.
    const suppliers = need.suppliers.toSorted((a, b) => orderOf(a, brought) - orderOf(b, brought))
    const newest = suppliers[0] ?? null
    if (recaller !== null) {
      for (const supplier of suppliers) {
        const outcome = byHandle(need, supplier, recaller)
        if (outcome === null) continue
        brought.add(supplier)
        return outcome
      }
      const recalled = recaller.byQuery(need, originals)
      if (recalled !== null) return { need, state: 'query', supplier: newest, recalled }
    }
    if (newest !== null) brought.add(newest)
    const lost = newest === null ? null : find(newest)
    return { need, state: 'lost', supplier: newest, recalled: lost === null ? need.text : partText(lost.original) }
  }
}

function orderOf(supplier: Supplier, brought: ReadonlySet<Supplier>): number {
  return brought.has(supplier) ? 0 : supplier.from === 'result' ? 1 : 2
}

interface PlacedFold {
  readonly first: number
  readonly last: number
  readonly fold: RecallFold
}

/** The runs of messages that a view does not show, each with what it shows instead. */
function foldsIn(originals: readonly Message[], view: readonly Message[]): readonly PlacedFold[] {
  const places = new Map(originals.map(({ id }, index) => [id, index]))
  const folds: PlacedFold[] = []
  let next = 0
  let into: Message | null = null
  const close = (end: number) => {
    if (end > next) folds.push({ first: next, last: end - 1, fold: { messages: originals.slice(next, end), into } })
    into = null
  }
  for (const message of view) {
    const place = places.get(message.id)
    if (place === undefined) into = message
    else if (place >= next) {
      close(place)
      next = place + 1
    }
  }
  close(originals.length)
  return folds
}

/** A part of the conversation and what a view shows in its place. */
interface ShownPart {
  readonly original: Part
  /** The message that it belongs to, and its place. */
  readonly message: Message
  readonly index: number
  /** Null where the view has nothing in its place. */
  readonly shown: Part | null
}

/** Finds what a view shows of parts; null for a part that the messages do not have. Mostly the view stands message by message as they do. */
function createShownParts(
  segment: readonly Message[],
  originals: readonly Message[],
  view: readonly Message[],
): (supplier: Supplier) => ShownPart | null {
  const places = placesIn(segment)
  let moved: Moved | null = null
  return (supplier) => {
    const index = (places.get(supplier.message) ?? []).findLast((place) => place < originals.length)
    const message = index === undefined ? undefined : originals[index]
    const original = message?.parts[supplier.part]
    if (index === undefined || message === undefined || original === undefined) return null
    const aligned = view[index]
    if (aligned === message) return { original, message, index, shown: original }
    if (aligned?.id === message.id) return { original, message, index, shown: aligned.parts[supplier.part] ?? null }
    moved ??= findMoved(view)
    const shown = moved.byId.get(message.id)?.parts[supplier.part] ?? moved.byCall.get(callOf(original) ?? '')
    return { original, message, index, shown: shown ?? null }
  }
}

interface Moved {
  readonly byId: ReadonlyMap<string, Message>
  /** Results by the call they answer: one that strayed is shown elsewhere. */
  readonly byCall: ReadonlyMap<string, Part>
}

function findMoved(view: readonly Message[]): Moved {
  const byId = new Map<string, Message>()
  const byCall = new Map<string, Part>()
  for (const message of view) {
    byId.set(message.id, message)
    for (const part of message.parts) {
      const call = callOf(part)
      if (call !== null) byCall.set(call, part)
    }
  }
  return { byId, byCall }
}

function callOf(part: Part): string | null {
  return part.type === 'tool-result' ? part.callId : null
}

// A segment never changes, and every view of it is asked about.
const remembered = new WeakMap<readonly Message[], ReadonlyMap<string, readonly number[]>>()

function placesIn(segment: readonly Message[]): ReadonlyMap<string, readonly number[]> {
  const known = remembered.get(segment)
  if (known !== undefined) return known
  const places = new Map<string, number[]>()
  for (const [index, { id }] of segment.entries()) {
    const others = places.get(id)
    if (others === undefined) places.set(id, [index])
    else others.push(index)
  }
  remembered.set(segment, places)
  return places
}
