import type { Edit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { type PlacedResult, toolResults } from './tool-results.ts'

/** Why a result must stay whole; where several reasons hold, the first of these. */
export type ProtectReason = 'unseen' | 'pinned' | 'error' | 'kept'

/** Says which results a rule keeps whole. */
export type KeepRule = (
  messages: readonly Message[],
  results: readonly PlacedResult[],
  facts: Facts,
) => (result: PlacedResult) => boolean

/**
 * The one place that says what must stay whole: results the model has not seen, errors, what the user pinned, and whatever the
 * given rules keep. Every lossy policy asks here; only a tool's own output limit, binary filtering and the last resort of
 * fitting the window go further.
 */
export function protect(
  messages: readonly Message[],
  facts: Facts,
  rules: readonly KeepRule[],
): (result: PlacedResult) => ProtectReason | null {
  const results = toolResults(messages, facts)
  const keeps = rules.map((rule) => rule(messages, results, facts))
  const lastSeen = lastSeenIndex(messages, facts)
  const pins = new Set(facts.pins)
  return (result) => {
    if (result.index > lastSeen) return 'unseen'
    if (pins.has(result.message.id)) return 'pinned'
    if (result.isError) return 'error'
    return keeps.some((keep) => keep(result)) ? 'kept' : null
  }
}

/** The place of the last message a model has seen; -1 if there is none. A log that says nothing about it counts as seen to the end. */
export function lastSeenIndex(messages: readonly Message[], { seen, sent }: Pick<Facts, 'seen' | 'sent'>): number {
  const last = seen === undefined ? sent : seen
  if (last === undefined || last === null) return seen === null ? -1 : messages.length
  return messages.findLastIndex((message) => message.id === last)
}

/** If the last message that was sent or seen is folded away, the last one before it that is left takes its place. */
export function withSurvivingSent(
  facts: Facts,
  before: readonly Message[],
  edits: readonly Edit[],
  after: readonly Message[],
): Facts {
  const { sent = null, seen = null } = facts
  if ((sent === null && seen === null) || !edits.some((edit) => edit.kind === 'fold')) return facts
  const left = new Set(after.map((message) => message.id))
  const survivor = (id: string | null): string | null => {
    if (id === null || left.has(id)) return id
    const until = before.findLastIndex((message) => message.id === id)
    // If nothing is left, the old id stays. It matches no message, so all that is left counts as not sent and not seen.
    return before.slice(0, Math.max(0, until)).findLast((message) => left.has(message.id))?.id ?? id
  }
  const kept = { sent: survivor(sent), seen: survivor(seen) }
  if (kept.sent === sent && kept.seen === seen) return facts
  return { ...facts, sent: kept.sent, ...(facts.seen === undefined ? {} : { seen: kept.seen }) }
}
