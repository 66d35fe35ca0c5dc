import type { MediaPart, Message, Part, ResultContent, Role, TextPart, ToolResultPart } from '../message.ts'
import { isRecord, resultText } from '../message.ts'
import type { Path } from '../text/patch.ts'
import { findRequest, type Piece, type RawMessage } from './dialect.ts'
import { vendorPart } from './result-content.ts'

type Time = Pick<Piece, 'at'>

/** Reads a text or blocks. Every tool result becomes a separate message; other blocks stay together in runs. */
export function readContent(raw: RawMessage, role: Role, readBlock: (block: unknown) => Part): readonly Piece[] {
  const { content } = raw
  const time = timeOf(raw)
  if (Array.isArray(content)) return splitBlocks((content as readonly unknown[]).map(readBlock), role, 'content', time)
  if (content === undefined || content === null) return [blockPiece(role, [], [], time)]
  return [onlyPiece(role, typeof content === 'string' ? { type: 'text', text: content } : vendorPart(content), ['content'], time)]
}

/** Makes a piece of every tool result among the blocks of a field, and of the runs between them. */
export function splitBlocks(
  parts: readonly Part[],
  role: Role,
  field: string,
  time: Time,
  /** Whether a block after a result belongs to it. Default: no. */
  belongs: (index: number) => boolean = () => false,
): readonly Piece[] {
  if (!parts.some((part) => part.type === 'tool-result')) return [blockPiece(role, parts, [field], time)]
  const pieces: Piece[] = []
  for (let start = 0; start < parts.length; ) {
    const isResult = parts[start]?.type === 'tool-result'
    const takes = isResult ? belongs : () => true
    let end = start + 1
    while (end < parts.length && parts[end]?.type !== 'tool-result' && takes(end)) end += 1
    pieces.push(blockPiece(isResult ? 'tool' : role, parts.slice(start, end), [field], time, start))
    start = end
  }
  return pieces
}

export function blockPiece(role: Role, parts: readonly Part[], path: Path, time: Time = {}, start = 0): Piece {
  const origins = parts.map((_part, index) => ({ block: start + index, path: [...path, start + index] }))
  return { role, parts, origins, first: start, last: Math.max(start, start + parts.length - 1), ...time }
}

export function onlyPiece(role: Role, part: Part, path: Path, time: Time = {}): Piece {
  return { role, parts: [part], origins: [{ block: 0, path }], first: 0, last: 0, ...time }
}

export function readPrompt(content: unknown, field: string): Piece | null {
  return typeof content === 'string' ? onlyPiece('system', { type: 'text', text: content }, [field]) : null
}

export function readPlainBlock(
  block: unknown,
  textTypes: ReadonlySet<unknown>,
  mediaTypeOf: (block: RawMessage) => string | undefined,
): TextPart | MediaPart {
  if (!isRecord(block)) return vendorPart(block)
  if (textTypes.has(block['type']) && typeof block['text'] === 'string') return { type: 'text', text: block['text'] }
  const mediaType = mediaTypeOf(block)
  return mediaType === undefined ? vendorPart(block) : { type: 'media', mediaType, data: block }
}

/** Some logs have the status in the message around the result. */
export function resultPart(
  callId: string | null,
  tool: string | null,
  content: ResultContent,
  isError: boolean | undefined,
  { messageStatus: status }: RawMessage = {},
): ToolResultPart {
  const flag = isError === undefined ? {} : { isError }
  return { type: 'tool-result', callId, tool, content, ...flag, ...(typeof status === 'string' ? { status } : {}) }
}

/** Anything not from the model or the user is from the system. */
export function plainRole({ role }: RawMessage): Role {
  return role === 'assistant' || role === 'user' ? role : 'system'
}

/** Whether a message of a request, given its content blocks, passes a test. */
export function someMessage(value: unknown, marked: (raw: RawMessage, blocks: readonly RawMessage[]) => boolean): boolean {
  const list = findRequest(value)?.list ?? []
  return list.some((raw) => isRecord(raw) && marked(raw, Array.isArray(raw['content']) ? raw['content'].filter(isRecord) : []))
}

export function textField(raw: RawMessage, field: string): string | null {
  const value = raw[field]
  return typeof value === 'string' && value !== '' ? value : null
}

export function dataUrlType(url: unknown): string | undefined {
  return typeof url === 'string' ? /^data:([\w.+-]{1,60}\/[\w.+-]{1,100})[;,]/.exec(url.slice(0, 200))?.[1] : undefined
}

/** The time of a message, from the fields logs use: `timestamp` as milliseconds or ISO text, or `ts`. */
export function timeOf(raw: RawMessage): Time {
  const at = milliseconds(raw['timestamp']) ?? milliseconds(raw['ts'])
  return at === undefined ? {} : { at }
}

function milliseconds(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > 40 || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined
  // Text without a zone is read as UTC: the result must not depend on the machine.
  const time = Date.parse(/T[\d:.]+$/.test(value) ? `${value}Z` : value)
  return Number.isNaN(time) ? undefined : time
}

/** Writes parts as content: a single text as a string, anything else as blocks. */
export function writeContent<Kind extends Part>(parts: readonly Kind[], writeBlock: (part: Kind) => unknown): unknown {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' ? only.text : parts.map(writeBlock)
}

export function isReminder(message: Message): boolean {
  return message.role === 'system' || message.summary === true
}

/** Marks text for formats where only the user can send it. Escapes closing tags inside it; idempotent. Never parsed back. */
export function reminderText(message: Message): string {
  const texts = message.parts.flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []))
  return `<system-reminder>\n${texts.join('\n\n').replaceAll(earlyEnd, '<$1\\/')}\n</system-reminder>`
}

// Invisible characters may be in between.
const earlyEnd = /<([\s\p{Cf}]*)\/(?=[\s\p{Cf}]*system-reminder)/giu

export function hasFailed(part: ToolResultPart): boolean {
  return part.isError === true || resultText(part).startsWith('Error:')
}
