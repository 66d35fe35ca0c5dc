import {
  adoptDecisions,
  type DecisionKey,
  type Edit,
  type Finding,
  type GatewayEdits,
  type GatewayPart,
  handleOf,
  type Message,
  type NewDecision,
  newDecisions,
  type ReplaceEdit,
  resultText,
  type ToolResultPart,
  type TrimMode,
} from '@plimsoll/core'
import type { Claim, GatewayStore } from '../store/gateway-store.ts'
import type { RecallFiles } from './recall-files.ts'
import { storeUnavailable, unlessUnavailable } from './recognise-request.ts'

/** What is to be shown of a request, before anybody else was asked. */
export interface Claiming {
  readonly tenant: string
  readonly conversation: string
  readonly mode: TrimMode
  readonly at: number
  /** Whether nothing is to be written down: the request is only counted. */
  readonly isIdle: boolean
  /** Whether nobody waits any more: what would be decided now would hold from the next request on, for what this one sent whole. */
  readonly isLate: boolean
  readonly messages: readonly Message[]
  readonly parts: readonly GatewayPart[]
  readonly inForce: GatewayEdits
  readonly edits: readonly Edit[]
  /** What the client itself asked to be hidden: no decision of ours, but its originals are kept as well. */
  readonly asked: readonly ReplaceEdit[]
}

/** What really holds. */
export interface Claimed {
  readonly edits: readonly Edit[]
  /** Whether the originals of what the client asked to be hidden are kept, so that it may be. */
  readonly isAskedKept: boolean
  /** The parts about which it was decided with this request, by message and part. */
  readonly fresh: ReadonlySet<string>
  readonly findings: readonly Finding[]
}

/** Writes new decisions down with what they hide before any byte goes out, and shows what holds: the first writer's. */
export async function claimDecisions(
  claiming: Claiming,
  {
    store,
    files,
    cleared,
  }: { readonly store: GatewayStore; readonly files: RecallFiles | null; readonly cleared: ClearedMemory },
): Promise<Claimed> {
  const { edits, parts, inForce, mode, tenant, at } = claiming
  const made = newDecisions(edits, parts, inForce, at)
  const whole: Claimed = { edits, isAskedKept: true, fresh: new Set(), findings: [] }
  if (claiming.isIdle) return whole
  const standing: Claimed = { ...whole, edits: standingEdits(edits, made, inForce), isAskedKept: claiming.asked.length === 0 }
  if (claiming.isLate) return { ...standing, findings: [{ code: 'too-late', count: 1 }] }
  if (files !== null) {
    try {
      await files.keep(originalsOf(edits, parts))
    } catch {
      // A text that names a file which is not there would be worse than a long one.
      return { ...standing, findings: [{ code: 'not-applied', count: 1 }] }
    }
  }
  const asked = askedClaims(claiming).filter(({ decision }) => !cleared.has(tenant, decision))
  if (made.length + asked.length === 0) return whole
  const held = await unlessUnavailable(store.claim(tenant, [...claimsOf(made, claiming), ...asked]))
  if (held === null) return { ...standing, findings: [storeUnavailable] }
  for (const { decision } of asked) cleared.note(tenant, decision)
  const pairs = made.flatMap((mine, index) => {
    const holds = held[index]
    return holds === undefined ? [] : [{ mine, holds }]
  })
  return {
    ...whole,
    edits: adoptDecisions(edits, pairs, mode, inForce),
    fresh: new Set(made.map(({ edit }) => `${edit.message}.${edit.part}`)),
  }
}

/** Which originals of what clients asked to be hidden are kept already: they ask for the same with every request. */
export interface ClearedMemory {
  readonly has: (tenant: string, key: DecisionKey) => boolean
  readonly note: (tenant: string, key: DecisionKey) => void
}

/** A memory that forgets everything when it is full; to keep an original twice does no harm. */
export function createClearedMemory(most = 20_000): ClearedMemory {
  const kept = new Set<string>()
  const nameOf = (tenant: string, { key, part, original }: DecisionKey) => `${tenant} ${original} ${part} ${key}`
  return {
    has: (tenant, key) => kept.has(nameOf(tenant, key)),
    note(tenant, key) {
      if (kept.size >= most) kept.clear()
      kept.add(nameOf(tenant, key))
    },
  }
}

/** The edits without those that are new, and with what stood before them. */
function standingEdits(edits: readonly Edit[], made: readonly NewDecision[], { edits: inForce }: GatewayEdits): readonly Edit[] {
  if (made.length === 0) return edits
  const places = new Set(inForce)
  return [...edits.filter((edit) => places.has(edit as ReplaceEdit)), ...inForce.filter((edit) => !edits.includes(edit))]
}

function originalsOf(edits: readonly Edit[], parts: readonly GatewayPart[]): readonly ToolResultPart[] {
  const changed = new Set(edits.map((edit) => (edit.kind === 'replace' ? `${edit.message}.${edit.part}` : '')))
  return parts.filter(({ message, part }) => changed.has(`${message}.${part}`)).map(({ content }) => content)
}

function claimsOf(made: readonly Pick<NewDecision, 'decision' | 'part'>[], claiming: Claiming): readonly Claim[] {
  const { messages, conversation, at } = claiming
  const byId = new Map(messages.map((message) => [message.id, message]))
  const calls = new Map<string, Message>()
  for (const message of messages) {
    for (const part of message.parts) {
      // The call alone: what the model said and thought beside it is nobody's to keep.
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

/** Under a name that nobody looks for when a part is met again: whether it is hidden, its client says each time. */
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
