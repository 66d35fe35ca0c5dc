import type { Facts } from './facts.ts'
import type { Message } from './message.ts'
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
  const lastSeen = lastSeenIndex(messages, facts.sent)
  const pins = new Set(facts.pins)
  return (result) => {
    if (result.index > lastSeen) return 'unseen'
    if (pins.has(result.message.id)) return 'pinned'
    if (result.isError) return 'error'
    return keeps.some((keep) => keep(result)) ? 'kept' : null
  }
}

/** The place of the last message the provider accepted. A log given without one is taken as seen, to the end. */
export function lastSeenIndex(messages: readonly Message[], sent: string | null | undefined): number {
  if (sent === undefined || sent === null) return messages.length
  return messages.findLastIndex((message) => message.id === sent)
}
