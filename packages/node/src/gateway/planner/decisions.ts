import { type Edit, handleOf, type Message, type ReplaceEdit, resultText, type ToolResultPart } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { TrimMode } from '@plimsoll/core/policies'
import { countPart, estimator } from '@plimsoll/core/text'
import type { DecisionKey, Finding } from '../../store/gateway-record.ts'
import type { BranchState, Claim, GatewayStore } from '../../store/gateway-store.ts'
import { type GatewayEdits, heldEdits, joinEdits, type NewDecision, newDecisions, type ShownBefore } from './gateway-edits.ts'
import type { GatewayPart } from './gateway-parts.ts'
import { type RecallFiles, recallNoteName } from './recall-files.ts'
import { storeUnavailable, unlessUnavailable } from './recognise-request.ts'

/** What is to be shown of a request, before other gateways were asked. */
export interface Claiming {
  readonly tenant: string
  readonly conversation: string
  readonly mode: TrimMode
  readonly at: number
  /** Whether nothing is to be written down: the request is only counted. */
  readonly isIdle: boolean
  /** Whether the relay no longer waits: what would be decided now was never sent. */
  readonly isLate: boolean
  readonly messages: readonly Message[]
  readonly parts: readonly GatewayPart[]
  readonly inForce: GatewayEdits
  /** The edits that were decided with this request, as far as it is beyond doubt where they belong. */
  readonly fresh: readonly Edit[]
  /** What the client itself asked to be hidden: no decision of ours, but its originals are kept as well. */
  readonly asked: readonly ReplaceEdit[]
}

/** What really holds. */
export interface Claimed {
  /** The edits that hold about the parts that were decided with this request; null if they are exactly those. */
  readonly held: readonly ReplaceEdit[] | null
  /** Whether the originals of what the client asked to be hidden are kept, so that it may be. */
  readonly isAskedKept: boolean
  /** The parts that were decided about with this request, by message and part. */
  readonly fresh: ReadonlySet<string>
  /** When the latest of the decisions that hold was made; 0 if none was. */
  readonly latest: number
  readonly findings: readonly Finding[]
}

/** Writes new decisions down with what they hide before any byte goes out, and says what holds: the first writer's. */
export async function claimDecisions(
  claiming: Claiming,
  {
    store,
    files,
    cleared,
  }: { readonly store: GatewayStore; readonly files: RecallFiles | null; readonly cleared: ClearedMemory },
): Promise<Claimed> {
  const { fresh, parts, inForce, mode, tenant, at } = claiming
  const mine = joinEdits(fresh, isNamed)
  const made = newDecisions(mine, parts, inForce, at)
  const whole: Claimed = { held: null, isAskedKept: true, fresh: new Set(), latest: 0, findings: [] }
  if (claiming.isIdle) return whole
  const none: Claimed = { ...whole, held: mine.length === 0 ? null : [], isAskedKept: claiming.asked.length === 0 }
  if (claiming.isLate) return { ...none, findings: [{ code: 'too-late', count: 1 }] }
  if (files !== null) {
    try {
      await files.keep(originalsOf([...inForce.edits, ...mine], parts))
    } catch {
      // A text that names a file which is not there would be worse than a long one.
      return { ...none, findings: [{ code: 'not-applied', count: 1 }] }
    }
  }
  const asked = askedClaims(claiming).filter(({ decision }) => !cleared.has(tenant, decision))
  if (made.length + asked.length === 0) return whole
  const rows = await unlessUnavailable(store.claim(tenant, [...claimsOf(made, claiming), ...asked]))
  if (rows === null) return { ...none, findings: [storeUnavailable] }
  for (const { decision } of asked) cleared.note(tenant, decision)
  const pairs = made.flatMap((decision, index) => {
    const holds = rows[index]
    return holds === undefined ? [] : [{ mine: decision, holds }]
  })
  const held = heldEdits(pairs, mode)
  const isMine = held.length === mine.length && held.every((edit, index) => edit === mine[index])
  return {
    ...whole,
    held: isMine ? null : held,
    fresh: new Set(made.map(({ edit }) => `${edit.message}.${edit.part}`)),
    latest: pairs.reduce((latest, { holds }) => Math.max(latest, holds.at), 0),
  }
}

/** What a branch showed last, as far as the store tells; null if nothing is known of it. */
export function shownBefore(
  before: { readonly branch: { readonly at: number; readonly state: BranchState }; readonly last: number } | null,
  messages: readonly Message[],
): ShownBefore | null {
  if (before === null) return null
  const { at, state } = before.branch
  let sent: ReadonlySet<string> | null = null
  return {
    at: Math.max(at, state.shownUntil ?? 0),
    has: (message) => {
      sent ??= new Set(messages.slice(0, before.last + 1).map(({ id }) => id))
      return sent.has(message)
    },
    behind: state.behind ?? {},
    wholeUntil: state.wholeUntil ?? null,
  }
}

/** The parts of which a request showed nothing although something was decided: it went out untouched, or a reference did not hold. */
export function partsBehind(
  { levels }: GatewayEdits,
  fresh: ReadonlySet<string>,
  edits: readonly Edit[],
): Readonly<Record<string, number>> {
  const shown = new Set(edits.map((edit) => (edit.kind === 'replace' ? `${edit.message}.${edit.part}` : '')))
  const found: Record<string, number> = {}
  for (const place of new Set([...levels.keys(), ...fresh])) {
    if (!shown.has(place)) found[place] = 0
  }
  return found
}

/** How many parts a request shows by decisions that the store has. */
export function decidedParts({ levels }: GatewayEdits, fresh: ReadonlySet<string>, edits: readonly Edit[]): number {
  const places = new Set(edits.map((edit) => (edit.kind === 'replace' ? `${edit.message}.${edit.part}` : '')))
  return [...places].filter((place) => levels.has(place) || fresh.has(place)).length
}

/** The edits of a request as rows, one for each part, with what they do to the part as the client sent it. */
export function rowsOf(
  edits: readonly Edit[],
  messages: readonly Message[],
  reported: readonly ReportedEdit[],
): readonly ReportedEdit[] {
  if (edits.length === 0) return []
  const byId = new Map(messages.map((message) => [message.id, message]))
  const tools = new Map(reported.map((row) => [`${row.message}.${row.part}`, row.tool]))
  const rewritten = new Set(reported.flatMap(({ message, part, cache }) => (cache === 'rewrite' ? [`${message}.${part}`] : [])))
  return joinEdits(edits, isNamed).flatMap(({ id, policy, kind, message, part, why, with: shown }) => {
    const original = byId.get(message)?.parts[part]
    if (original === undefined) return []
    const place = `${message}.${part}`
    const named = original.type === 'tool-result' || original.type === 'tool-call' ? original.tool : null
    return [
      {
        id,
        policy,
        kind,
        message,
        part,
        tool: tools.get(place) ?? named,
        tokensBefore: countPart(original, estimator),
        tokensAfter: countPart(shown, estimator),
        why,
        cache: rewritten.has(place) ? 'rewrite' : 'free',
      },
    ]
  })
}

/** Which originals of what clients asked to be hidden are kept already: they ask for the same with every request. */
export interface ClearedMemory {
  readonly has: (tenant: string, key: DecisionKey) => boolean
  readonly note: (tenant: string, key: DecisionKey) => void
}

/** A memory that forgets everything when it is full; to keep an original twice does no harm. */
export function createClearedMemory(max = 20_000): ClearedMemory {
  const kept = new Set<string>()
  const nameOf = (tenant: string, { key, part, original }: DecisionKey) => `${tenant} ${original} ${part} ${key}`
  return {
    has: (tenant, key) => kept.has(nameOf(tenant, key)),
    note(tenant, key) {
      if (kept.size >= max) kept.clear()
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
  return parts.filter(({ message, part }) => changed.has(`${message}.${part}`)).map(({ content }) => content)
}

function claimsOf(made: readonly Pick<NewDecision, 'decision' | 'part'>[], claiming: Claiming): readonly Claim[] {
  const { messages, conversation, at } = claiming
  const byId = new Map(messages.map((message) => [message.id, message]))
  const calls = new Map<string, Message>()
  for (const message of messages) {
    for (const part of message.parts) {
      // Store only the tool call, not the model's text and reasoning around it.
      if (part.type === 'tool-call') calls.set(part.callId, { ...message, parts: [part] })
    }
  }
  return made.map(({ decision, part: { message, content } }) => ({
    decision,
    original: {
      handle: handleOf(resultText(content)),
      conversation,
      message: byId.get(message) as Message,
      call: content.callId === null ? null : (calls.get(content.callId) ?? null),
      at,
    },
  }))
}

/** Under a name that is not looked up when a part is met again: whether it is hidden, its client says each time. */
function askedClaims(claiming: Claiming): readonly Claim[] {
  if (claiming.asked.length === 0) return []
  const places = new Map(claiming.parts.map((part) => [`${part.message}.${part.part}`, part]))
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
