import { callInput, type Message, resultText, type ToolCallPart, type ToolResultPart } from '@plimsoll/core'
import { type ToolKind, toolRules } from '@plimsoll/core/policies'
import { symbolsIn } from './need-symbols.ts'

/** A line of a result that tells of an error. */
export interface ErrorLine {
  /** Its first 160 characters, up to a whole word. */
  readonly text: string
  /** The names of code in it, by which it is known that somebody acts on it. */
  readonly symbols: readonly string[]
}

/**
 * The lines of a result that tell of errors and name something, the first twenty. Files and searches are left out: what says
 * error there is code. Read once for each part.
 */
export function errorLinesIn(part: ToolResultPart, call: ToolCallPart | null): readonly ErrorLine[] {
  const known = remembered.get(part)
  if (known !== undefined) return known
  const found = quoting.has(kindOf(part, call)) ? [] : linesIn(resultText(part))
  remembered.set(part, found)
  return found
}

/** The calls of a list of messages by their ids, the latest where an id was used again. */
export function callsById(messages: readonly Message[]): ReadonlyMap<string, ToolCallPart> {
  const calls = new Map<string, ToolCallPart>()
  for (const { parts } of messages) for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, part)
  return calls
}

const quoting: ReadonlySet<ToolKind> = new Set(['file-read', 'search', 'list', 'glob', 'repo-map', 'recall'])
const remembered = new WeakMap<ToolResultPart, readonly ErrorLine[]>()
/** As compilers, test runners and interpreters announce an error, also in colour. */
const tells = [
  /(?:^|[\s\]m])(?:errors?|fatal|panic|fail(?:ed|ure)|exception)(?::|\[| TS\d|\u001b)/i,
  /[A-Za-z](?:Error|Exception)(?::|$)/,
  /:\d{1,7}(?::\d{1,7})?:? .{0,100}\b(?:error|undefined|cannot|unused|missing)\b/i,
  /^(?:E\s{2,}\S|(?:--- )?FAIL(?:ED)?\b|assert\b|assertion failed)/i,
]
/** Lines of a file with their numbers and lines of a diff quote code. */
const quotes = /^(?:\d{1,7}(?:→|\t|\|)|[+-](?!-))/
const mostLines = 20
const longest = 160

function kindOf(part: ToolResultPart, call: ToolCallPart | null): ToolKind {
  const tool = call?.tool ?? part.tool
  const rules = tool === null ? null : toolRules(tool)
  const input = call === null ? null : callInput(call)
  return (input === null ? undefined : rules?.kindOf?.(input)) ?? rules?.kind ?? 'other'
}

function linesIn(text: string): readonly ErrorLine[] {
  const found = new Map<string, ErrorLine>()
  for (let start = 0; start < text.length && found.size < mostLines; ) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    const line = shortened(text.slice(start, Math.min(end, start + longest * 2)).trim())
    if (!found.has(line) && !quotes.test(line) && tells.some((pattern) => pattern.test(line))) {
      const symbols = symbolsIn(line)
      if (symbols.length > 0) found.set(line, { text: line, symbols })
    }
    start = end + 1
  }
  return [...found.values()]
}

function shortened(line: string): string {
  if (line.length <= longest) return line
  const cut = line.slice(0, longest)
  return /[0-9A-Za-z_\u00c0-\u024f]/.test(line[longest] as string)
    ? cut.replace(/[0-9A-Za-z_\u00c0-\u024f]{1,160}$/, '').trimEnd()
    : cut
}
