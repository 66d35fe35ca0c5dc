import { applyEdits, type Message } from '@plimsoll/core'
import type { FoldEdit } from '@plimsoll/core/policies'
import { branchHeads } from '../../packages/node/src/session/branch.ts'
import type { StoredSession } from '../../packages/node/src/session/session.ts'

/**
 * The history of a library user who does the same as the agent: a summary written between two requests is a message they insert
 * themselves instead of the messages it summarises; messages folded by a policy stay in the history unchanged.
 */
export function agentHistory(session: StoredSession): readonly Message[] {
  const { folds } = session.state()
  const said = branchHeads(session).flatMap(({ type, id }) => {
    const entry = type === 'message' ? session.entry(id) : null
    return entry?.type === 'message' ? [entry.message] : []
  })
  const writtenOver = overwritten(said, folds)
  return applyEdits(
    said,
    folds.filter((fold) => isWritten(fold) || writtenOver.has(fold.id)),
  )
}

/** Whether the agent itself has made a fold, between two requests. */
export function isWritten({ policy }: FoldEdit): boolean {
  return policy === 'compaction' || policy === 'compaction-notice'
}

/** The folds of policies whose summaries the agent has folded once more. */
function overwritten(said: readonly Message[], folds: readonly FoldEdit[]): ReadonlySet<string> {
  const over = new Set<string>()
  const madeOf = new Map<string, readonly FoldEdit[]>()
  const mark = (fold: FoldEdit) => {
    over.add(fold.id)
    for (const part of madeOf.get(fold.id) ?? []) mark(part)
  }
  let messages = said
  for (const fold of folds) {
    const after = applyEdits(messages, [fold])
    const left = new Set(after.map(({ id }) => id))
    const gone = new Set(messages.flatMap(({ id }) => (left.has(id) ? [] : [id])))
    const parts = folds.filter(({ into }) => into !== null && gone.has(into.id))
    madeOf.set(fold.id, parts)
    if (isWritten(fold)) parts.forEach(mark)
    messages = after
  }
  return over
}
