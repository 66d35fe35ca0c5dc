import type { Message, Part } from '@plimsoll/core'
import { callKind, callTexts } from './call-texts.ts'
import { symbolsIn } from './need-symbols.ts'
import { partText } from './need-texts.ts'

/** What somebody who is about to act could ask for, knowing only what stands before the action. */
export interface VisibleWords {
  /** Words for a search. */
  readonly query: string
  /** A pattern for the lines of one text; null where there is no word to look for. */
  readonly pattern: string | null
}

/**
 * The words of what was said last: by the model, by people after it, and by the model before it acts; and the paths and commands of
 * the calls before. `saying` is what an answer says before its first call.
 */
export function visibleWords(messages: readonly Message[], saying: readonly Part[]): VisibleWords {
  const from = messages.findLastIndex(({ role }) => role === 'assistant')
  const last = messages.slice(Math.max(0, from)).filter(({ role }) => role === 'assistant' || role === 'user')
  const text = [...last.flatMap(({ parts }) => parts), ...saying].map(saidIn).join('\n').slice(-longestText)
  const named = symbolsIn(text)
  const plain = [...new Set(text.match(/(?<![\w/.-])[A-Za-z]{5,30}(?![\w/-])/g))]
  const words = [...new Set([...fileNamesIn(text), ...named, ...(named.length < enoughNames ? plain : [])])].slice(0, mostWords)
  return {
    query: [...words, text.slice(longestQueryWords - longestText)].join(' ').slice(0, longestText),
    pattern: words.length === 0 ? null : `\\b(?:${words.join('|')})\\b`,
  }
}

const longestText = 1000
const longestQueryWords = 200
const enoughNames = 4
const mostWords = 16

function saidIn(part: Part): string {
  if (part.type !== 'tool-call') return part.type === 'tool-result' ? '' : partText(part)
  const isShell = callKind(part) === 'terminal'
  return callTexts(part)
    .filter(({ key, text }) => text.length < 300 && (isShell || /path|file|pattern|query|command/i.test(key)))
    .map(({ text }) => text)
    .join('\n')
}

/** `handler` of `src/handler.go`. */
function fileNamesIn(text: string): readonly string[] {
  return [...text.matchAll(/[/\s"'`]([A-Za-z_]\w{3,60})\.[a-z]{1,5}\b/g)].map(([, name]) => name as string)
}
