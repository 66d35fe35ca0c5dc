import { applyEdits, type Edit } from '../edit.ts'
import type { Message, ToolResultPart } from '../message.ts'
import type { RecallFold, RecallSource } from '../recall/recall.ts'

/** A source of originals in memory, with the folds that edits made of them. */
export function sourceOf(
  messages: readonly Message[],
  edits: readonly Edit[] = [],
  extra: Partial<RecallSource> = {},
): RecallSource {
  return {
    messages: () => messages,
    whole: (part: ToolResultPart) => ({ part }),
    findLines(pattern, lines) {
      const expression = new RegExp(pattern)
      return { found: lines.flatMap((line, index) => (expression.test(line) ? [index] : [])) }
    },
    folds: () => foldsIn(messages, edits),
    ...extra,
  }
}

/** What each fold stood for: the originals where it names such, else with earlier summaries in their place. */
function foldsIn(messages: readonly Message[], edits: readonly Edit[]): readonly RecallFold[] {
  const folds: RecallFold[] = []
  let current = messages
  for (const edit of edits) {
    if (edit.kind !== 'fold') continue
    const between = (list: readonly Message[]) => {
      const first = list.findIndex(({ id }) => id === edit.first)
      const last = list.findIndex(({ id }) => id === edit.last)
      return first < 0 || last < first ? null : list.slice(first, last + 1)
    }
    folds.push({ messages: between(messages) ?? between(current) ?? [], into: edit.into })
    if (between(current) !== null) current = applyEdits(current, [edit])
  }
  return folds
}
