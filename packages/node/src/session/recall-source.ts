import { runInNewContext } from 'node:vm'
import { applyEdits, type Message } from '@plimsoll/core'
import type { FoldEdit } from '@plimsoll/core/policies'
import type { RecallFold, RecallSource } from '@plimsoll/core/session'
import type { StoredSession } from './session.ts'

/** A stored session for `recall`: messages of every branch, and all folds, also undone ones. */
export function recallSourceOf(session: StoredSession): RecallSource {
  return {
    messages: session.messages,
    whole: session.whole,
    large: session.large,
    findLines,
    folds: () => foldsIn(session),
  }
}

function* foldsIn(session: StoredSession): Generator<RecallFold> {
  for (const { id, type, parentId } of session.heads()) {
    if (type !== 'edits') continue
    const entry = session.entry(id)
    const folds = entry?.type === 'edits' ? (entry.apply ?? []).filter((edit) => edit.kind === 'fold') : []
    // Read when the first fold's messages are needed: the summary answers most questions.
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

function messagesAt(session: StoredSession, leaf: string | null): readonly Message[] {
  try {
    return leaf === null ? [] : session.state(leaf).messages
  } catch {
    return []
  }
}

/** The messages of a fold: as in the log, or after the folds that were made with it; none if they are unknown. */
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

/**
 * Finds the lines that match a regular expression of a user or a model. It may be wrong, or take too long, and then it is stopped. Never
 * throws. A pattern that begins with `(?i)` ignores case.
 */
export function findLines(
  pattern: string,
  lines: readonly string[],
  { milliseconds = 1000 } = {},
): ReturnType<RecallSource['findLines']> {
  if (pattern.length > maxPattern) {
    const trouble = `The pattern has ${pattern.length} characters; at most ${maxPattern} are looked for. Use a shorter one.`
    return { trouble }
  }
  const ignoresCase = pattern.startsWith('(?i)')
  try {
    const expression = new RegExp(ignoresCase ? pattern.slice(4) : pattern, ignoresCase ? 'i' : '')
    const found: number[] = []
    // An expression cannot be interrupted in its own thread; a script with a time limit can.
    runInNewContext(script, { expression, lines, found }, { timeout: Math.max(1, milliseconds) })
    return { found }
  } catch (error) {
    return { trouble: describe(error, pattern, milliseconds) }
  }
}

const maxPattern = 1000

// The pattern is only a value here. Names of a context are slow to look up, those of a function are not.
const script = `
((expression, lines, found) => {
  for (let index = 0; index < lines.length; index += 1) {
    expression.lastIndex = 0
    if (expression.test(lines[index])) found.push(index)
  }
})(expression, lines, found)`

function describe(error: unknown, pattern: string, milliseconds: number): string {
  const shown = JSON.stringify(pattern.length > 80 ? `${pattern.slice(0, 79)}…` : pattern)
  // An error from another context is not an `Error` of this one.
  const { code, message } = error as Partial<NodeJS.ErrnoException>
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
    return `The pattern ${shown} was not done after ${milliseconds} ms and was ended. Use one without nested repetition, or plain words.`
  }
  return `The pattern ${shown} cannot be used: ${message ?? String(error)}. It has to be a JavaScript regular expression.`
}
