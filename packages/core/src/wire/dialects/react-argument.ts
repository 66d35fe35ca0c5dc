import { withEscapedControls } from '../../text/escaped-controls.ts'
import { parseJson } from '../../text/parse-json.ts'

/** What stands between the brackets of an action. */
export interface ReactArgument {
  readonly text: string
  /** Where the text after the closing bracket begins. */
  readonly end: number
}

/**
 * Reads the argument of an action from behind its opening bracket. A JSON value is read as one, so that brackets in its strings
 * are no brackets; anything else ends at the bracket that closes it. Null when nothing does.
 */
export function readArgument(text: string, start: number): ReactArgument | null {
  return readJson(text, start) ?? readBalanced(text, start)
}

/** An answer as the argument of `Finish`: as it is where that reads back as the same, else as a JSON string. */
export function writeAnswer(answer: string): string {
  const plain =
    answer !== '' && answer.trim() === answer && !jsonStart.test(answer) && readBalanced(`${answer}]`, 0)?.text === answer
  return plain ? answer : JSON.stringify(answer)
}

/** The answer behind the argument of `Finish`. */
export function readAnswer(argument: string): string {
  const value = argument.startsWith('"') ? parseArgument(argument) : undefined
  return typeof value === 'string' ? value : argument
}

/** The value of a JSON text, also within a code fence or with line breaks in its strings; undefined where it has none. */
export function parseArgument(argument: string): unknown {
  const json = argument.replace(fenceStart, '').replace(fenceEnd, '')
  const value = parseJson(json)
  return value === undefined ? parseJson(withEscapedControls(json)) : value
}

const jsonStart = /^(?:```|["{[])/
const fenceStart = /^```[a-z]{0,10}\s*/i
const fenceEnd = /(?<!\s)\s*```$/
const space = /[\s`]/

function readJson(text: string, start: number): ReactArgument | null {
  let at = skipSpace(text, start)
  const first = at
  at = skipSpace(text, at + (fenceStart.exec(text.slice(at, at + 20))?.[0].length ?? 0))
  if (!jsonStart.test(text.charAt(at))) return null
  const end = endOfJson(text, at)
  if (end === null) return null
  let close = end
  while (close < text.length && space.test(text.charAt(close))) close += 1
  return text[close] === ']' ? { text: text.slice(first, close).trim(), end: close + 1 } : null
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1
  return at
}

/** Where a JSON value that begins with a quote or a bracket ends, as far as quotes and brackets tell. */
function endOfJson(text: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1
      if (at >= text.length) return null
    } else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth <= 0) return depth < 0 ? null : at + 1
  }
  return null
}

function readBalanced(text: string, start: number): ReactArgument | null {
  let depth = 1
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1
    else if (text[at] === ']') depth -= 1
    if (depth === 0) return { text: text.slice(start, at).trim(), end: at + 1 }
  }
  return null
}
