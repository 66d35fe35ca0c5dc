import { applyEdits, type FoldEdit, type Message, type RecallFold, type RecallSource } from '@plimsoll/core'
import { findLines } from './find-lines.ts'
import type { StoredSession } from './session.ts'

/** What a stored session holds, in the form that `recall` reads: messages of every branch, folds ever made, withdrawn or not. */
export function recallSourceOf(session: StoredSession): RecallSource {
  return {
    messages: session.messages,
    whole: session.whole,
    large: session.large,
    findLines: (pattern, lines) => findLines(pattern, lines),
    folds: () => foldsIn(session),
  }
}

function* foldsIn(session: StoredSession): Generator<RecallFold> {
  for (const { id, type, parentId } of session.heads()) {
    if (type !== 'edits') continue
    const entry = session.entry(id)
    const folds = entry?.type === 'edits' ? (entry.apply ?? []).filter((edit) => edit.kind === 'fold') : []
    // Read when the first fold's messages are asked for: most questions are answered by what a summary names.
    let before: readonly Message[] | null = null
    const messagesBefore = () => {
      before ??= messagesAt(session, parentId)
      return before
    }
    for (const [index, fold] of folds.entries()) {
      yield {
        into: fold.into,
        get messages() {
          return covered(messagesBefore(), folds.slice(0, index), fold)
        },
      }
    }
  }
}

/** The conversation as it was when a fold was made; none where the log has lost that place. */
function messagesAt(session: StoredSession, leaf: string | null): readonly Message[] {
  try {
    return leaf === null ? [] : session.state(leaf).messages
  } catch {
    return []
  }
}

/** The messages a fold stood for: as the log has them, or behind the folds that were made with it; none where they cannot be told. */
function covered(messages: readonly Message[], earlier: readonly FoldEdit[], fold: FoldEdit): readonly Message[] {
  const found = between(messages, fold)
  if (found !== null) return found
  let current = messages
  for (const edit of earlier) if (between(current, edit) !== null) current = applyEdits(current, [edit])
  return between(current, fold) ?? []
}

function between(messages: readonly Message[], { first, last }: FoldEdit): readonly Message[] | null {
  const start = messages.findIndex(({ id }) => id === first)
  const end = messages.findIndex(({ id }) => id === last)
  return start < 0 || end < start ? null : messages.slice(start, end + 1)
}
