import { compactionBreaker } from '@plimsoll/core/compaction'
import { SummaryError } from '../model/summary-writer.ts'
import type { StoredSession } from '../session/session.ts'
import { pastCompactions } from './compaction-history.ts'

/** What earlier compactions of a branch say about the next one. */
export interface SessionBreaker {
  /** Whether none should be tried: the last ones made nothing smaller. */
  readonly open: boolean
  /** Why the model should not be asked again, where it failed too often; an outline still works. */
  readonly refusal: SummaryError | null
}

/** What holds when a person asks for a compaction. */
export const closedBreaker: SessionBreaker = { open: false, refusal: null }

/** Reads from the log whether compacting, and asking a model for it, still makes sense. A success of either begins its count anew. */
export function breakerOf(session: StoredSession, leaf: string): SessionBreaker {
  const past = pastCompactions(session, leaf)
  const asked = past.filter(({ writer }) => writer !== 'not-asked')
  const effects = compactionBreaker(past.map(({ effective }) => (effective ? 'success' : 'ineffective')))
  const answers = compactionBreaker(asked.map(({ writer }) => (writer === 'succeeded' ? 'success' : 'failed')))
  return {
    open: effects.stopped,
    refusal: answers.stopped ? new SummaryError('summary_not_asked', 'the model failed too often to be asked again') : null,
  }
}
