import { type CompactionPreview, previewCompaction } from '@plimsoll/core'
import type { StoredSession } from '../session/session.ts'
import { withoutNotices } from './compaction-history.ts'
import { factsOfSession, type PlanSessionOptions } from './plan-session.ts'

/** What compacting a session would do, written without a model; null when there is nothing to fold. Changes nothing. */
export function previewSession(
  session: StoredSession,
  options: PlanSessionOptions & { readonly focus?: string | undefined },
): CompactionPreview | null {
  const { focus, keepRounds } = options
  const state = session.state()
  return previewCompaction(withoutNotices(session, state).messages, factsOfSession(state, options), {
    ...(focus === undefined ? {} : { focus }),
    ...(keepRounds === undefined ? {} : { keepRounds }),
  })
}
