import {
  isRecord,
  type MediaPart,
  type Message,
  type Part,
  type ResultContent,
  type Role,
  resultText,
  type TextPart,
  type ToolResultPart,
} from '../message.ts'
import type { Piece, RawMessage } from './dialect.ts'
import { mimeTypeOf } from './dialects/gemini-fields.ts'
import { isOneText, rewriteItems, vendorPart } from './result-content.ts'

/**
 * Reads the content of one vendor's message, a text or a list of blocks, so that every tool result is a message of its own; runs
 * of other blocks between results stay together. Without results the message stays whole.
 */
export function readContent(
  content: unknown,
  role: Role,
  time: { readonly at?: number },
  readBlock: (block: unknown) => Part,
): readonly Piece[] {
  if (Array.isArray(content)) return splitBlocks((content as readonly unknown[]).map(readBlock), role, time)
  if (content === undefined || content === null) return [{ role, parts: [], origins: [], first: 0, last: 0, ...time }]
  const part: Part = typeof content === 'string' ? { type: 'text', text: content } : vendorPart(content)
  return [{ role, parts: [part], origins: [{ block: 0, path: ['content'] }], first: 0, last: 0, ...time }]
}

/** Whether a message speaks for nobody in the conversation: the system's words, or a summary of what was folded. */
export function isReminder(message: Message): boolean {
  return message.role === 'system' || message.summary === true
}

/**
 * The text of a message nobody said, marked as such for dialects where only the user can bring it. What would end the mark early
 * is written with a backslash, `<\/system-reminder>`; text that has been through this comes out the same. It is never read back as
 * what it was: anybody could write such a text.
 */
export function reminderText(message: Message): string {
  const text = message.parts
    .flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []))
    .join('\n\n')
  return `<system-reminder>\n${text.replaceAll(earlyEnd, '<$1\\/')}\n</system-reminder>`
}

// Signs that nobody sees may stand between those that count.
const earlyEnd = /<([\s\p{Cf}]*)\/(?=[\s\p{Cf}]*system-reminder)/giu

/** Whether a result says in its first word that it is an error. */
export function saysError(part: ToolResultPart): boolean {
  return resultText(part).startsWith('Error:')
}

function splitBlocks(parts: readonly Part[], role: Role, time: { readonly at?: number }): readonly Piece[] {
  const pieces: Piece[] = []
  if (!parts.some((part) => part.type === 'tool-result')) return [pieceOf(parts, 0, parts.length, role, time)]
  for (let start = 0; start < parts.length; ) {
    let end = start + 1
    const isResult = parts[start]?.type === 'tool-result'
    if (!isResult) while (end < parts.length && parts[end]?.type !== 'tool-result') end += 1
    pieces.push(pieceOf(parts, start, end, isResult ? 'tool' : role, time))
    start = end
  }
  return pieces
}

function pieceOf(parts: readonly Part[], start: number, end: number, role: Role, time: { readonly at?: number }): Piece {
  const covered = start === 0 && end === parts.length ? parts : parts.slice(start, end)
  const origins = covered.map((_part, index) => ({ block: start + index, path: ['content', start + index] }))
  return { role, parts: covered, origins, first: start, last: Math.max(start, end - 1), ...time }
}

/**
 * The text of a block that holds nothing but text one level down: a document or search result of Anthropic's, or a resource of an
 * MCP tool. Null for any other block.
 */
export function nestedText(block: RawMessage): string | null {
  const place = placeOf(block)
  return place === null ? null : textOf(place.held[place.field])
}

/** A block with another text, where the block holds its text. */
export function withBlockText(block: unknown, text: string): unknown {
  const raw = block as RawMessage
  if (typeof raw['text'] === 'string') return { ...raw, text }
  const place = placeOf(raw)
  if (place === null) return { ...raw, text }
  const { inside, field, held } = place
  const changed = { ...held, [field]: withText(held[field], text) }
  return inside === null ? changed : { ...raw, [inside]: changed }
}

/** The object that holds the text of a block, and its field there. */
interface Place {
  /** The field of the block that holds the object; null if it is the block itself. */
  readonly inside: string | null
  readonly held: RawMessage
  readonly field: string
}

function placeOf(block: RawMessage): Place | null {
  const { source, resource } = block
  switch (block['type']) {
    case 'document': {
      if (!isRecord(source)) return null
      const field = source['type'] === 'text' ? 'data' : source['type'] === 'content' ? 'content' : null
      return field === null ? null : { inside: 'source', held: source, field }
    }
    case 'search_result':
      return { inside: null, held: block, field: 'content' }
    case 'resource':
      return isRecord(resource) ? { inside: 'resource', held: resource, field: 'text' } : null
    default:
      return null
  }
}

/** A text, or blocks of text and nothing else. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return isTextBlocks(value) ? value.map(({ text }) => text).join('\n') : null
}

function withText(value: unknown, text: string): unknown {
  return isTextBlocks(value) ? [{ ...value[0], text }] : text
}

function isTextBlocks(value: unknown): value is readonly (RawMessage & { readonly text: string })[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((block) => isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string')
}

/** What a value says that a tool answered: its one text, the blocks of an MCP tool, or the value itself. */
export function readSaid(value: unknown): ResultContent {
  if (!isRecord(value)) return typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value }
  const blocks = blocksOf(value)
  if (blocks !== null) return { type: 'list', items: blocks.map(readBlock) }
  const field = saidField(value)
  const said = field === null ? value : value[field]
  return typeof said === 'string' ? { type: 'text', text: said } : { type: 'json', value: said }
}

/** Whether a value says that the tool failed. */
export function saysFailure(value: unknown): boolean {
  if (!isRecord(value)) return false
  return (value['error'] !== undefined && value['error'] !== null) || value['isError'] === true
}

/** Whether a value is a frame around what it says, and not that itself. */
export function isFrame(value: unknown): boolean {
  return isRecord(value) && (blocksOf(value) !== null || saidField(value) !== null)
}

/** A value that says another text, in its own frame; null if it has none. */
export function sayingText(value: unknown, before: ResultContent, text: string): RawMessage | null {
  if (!isRecord(value)) return null
  const blocks = blocksOf(value)
  if (blocks !== null) return { ...value, content: [isOneText(before) ? withBlockText(blocks[0], text) : { type: 'text', text }] }
  const field = saidField(value)
  return field === null ? null : { ...value, [field]: text }
}

/** A value of an MCP tool with some of its blocks replaced; null if it has no blocks. */
export function sayingItems(value: unknown, before: Items, after: Items): RawMessage | null {
  const blocks = isRecord(value) ? blocksOf(value) : null
  return blocks === null ? null : { ...(value as RawMessage), content: rewriteItems(blocks, before, after, writeBlock) }
}

/** A value that says another value, in its own frame where it has one. */
export function sayingValue(value: unknown, said: unknown): unknown {
  const field = isRecord(value) ? saidField(value) : null
  return isRecord(value) && field !== null ? { ...value, [field]: said } : said
}

type Items = readonly (TextPart | MediaPart)[]

/** The field of an answer that is all it says; null where it says more. */
function saidField(value: RawMessage): string | null {
  // The AI SDK says the name of the tool once more, beside what it answered.
  const fields = Object.keys(value).filter((field) => field !== 'name')
  const [field] = fields
  return fields.length === 1 && field !== undefined && saidIn.has(field) ? field : null
}

const saidIn = new Set(['output', 'result', 'content', 'error'])

/** The blocks of an answer that an MCP tool gave, handed on as it came. */
function blocksOf(value: RawMessage): readonly unknown[] | null {
  const { content } = value
  if (!Array.isArray(content) || Object.keys(value).some((field) => !besideBlocks.has(field))) return null
  return content.length > 0 && content.every(isBlock) ? content : null
}

const besideBlocks = new Set(['content', 'isError', '_meta'])

/** Gemini's own parts have no type. */
function isBlock(block: unknown): boolean {
  return isRecord(block) && (typeof block['type'] === 'string' || isBareText(block))
}

function isBareText(block: RawMessage): boolean {
  return typeof block['text'] === 'string' && Object.keys(block).length === 1
}

function readBlock(block: unknown): TextPart | MediaPart {
  if (!isRecord(block)) return vendorPart(block)
  const text =
    (block['type'] === 'text' || isBareText(block)) && typeof block['text'] === 'string' ? block['text'] : nestedText(block)
  if (text !== null) return { type: 'text', text }
  const type = mimeTypeOf(block)
  return type === null ? vendorPart(block) : { type: 'media', mediaType: type, data: block }
}

function writeBlock(item: TextPart | MediaPart): unknown {
  return item.type === 'text' ? { type: 'text', text: item.text } : item.data
}
