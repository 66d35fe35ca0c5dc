import { isRecord, type MediaPart, type ResultContent, type TextPart } from '../message.ts'
import { nestedText, withBlockText } from './block-text.ts'
import type { RawMessage } from './dialect.ts'
import { mimeTypeOf } from './dialects/gemini-fields.ts'
import { isOneText, rewriteItems, vendorPart } from './result-content.ts'

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
