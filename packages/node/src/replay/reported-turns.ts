import type { Message } from '@plimsoll/core'
import type { ReportedTurn } from './bill/calibrate.ts'
import type { RecordedSession } from './recorded-session.ts'

/**
 * The requests of a session that the provider reported on, for comparing its cache with a simulated one and its counts with ours.
 * `countOf` returns the tokens of a message.
 */
export function reportedTurns(
  { steps, segments, model, hasTimes }: RecordedSession,
  countOf: (message: Message) => number,
): readonly ReportedTurn[] {
  const turns: ReportedTurn[] = []
  let before = 0
  let counted = { segment: -1, length: 0, tokens: 0 }
  for (const { usage, at, segment, length } of steps) {
    if (usage === null) continue
    // Within a segment each request has all that the one before it had.
    if (counted.segment !== segment) counted = { segment, length: 0, tokens: 0 }
    for (const message of (segments[segment] ?? []).slice(counted.length, length)) counted.tokens += countOf(message)
    counted.length = length
    turns.push({ at: hasTimes ? at : null, usage, model, isNew: segment !== before, sent: counted.tokens })
    before = segment
  }
  return turns
}
