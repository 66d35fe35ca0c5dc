import { applyEdits, type Edit } from '../edit.ts'
import { configOf, type Facts } from '../facts.ts'
import { isRecord, type Message } from '../message.ts'
import { describeValue, parseJson } from '../text/json.ts'
import { labelText } from '../text/labels.ts'
import type { Room } from './cut-to-room.ts'
import { type Origin, type RecallAnswer, type RecallFold, type RecallRequest, type RecallSource, recall } from './recall.ts'

/**
 * The definition of the tool by which a model recalls trimmed content: add it to your tools and answer its calls with `conversation.recall`. Short, because every
 * request has it. `id` and `budget` are accepted too.
 */
export const recallTool = {
  name: 'recall',
  description:
    'Returns what was cut from this conversation by "handle" (12 hex digits), "query" (words), or "tool" with "about" ' +
    '(its arguments). "lines" or "characters" ("120-180") or "pattern" (regex) narrow it.',
  inputSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string' },
      query: { type: 'string' },
      tool: { type: 'string' },
      about: { type: 'string' },
      lines: { type: 'string' },
      characters: { type: 'string' },
      pattern: { type: 'string' },
    },
  },
} as const

/** Answers a model's call with any arguments: the content, or why there is none and what to do. */
export function answerRecall(input: unknown, source: RecallSource, facts: Facts): string {
  const request = readRequest(input)
  if (typeof request === 'string') return request
  const answer = recall(request, source, { facts, room: roomFor(request, facts) })
  switch (answer.kind) {
    case 'missing':
      return answer.text
    case 'spans':
      return `[best first; recall with handle and lines shows more around a place]\n\n${answer.text}`
    case 'found':
      return [...notesOn(answer, request), answer.text].join('\n')
  }
}

const defaultBudget = 4000
const reserve = { tokens: 160, characters: 700, lines: 8 }

/** Without a budget, an answer also respects the limits of tool output, so that it is not cut again. */
function roomFor({ budget }: RecallRequest, facts: Facts): Room {
  const { context_window, tool_output_limits } = configOf(facts)
  if (budget !== undefined) {
    const maxTokens = Math.max(defaultBudget, Math.floor(context_window / 4))
    return { tokens: Math.max(minRoom, Math.min(budget, maxTokens) - reserve.tokens) }
  }
  const own = Object.hasOwn(tool_output_limits.tools, recallTool.name) ? tool_output_limits.tools[recallTool.name] : undefined
  const { max_chars, max_lines } = { ...tool_output_limits.default, ...own }
  return {
    tokens: defaultBudget - reserve.tokens,
    characters: Math.max(minRoom, max_chars - reserve.characters),
    lines: Math.max(10, max_lines - reserve.lines),
  }
}

const minRoom = 100

function notesOn(answer: Extract<RecallAnswer, { kind: 'found' }>, request: RecallRequest): readonly string[] {
  const { original, others, otherCount, shown, lines, text, trouble } = answer
  const notes: string[] = []
  if (trouble !== undefined) notes.push(`${trouble} This is the extract that is left.`)
  if (otherCount > 0) notes.push(`the latest of ${otherCount + 1}; older ones: ${listOf(others, otherCount)}`)
  if (original.media.length > 0)
    notes.push(`${labelText(original.media.slice(0, 5).join(', '), 100)} belongs to it and is no text`)
  if (request.lines !== undefined || request.pattern !== undefined) {
    const ranges = shown.slice(0, 6).map(([first, last]) => `${first}-${last}`)
    const named = ranges.length === 0 ? 'no line' : `lines ${ranges.join(', ')}${shown.length > 6 ? ', …' : ''}`
    notes.push(`${named} of ${lines}; handle ${original.handle}`)
  }
  if (text === '') notes.push(`handle ${original.handle} is an empty text`)
  return notes.map((note) => `[${note}]`)
}

function listOf(others: readonly Origin[], count: number): string {
  const named = others.slice(0, 5).map(({ handle, about }) => (about === '' ? handle : `${handle} (${about.slice(0, 60)})`))
  return `${named.join(', ')}${count > named.length ? ` and ${count - named.length} more, which a longer "about" tells apart` : ''}`
}

function readRequest(input: unknown): RecallRequest | string {
  const value = typeof input === 'string' ? parseJson(input) : input
  if (!isRecord(value)) return `recall expects an object with handle, tool, id or query; got ${describeValue(input)}.`
  const request: Record<string, unknown> = {}
  for (const [key, { read, expected }] of argumentsRead) {
    const given = value[key]
    if (given === undefined || given === null || given === '' || (key === 'budget' && given === 0)) continue
    request[key] = read(given)
    if (request[key] === null) return `recall: ${key} has to be ${expected}; got ${describeValue(given)}.`
  }
  return request
}

const text = { read: (given: unknown) => (/^(?:string|number)$/.test(typeof given) ? String(given) : null), expected: 'text' }
const range = { read: readRange, expected: 'first and last, as "120-180"' }
const budget = { read: (given: unknown) => (numberOf(given) > 0 ? numberOf(given) : null), expected: 'a number of tokens' }
const argumentsRead = Object.entries({ handle: text, id: text, tool: text, about: text, query: text, pattern: text, lines: range, characters: range, budget }) // biome-ignore format: a table

function readRange(given: unknown): readonly [number, number] | null {
  if (typeof given === 'number') return Number.isFinite(given) ? [given, given] : null
  if (Array.isArray(given)) {
    const [first, last = first] = given.map(numberOf)
    return given.length <= 2 && first !== undefined && last !== undefined && Number.isFinite(first + last) ? [first, last] : null
  }
  const found =
    typeof given === 'string' ? /^\s{0,9}(\d{1,12})\s{0,9}(?:(?:-|–|:|,|\.\.)\s{0,9}(\d{1,12})\s{0,9})?$/.exec(given) : null
  return found === null ? null : [Number(found[1]), Number(found[2] ?? found[1])]
}

function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

/** A recall source over in-memory messages and the folds among `edits`. A pattern is plain words separated by `|`. */
export function sourceOfMessages(messages: readonly Message[], edits: readonly Edit[] = []): RecallSource {
  return {
    messages: () => messages,
    whole: (part) => ({ part }),
    findLines: findWords,
    folds: () => foldsIn(messages, edits),
  }
}

/** A regular expression can run forever with no way to stop it here; a word search cannot. */
const findWords: RecallSource['findLines'] = (pattern, lines) => {
  const words = pattern
    .slice(0, maxCharacters)
    .replaceAll(/\\([\W_])/g, '$1')
    .split('|')
  if (pattern.length > maxCharacters || /[\\^$*+?()[\]{}]/.test(pattern.replaceAll(/\\[\W_]/g, '')))
    return { trouble: 'Here "pattern" takes plain words, with | between them, and no other signs of regular expressions.' }
  return { found: lines.flatMap((line, index) => (words.some((word) => word !== '' && line.includes(word)) ? [index] : [])) }
}

const maxCharacters = 1000

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
