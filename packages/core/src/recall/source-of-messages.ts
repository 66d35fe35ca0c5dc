import { applyEdits, type Edit } from '../edit.ts'
import type { Message } from '../message.ts'
import type { RecallFold, RecallSource } from './recall.ts'

/** Originals that are all in memory, with the folds that edits made of them. A pattern is taken as plain words, with `|` between them. */
export function sourceOfMessages(messages: readonly Message[], edits: readonly Edit[] = []): RecallSource {
  return {
    messages: () => messages,
    whole: (part) => ({ part }),
    findLines: findWords,
    folds: () => foldsIn(messages, edits),
  }
}

/** A regular expression can be made to run for ever, and nothing here could stop it: words cannot. */
const findWords: RecallSource['findLines'] = (pattern, lines) => {
  const words = pattern
    .slice(0, mostCharacters)
    .replaceAll(/\\([\W_])/g, '$1')
    .split('|')
  if (pattern.length > mostCharacters || /[\\^$*+?()[\]{}]/.test(pattern.replaceAll(/\\[\W_]/g, '')))
    return { trouble: 'Here "pattern" takes plain words, with | between them, and no other signs of regular expressions.' }
  return { found: lines.flatMap((line, index) => (words.some((word) => word !== '' && line.includes(word)) ? [index] : [])) }
}

const mostCharacters = 1000

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
