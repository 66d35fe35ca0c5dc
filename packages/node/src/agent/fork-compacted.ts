import { forkSession } from '../session/create-session.ts'
import { removeSession } from '../session/list-sessions.ts'
import type { WriteOptions } from '../session/open-session.ts'
import type { OpenSession, StoredSession } from '../session/session.ts'
import { type CompactOptions, type CompactOutcome, compactSession } from './compact-session.ts'
import { planSession } from './plan-session.ts'

/** What came of it; there is a new session only where something was folded. */
export interface ForkedCompaction {
  readonly outcome: CompactOutcome
  /** The new session, open for writing. */
  readonly session: OpenSession | null
}

/**
 * Compacts a session into a new one that is linked to it and holds the whole branch. The original is only read, and can be opened
 * again as it was. Where nothing was folded, no new session is left behind.
 */
export async function forkCompacted(
  sessions: string,
  original: StoredSession,
  options: CompactOptions,
  write: WriteOptions = {},
): Promise<ForkedCompaction> {
  if (planSession(original, options) === null)
    return { outcome: { kind: 'unchanged', reason: 'nothing-to-fold', failure: null }, session: null }
  const session = await forkSession(sessions, original, { ...write, reason: 'compaction' })
  const discard = async () => {
    await session.close()
    await removeSession(sessions, session.id)
  }
  const outcome = await compactSession(session, options).catch(async (error: unknown) => {
    // What went wrong first is what has to be told.
    await discard().catch(() => undefined)
    throw error
  })
  if (outcome.kind === 'compacted') return { outcome, session }
  await discard()
  return { outcome, session: null }
}
