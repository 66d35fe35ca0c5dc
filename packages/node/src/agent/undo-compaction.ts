import type { FoldEdit } from '@plimsoll/core/policies'
import type { OpenSession } from '../session/session.ts'
import { compactionPolicies } from './compaction-history.ts'

/**
 * Takes back the latest compaction: its rounds are shown again as they were, and what names its handle can still be recalled. Gives
 * the fold that was taken back, or null when there is none.
 */
export async function undoCompaction(session: OpenSession): Promise<FoldEdit | null> {
  const fold = session.state().folds.findLast(({ policy }) => compactionPolicies.has(policy))
  if (fold === undefined) return null
  await session.append([{ type: 'edits', withdraw: [fold.id] }])
  return fold
}
