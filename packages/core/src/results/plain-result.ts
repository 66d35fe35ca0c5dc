import { perItem } from '../derive.ts'
import { resultText, type ToolResultPart, withContent, withShownText } from '../message.ts'
import { endOfString, isPlainObject, parseJson } from '../text/json.ts'
import { escapeMarks } from '../text/labels.ts'
import { countNewlines } from '../text/lines.ts'
import { hasEscapes, hasTerminalCodes, plainLines } from '../text/terminal-screen.ts'

/** A result without escape sequences, with the same lines as before. The same part if it has none. */
export const plainResult = perItem((part: ToolResultPart) =>
  withSaid(part, (text) => (hasEscapes(text) ? plainLines(text) : text)),
)()

/** A result for cuts that name lines of the original: as it is shown, unless that has other lines than the original. */
export function withLinesOf(whole: ToolResultPart, part: ToolResultPart): ToolResultPart {
  const isSame = part === whole || countNewlines(resultText(part)) === countNewlines(resultText(whole))
  return isSame ? part : plainResult(whole)
}

/** Whether `withSaid` could find escape sequences or returns. */
export function hasCodes(text: string): boolean {
  return hasTerminalCodes(text) || hasEscapedCodes(text)
}

/** Changes what a command printed: the text of a result, the strings of its JSON, or those of its value. */
export function withSaid(part: ToolResultPart, change: (text: string) => string): ToolResultPart {
  const { content } = part
  const said = (text: string) => withoutNewMarks(text, change(text))
  if (content.type === 'json' && typeof content.value !== 'string')
    return withContent(part, { value: (value) => inValue(value, said, 0) })
  return withShownText(part, inJson(said(resultText(part)), said))
}

/** A handle that appears only without the escape sequences in it is not one of ours. */
function withoutNewMarks(text: string, shown: string): string {
  if (shown === text || !/recall|system-reminder/i.test(shown)) return shown
  const own = new Set(text.split('\n'))
  const lines = shown.split('\n').map((line) => (own.has(line) ? line : escapeMarks(line)))
  return lines.join('\n')
}

/** Changes strings of a JSON text, or of lines of JSON, that have escape sequences or returns; all else stays as it is written. */
function inJson(text: string, change: (text: string) => string): string {
  if (!hasEscapedCodes(text) || !isJson(text)) return text
  const pieces: string[] = []
  let copied = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) {
    const end = endOfString(text, at)
    const literal = text.slice(at, end + 1)
    if (escaped.test(literal)) {
      const said = parseJson(literal)
      const shown = typeof said === 'string' ? change(said) : said
      pieces.push(text.slice(copied, at), shown === said ? literal : JSON.stringify(shown))
      copied = end + 1
    }
    at = end
  }
  pieces.push(text.slice(copied))
  return pieces.join('')
}

function hasEscapedCodes(text: string): boolean {
  return /^\s{0,100}[[{]/.test(text) && escaped.test(text)
}

const escaped = /\\(?:u00[19]b|r|b)/i

/** In other text, `"\b"` is written as it is meant. */
function isJson(text: string): boolean {
  return parseJson(text) !== undefined || text.split('\n').every((line) => line.trim() === '' || parseJson(line) !== undefined)
}

function inValue(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return change(value)
  if (depth > maxDepth) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => inValue(item, change, depth + 1))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isPlainObject(value)) return value
  const fields = Object.entries(value).map(([key, field]) => [key, inValue(field, change, depth + 1)] as const)
  return fields.every(([key, field]) => field === value[key]) ? value : Object.fromEntries(fields)
}

const maxDepth = 100
