import { filterBinaryText } from '../binary/filter.ts'
import { cutText } from '../cut/cut-text.ts'
import type { Tokenizer } from '../facts.ts'
import {
  callInput,
  inputText,
  isRecord,
  type Message,
  type Part,
  resultText,
  type ToolCallPart,
  type ToolResultPart,
} from '../message.ts'
import { modelStrings } from '../strings/specification.ts'
import { jsonText, parseJson } from '../text/json.ts'
import { oneLine } from '../text/labels.ts'
import { failureLines } from './unresolved-errors.ts'

/** Messages as text for the summary writer. Results show their end and failure lines; the oldest are shortened first. */
export function recordOf(messages: readonly Message[], maxTokens: number, tokens: Tokenizer): string {
  const pieces = piecesOf(messages)
  let aim = maxTokens
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const record = fitted(pieces, aim, tokens)
    const cost = tokens.count(record)
    if (cost <= maxTokens) return record
    // Pieces counted separately add up to slightly less than the total.
    aim = Math.floor((aim * maxTokens) / cost) - leftOutTokens
  }
  return ''
}

function fitted(pieces: readonly Piece[], aim: number, tokens: Tokenizer): string {
  const shown = pieces.map((piece) => piece(0, tokens))
  let total = shown.reduce((sum, { cost }) => sum + cost, 0)
  for (let level = 1; level < levels && total > aim; level += 1) {
    for (let index = 0; index < pieces.length && total > aim; index += 1) {
      const shorter = (pieces[index] as Piece)(level, tokens)
      total += shorter.cost - (shown[index] as Shown).cost
      shown[index] = shorter
    }
  }
  let dropped = 0
  for (; dropped < shown.length && total > aim - leftOutTokens; dropped += 1) total -= (shown[dropped] as Shown).cost
  const texts = shown.slice(dropped).map(({ text }) => text)
  return (dropped === 0 ? texts : [`[${dropped} earlier parts left out]`, ...texts]).join('\n')
}

interface Shown {
  readonly text: string
  readonly cost: number
}

type Piece = (level: number, tokens: Tokenizer) => Shown

function createPiece(write: (level: number) => string): Piece {
  const known: Shown[] = []
  return (level, tokens) => {
    const found = known[level]
    if (found !== undefined) return found
    const text = write(level)
    const before = known[level - 1]
    const shown = before?.text === text ? before : { text, cost: tokens.count(text) }
    known[level] = shown
    return shown
  }
}

const levels = 5
const leftOutTokens = 16

const widths = {
  user: [1e9, 1e9, 20_000, 4000, 400],
  assistant: [8000, 8000, 3000, 600, 120],
  reasoning: [1000, 300, 0, 0, 0],
  call: [4000, 1500, 400, 150, 60],
  result: [6000, 2000, 600, 200, 80],
  failures: [200, 200, 40, 10, 3],
} as const

function piecesOf(messages: readonly Message[]): readonly Piece[] {
  const calls = new Map<string, ToolCallPart>()
  return messages.flatMap((message) =>
    message.parts.map((part) => {
      if (part.type === 'tool-call') calls.set(part.callId, part)
      return createPiece(writerOf(part, message, calls))
    }),
  )
}

function writerOf(part: Part, { role }: Message, calls: ReadonlyMap<string, ToolCallPart>): (level: number) => string {
  switch (part.type) {
    case 'text':
      return (level) => `[${role}]\n${ends(part.text, widths[role === 'user' ? 'user' : 'assistant'][level] as number)}`
    case 'reasoning':
      return (level) => {
        const width = widths.reasoning[level] as number
        return width === 0 ? `[${role} thought about it]` : `[${role} thinks]\n${ends(part.text, width)}`
      }
    case 'media':
      return () => `[${role} attached ${oneLine(part.mediaType, 80)}]`
    case 'tool-call':
      return (level) => `[call ${oneLine(part.tool, 100)}]\n${ends(argumentsOf(part), widths.call[level] as number)}`
    case 'tool-result': {
      const call = part.callId === null ? undefined : calls.get(part.callId)
      return resultWriter(part, oneLine(call?.tool ?? part.tool ?? 'tool', 100))
    }
  }
}

function resultWriter(part: ToolResultPart, tool: string): (level: number) => string {
  const text = readable(part)
  return (level) => {
    const width = widths.result[level] as number
    const head = `[result of ${tool}${part.isError === true ? ', an error' : ''}`
    if (text.length <= width) return `${head}]\n${text}`
    return cutText(text, { head: 0, tail: width, in: 'units' }, ({ middle, tail }) => {
      const lines = failureLines(text, middle.length, widths.failures[level] as number)
      const failures = lines.length === 0 ? '' : `lines that tell of failures:\n${lines.join('\n')}\n`
      return `${head}, the last ${tail.length} of ${text.length} characters]\n${failures}…\n`
    })
  }
}

function readable(part: ToolResultPart): string {
  const text = withoutBinary(resultText(part))
  if (!text.startsWith('{') || !text.includes('\\n')) return text
  const value = parseJson(text)
  return isRecord(value) ? fieldLines(value) : text
}

function argumentsOf(part: ToolCallPart): string {
  const input = callInput(part)
  return withoutBinary(input === null ? inputText(part) : fieldLines(input))
}

/** A base64 image is useless in a summary and costs as much as a page of text. */
function withoutBinary(text: string): string {
  return filterBinaryText(text, modelStrings)
}

function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([key, field]) => `${oneLine(key, 80)}: ${typeof field === 'string' ? field : jsonText(field)}`)
    .join('\n')
}

function ends(text: string, width: number): string {
  if (text.length <= width) return text
  const kept = { head: Math.ceil((width * 2) / 3), tail: Math.floor(width / 3), in: 'units' } as const
  return cutText(text, kept, ({ middle }) => `\n… ${middle.length} characters left out …\n`)
}
