import { hash } from 'node:crypto'
import {
  callInput,
  type Edit,
  handleOf,
  type Message,
  type Part,
  perList,
  type ReplaceEdit,
  resultText,
  type ToolResultPart,
} from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { partKey, type TrimMode } from '@plimsoll/core/policies'
import { stringsIn } from '@plimsoll/core/session'
import { countPart, estimator, inputText } from '@plimsoll/core/text'
import type { DecisionKey, Finding } from '../../store/gateway-record.ts'
import type { BranchState, Claim, GatewayStore } from '../../store/gateway-store.ts'
import { type GatewayEdits, heldEdits, joinEdits, type NewDecision, newDecisions, type ShownBefore } from './gateway-edits.ts'
import { callIdOf, type GatewayPart } from './gateway-parts.ts'
import { type RecallFiles, recallNoteName } from './recall-files.ts'
import { storeUnavailable, unlessUnavailable } from './recognise-request.ts'

/** The edits of a request, before other gateways were asked. */
interface Claiming {
  readonly tenant: string
  readonly conversation: string
  readonly mode: TrimMode
  readonly at: number
  /** Whether the request is only counted, so that nothing is recorded. */
  readonly isIdle: boolean
  /** Whether the relay no longer waits, so that new decisions would never be sent. */
  readonly isLate: boolean
  readonly messages: readonly Message[]
  readonly parts: readonly GatewayPart[]
  readonly active: GatewayEdits
  /** The edits decided with this request that can be placed. */
  readonly fresh: readonly Edit[]
  /** Edits that the client asked for: not our decisions, but their originals are kept as well. */
  readonly asked: readonly ReplaceEdit[]
}

interface Claimed {
  /** The edits that hold for the parts decided with this request; null if they are exactly those. */
  readonly held: readonly ReplaceEdit[] | null
  /** Whether the originals of the client's edits are kept, so that those can be applied. */
  readonly isAskedKept: boolean
  readonly fresh: ReadonlySet<string>
  /** The time of the latest decision that holds, or 0. */
  readonly latest: number
  readonly findings: readonly Finding[]
}

/** Records new decisions with what they hide before any byte goes out, and returns what holds: the first writer's. */
export async function claimDecisions(
  claiming: Claiming,
  context: { readonly store: GatewayStore; readonly files: RecallFiles | null; readonly cleared: ClearedMemory },
): Promise<Claimed> {
  const { store, files, cleared } = context
  const { fresh, parts, active, mode, tenant, at } = claiming
  const mine = joinEdits(fresh, isNamed)
  const whole: Claimed = { held: null, isAskedKept: true, fresh: new Set(), latest: 0, findings: [] }
  if (claiming.isIdle) return whole
  const none: Claimed = { ...whole, held: mine.length === 0 ? null : [], isAskedKept: claiming.asked.length === 0 }
  if (claiming.isLate) return { ...none, findings: [{ code: 'too-late', count: 1 }] }
  if (files !== null) {
    try {
      await files.keep(originalsOf([...active.edits, ...mine], parts))
      await files.keepTexts(mine.flatMap((edit) => [...cutTexts(edit, parts).values()]))
    } catch {
      // A text that names a missing file would be worse than a long one.
      return { ...none, findings: [{ code: 'not-applied', count: 1 }] }
    }
  }
  const made = mine.length === 0 ? [] : newDecisions(mine, parts, active, at)
  const asked = askedClaims(claiming).filter(({ decision }) => !cleared.has(tenant, decision))
  if (made.length + asked.length === 0) return whole
  const rows = await unlessUnavailable(store.claim(tenant, [...claimsOf(made, claiming), ...moreTexts(made, claiming), ...asked]))
  if (rows === null) return { ...none, findings: [storeUnavailable] }
  for (const { decision } of asked) cleared.note(tenant, decision)
  const pairs = made.flatMap((decision, index) => {
    const holds = rows[index]
    return holds === undefined ? [] : [{ mine: decision, holds }]
  })
  const isMade = new Set(made.map(({ edit }) => edit))
  const decided = new Set(active.edits.map(partKey))
  // What another branch decided alike holds here as well.
  const alike = mine.filter((edit) => !isMade.has(edit) && decided.has(partKey(edit)))
  const held = [...heldEdits(pairs, mode), ...alike]
  const own = new Set(mine)
  const isMine = held.length === mine.length && held.every((edit) => own.has(edit))
  return {
    ...whole,
    held: isMine ? null : held,
    fresh: new Set(made.map(({ edit }) => `${edit.message}.${edit.part}`)),
    latest: pairs.reduce((latest, { holds }) => Math.max(latest, holds.at), 0),
  }
}

/** The parts that the last request of a branch showed, as far as the store knows; null if it knows nothing. */
export function shownBefore(
  before: { readonly branch: { readonly at: number; readonly state: BranchState }; readonly last: number } | null,
  messages: readonly Message[],
): ShownBefore | null {
  if (before === null) return null
  const { at, state } = before.branch
  const places = placesIn(messages)
  return {
    at: Math.max(at, state.shownUntil ?? 0),
    has: (message) => (places.get(message) ?? messages.length) <= before.last,
    behind: state.behind ?? {},
    wholeUntil: state.wholeUntil ?? null,
  }
}

/** The places of messages by their ids, of which no two are the same. */
export const placesIn = perList({
  start: () => new Map<string, number>(),
  add(places, { id }: Message, index) {
    places.set(id, index)
  },
  finish: (places): ReadonlyMap<string, number> => places,
})()

/** How a request showed what the store has decided. */
interface ShownDecisions {
  /** How many parts it shows by decisions that the store has. */
  readonly parts: number
  /**
   * The parts of which it showed less than was decided, and what it showed: none of it, if it went out untouched or a reference did not
   * hold, or what the request before it showed.
   */
  readonly behind: Readonly<Record<string, number>>
}

export function shownDecisions(
  { levels, behind, shown: before }: GatewayEdits,
  fresh: ReadonlySet<string>,
  edits: readonly Edit[],
): ShownDecisions {
  const shown = new Set<string>()
  for (const edit of edits) if (edit.kind === 'replace') shown.add(partKey(edit))
  let parts = 0
  for (const place of shown) if (levels.has(place) || fresh.has(place)) parts += 1
  const less: [string, number][] = []
  for (const place of levels.keys()) if (!shown.has(place)) less.push([place, 0])
  for (const place of fresh) if (!shown.has(place)) less.push([place, 0])
  if (behind.size > 0) {
    const now = new Map(joinEdits(edits).map((edit) => [partKey(edit), edit]))
    for (const edit of before) {
      const place = partKey(edit)
      const level = behind.get(place)
      if (level !== undefined && JSON.stringify(now.get(place)?.with) === JSON.stringify(edit.with)) less.push([place, level])
    }
  }
  return { parts, behind: Object.fromEntries(less) }
}

/** The rules by which the parts of a request are shown, in the order of the parts. */
export function rulesOf(edits: readonly Edit[]): readonly string[] {
  const rules = new Map<string, string>()
  for (const edit of edits) {
    if (edit.kind !== 'replace') continue
    const place = partKey(edit)
    if (isNamed(edit.policy) || !rules.has(place)) rules.set(place, edit.policy)
  }
  return [...new Set(rules.values())]
}

/** The edits of a request as rows, one for each part, compared with the part as the client sent it. */
export function rowsOf(
  edits: readonly Edit[],
  messages: readonly Message[],
  reported: readonly ReportedEdit[],
): readonly ReportedEdit[] {
  if (edits.length === 0) return []
  const places = placesIn(messages)
  const told = new Map<string, ReportedEdit>()
  for (const row of reported) {
    const place = `${row.message}.${row.part}`
    // The last one names the tool; any of them may change what is cached.
    told.set(place, told.get(place)?.cache === 'rewrite' ? { ...row, cache: 'rewrite' } : row)
  }
  const all: ReportedEdit[] = []
  for (const edit of joinEdits(edits, isNamed)) {
    const original = messages[places.get(edit.message) ?? -1]?.parts[edit.part]
    if (original === undefined) continue
    const row = told.get(partKey(edit))
    const named = original.type === 'tool-result' || original.type === 'tool-call' ? original.tool : null
    all.push(rowOf(edit, original, row?.tool ?? named, row?.cache === 'rewrite' ? 'rewrite' : 'free'))
  }
  return all
}

// The same edit of the same part gives the same row with every request.
const knownRows = new WeakMap<ReplaceEdit, { readonly original: Part; readonly row: ReportedEdit }>()

function rowOf(edit: ReplaceEdit, original: Part, tool: string | null, cache: ReportedEdit['cache']): ReportedEdit {
  const known = knownRows.get(edit)
  if (known !== undefined && known.original === original && known.row.tool === tool && known.row.cache === cache) return known.row
  const { id, policy, kind, message, part, why } = edit
  const [tokensBefore, tokensAfter] = [countPart(original, estimator), countPart(edit.with, estimator)]
  const row = { id, policy, kind, message, part, tool, tokensBefore, tokensAfter, why, cache }
  knownRows.set(edit, { original, row })
  return row
}

export type ClearedMemory = ReturnType<typeof createClearedMemory>

const maxCleared = 20_000

/** Remembers which originals of what clients asked to be hidden are kept: they ask with every request. Forgets all when it is full. */
export function createClearedMemory() {
  const kept = new Set<string>()
  const nameOf = (tenant: string, { key, part, original }: DecisionKey) => `${tenant} ${original} ${part} ${key}`
  return {
    has: (tenant: string, key: DecisionKey) => kept.has(nameOf(tenant, key)),
    note(tenant: string, key: DecisionKey): void {
      if (kept.size >= maxCleared) kept.clear()
      kept.add(nameOf(tenant, key))
    },
  }
}

/** The note on where an original is belongs to the rule that made it necessary. */
function isNamed(policy: string): boolean {
  return policy !== recallNoteName
}

function originalsOf(edits: readonly ReplaceEdit[], parts: readonly GatewayPart[]): readonly ToolResultPart[] {
  const changed = new Set(edits.map(({ message, part }) => `${message}.${part}`))
  return parts.flatMap(({ place, content }) => (changed.has(place) && content.type === 'tool-result' ? [content] : []))
}

function claimsOf(made: readonly Pick<NewDecision, 'decision' | 'part'>[], claiming: Claiming): readonly Claim[] {
  if (made.length === 0) return []
  const { messages, conversation, at } = claiming
  const places = placesIn(messages)
  const wanted = new Set(made.map(({ part }) => callIdOf(part.content)))
  const calls = new Map<string, Message>()
  for (let index = messages.length - 1; index >= 0 && calls.size < wanted.size; index -= 1) {
    const message = messages[index] as Message
    for (const part of message.parts.toReversed()) {
      if (part.type !== 'tool-call' || !wanted.has(part.callId) || calls.has(part.callId)) continue
      // Store only the tool call, not the model's text and reasoning around it.
      calls.set(part.callId, { ...message, parts: [part] })
    }
  }
  return made.map(({ decision, part: { message, content, place, part } }) => {
    const whole = messages[places.get(message) as number] as Message
    const callId = callIdOf(content)
    const stored = { conversation, call: callId === null ? null : (calls.get(callId) ?? null), at }
    if (content.type === 'tool-result') {
      const text = resultText(content)
      return { decision, original: { ...stored, handle: handleOf(text), sha256: hash('sha256', text, 'hex'), message: whole } }
    }
    // Only the call; and nothing of a thought, which the client keeps and nobody recalls.
    const parts = content.type === 'tool-call' ? whole.parts.map((one, index) => (index === part ? one : noText)) : []
    const [handle = handleOf(place)] = handlesIn(decision.with)
    return { decision, original: { ...stored, handle, message: { ...whole, parts }, call: null } }
  })
}

const noText: Part = { type: 'text', text: '' }

/** The handles that shortened arguments name: one for each text. */
function handlesIn(shown: Part): readonly string[] {
  if (shown.type !== 'tool-call') return []
  return [...new Set([...inputText(shown).matchAll(/\brecall ([0-9a-f]{12})\b/g)].map(([, handle]) => handle as string))]
}

/** The whole texts of shortened arguments, by handle. */
function cutTexts({ message, part, with: shown }: ReplaceEdit, parts: readonly GatewayPart[]): ReadonlyMap<string, string> {
  const wanted = new Set(handlesIn(shown))
  const call = wanted.size === 0 ? undefined : parts.find((one) => one.message === message && one.part === part)?.content
  const texts = call?.type === 'tool-call' ? stringsIn(callInput(call) ?? call.input) : []
  return new Map(texts.flatMap((text) => (wanted.has(handleOf(text)) ? [[handleOf(text), text]] : [])))
}

/** A call has several texts, each with its own handle. All but the first are stored under names that are not looked up. */
function moreTexts(made: readonly NewDecision[], claiming: Claiming): readonly Claim[] {
  return made.flatMap((one) =>
    handlesIn(one.decision.with)
      .slice(1)
      .flatMap((handle, index) => {
        const decision = { ...one.decision, original: `${one.decision.original}+text${index}` }
        return claimsOf([{ decision, part: one.part }], claiming).map((claim) => ({
          ...claim,
          original: { ...claim.original, handle },
        }))
      }),
  )
}

/** Under a name that is not looked up for later requests: the client says each time whether it is hidden. */
function askedClaims(claiming: Claiming): readonly Claim[] {
  if (claiming.asked.length === 0) return []
  const places = new Map(claiming.parts.map((part) => [part.place, part]))
  const made = claiming.asked.flatMap((edit) => {
    const part = places.get(`${edit.message}.${edit.part}`)
    if (part === undefined) return []
    const { key, part: number, original } = part
    const { policy, why } = edit
    const decision = { key, part: number, original: `${original}+asked`, policy, why, with: edit.with, at: claiming.at }
    return [{ decision, part }]
  })
  return claimsOf(made, claiming)
}
