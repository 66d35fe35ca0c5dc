import type { ReportedTurn } from '@plimsoll/core'
import type { RecordedSession } from './recorded-session.ts'

/** The requests of a session that the provider reported on, for comparing its cache with a simulated one. */
export function reportedTurns({ steps, model, hasTimes }: RecordedSession): readonly ReportedTurn[] {
  const turns: ReportedTurn[] = []
  let before = 0
  for (const { usage, at, segment } of steps) {
    if (usage === null) continue
    turns.push({ at: hasTimes ? at : null, usage, model, isNew: segment !== before })
    before = segment
  }
  return turns
}
