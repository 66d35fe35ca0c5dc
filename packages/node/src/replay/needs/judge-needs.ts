import type { Message, Part } from '@plimsoll/core'
import type { RecallFold } from '@plimsoll/core/session'
import { getOrMake } from '../../shared/get-or-make.ts'
import type { RecordedSession } from '../record-session.ts'
import { partText } from './call-texts.ts'
import { isOwnText, type Need, type NeedOutcome, type Supplier } from './need.ts'
import { holds } from './need-match.ts'
import { handlesIn, type Recaller, recallerOf } from './recall-needs.ts'

/**
 * Judges the needs of one step in a view of its messages. A need is in view if one of its suppliers is shown unchanged, or if
 * its replacement still has the string: other places do not count, so a policy cannot win with a list of words. Needs in a shown
 * call or shown reasoning are omitted.
 */
export function createJudge({ session, canRecall }: { readonly session: RecordedSession; readonly canRecall: boolean }) {
  const recaller = canRecall ? recallerOf(session) : null
  return (needs: readonly Need[], originals: readonly Message[], view: readonly Message[]): readonly NeedOutcome[] => {
    const [first] = needs
    if (first === undefined) return []
    const segment = session.segments[session.steps[first.step]?.segment ?? 0] ?? originals
    const find = createShownParts(segment, originals, view)
    const recovery = createRecovery(recaller, find, originals, view)
    return needs.flatMap((need): readonly NeedOutcome[] => {
      if (need.class === 'user-rule') return [ruleOutcome(need, find, view)]
      if (need.suppliers.some((supplier) => isOwnText(supplier) && isShown(need, find(supplier)))) return []
      if (need.suppliers.some((supplier) => !isOwnText(supplier) && isShown(need, find(supplier)))) return [inView(need)]
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

/** A summary may also quote what users said. */
function ruleOutcome(need: Need, find: Find, view: readonly Message[]): NeedOutcome {
  const isThere =
    need.suppliers.some((supplier) => isShown(need, find(supplier))) ||
    view.some(({ parts }) => parts.some((part) => partText(part).includes(need.text)))
  if (isThere) return inView(need)
  return { need, state: 'lost', supplier: need.suppliers[0] ?? null, recalled: need.text }
}

/** Finds out how hidden needs can be recalled. Text recalled for one need of a step serves the others. */
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
    // First those that were recalled anyway, then results, newest first.
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

/** The runs of messages that a view does not show, each with what replaces it. */
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

interface ShownPart {
  readonly original: Part
  readonly message: Message
  readonly index: number
  readonly shown: Part | null
}

/** Finds what a view shows of a part; null if the messages do not have it. */
function createShownParts(
  segment: readonly Message[],
  originals: readonly Message[],
  view: readonly Message[],
): (supplier: Supplier) => ShownPart | null {
  const places = getOrMake(remembered, segment, () => Map.groupBy(segment.keys(), (index) => (segment[index] as Message).id))
  let moved: ReturnType<typeof findMoved> | null = null
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

/** Messages by their ids, and results by their calls: a moved result is shown in another message. */
function findMoved(view: readonly Message[]) {
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

// A segment never changes, and is looked up for every view.
const remembered = new WeakMap<readonly Message[], ReadonlyMap<string, readonly number[]>>()
