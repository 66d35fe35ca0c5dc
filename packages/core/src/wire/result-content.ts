import { isRecord, type MediaPart, type ResultContent, type TextPart } from '../message.ts'
import { jsonText, parseJson } from '../text/json.ts'
import { skipSpace, skipValue, walkMembers } from '../text/patch-text.ts'
import type { RawMessage } from './dialect.ts'

/** Reads a result: a text (without a JSON frame around it), blocks, an object as JSON, anything else as a vendor's value. */
export function readResultContent(content: unknown, readItem: (block: unknown) => TextPart | MediaPart): ResultContent {
  if (typeof content === 'string') return { type: 'text', text: readFramedText(content)?.output ?? content }
  if (content === undefined || content === null) return { type: 'text', text: '' }
  if (Array.isArray(content)) return { type: 'list', items: (content as readonly unknown[]).map(readItem) }
  if (isRecord(content)) return { type: 'json', value: content }
  return { type: 'list', items: [vendorPart(content)] }
}

/** Writes another result into a value, in the simplest form that keeps what they share. */
export function rewriteResultContent(
  content: unknown,
  before: ResultContent,
  after: ResultContent,
  writeItem: WriteItem,
): unknown {
  const blocks = Array.isArray(content) ? (content as readonly unknown[]) : null
  if (after.type === 'json') return before.type === 'json' ? after.value : jsonText(after.value)
  if (after.type === 'list') {
    if (blocks === null || before.type !== 'list') return after.items.map(writeItem)
    return rewriteItems(blocks, before.items, after.items, writeItem)
  }
  if (typeof content === 'string') return withFramedText(content, after.text)
  return blocks === null ? after.text : rewriteAll(blocks, before, after.text, writeItem)
}

export function writeResultContent(content: ResultContent, writeItem: WriteItem): unknown {
  if (content.type === 'text') return content.text
  if (content.type === 'list') return content.items.map(writeItem)
  return typeof content.value === 'string' || Array.isArray(content.value) ? content.value : jsonText(content.value)
}

/** Blocks that became one text. A cache mark must not be lost, so its block takes the text. */
function rewriteAll(blocks: readonly unknown[], before: ResultContent, text: string, writeItem: WriteItem): unknown {
  if (isOneText(before)) return [withBlockText(blocks[0], text)]
  const marks = blocks.map(marksOf).findLast((each) => each !== noMarks)
  if (marks === undefined) return text
  return [{ ...(writeItem({ type: 'text', text }) as RawMessage), ...marks }]
}

const cacheMarks = ['cache_control', 'prompt_cache_breakpoint']

/** Replaces some blocks of a list; the others stay the same objects. */
export function rewriteItems(blocks: readonly unknown[], before: Items, after: Items, writeItem: WriteItem): readonly unknown[] {
  const places = new Map(before.map((each, place) => [each, place]))
  const written = after.map((item, index): WrittenBlock => {
    const place = before[index] === item ? index : places.get(item)
    if (place !== undefined) return { from: place, keeps: true, block: blocks[place] }
    return item.type === 'text' && before[index]?.type === 'text'
      ? { from: index, keeps: true, block: withBlockText(blocks[index], item.text) }
      : { from: index, keeps: false, block: writeItem(item) }
  })
  return withMarksOf(blocks, written)
}

interface WrittenBlock {
  readonly from: number
  readonly keeps: boolean
  readonly block: unknown
}

/** A cache mark must not be lost: that of a removed block moves to the block before it. */
function withMarksOf(blocks: readonly unknown[], written: readonly WrittenBlock[]): readonly unknown[] {
  const kept = new Set(written.flatMap(({ from, keeps }) => (keeps ? [from] : [])))
  const marked = written.map(({ block }) => block)
  for (const [index, block] of blocks.entries()) {
    const marks = kept.has(index) ? noMarks : marksOf(block)
    if (marks === noMarks) continue
    const at = Math.max(
      written.findLastIndex(({ from }) => from <= index),
      0,
    )
    if (isRecord(marked[at])) marked[at] = { ...marked[at], ...marks }
  }
  return marked
}

function marksOf(block: unknown): RawMessage {
  if (!isRecord(block)) return noMarks
  const marks = cacheMarks.flatMap((mark) => (isRecord(block[mark]) ? [[mark, block[mark]] as const] : []))
  return marks.length === 0 ? noMarks : Object.fromEntries(marks)
}

const noMarks: RawMessage = {}

export function mimeTypeOf(data: RawMessage): string | null {
  const type = data['mimeType'] === undefined ? data['mime_type'] : data['mimeType']
  return typeof type === 'string' && type !== '' ? type : null
}

/** Whether the JSON around a result's text reports a failed command. */
export function saysFailed(content: unknown): boolean {
  return typeof content === 'string' && readFramedText(content)?.failed === true
}

export function isOneText(content: ResultContent): boolean {
  return content.type === 'list' && content.items.length === 1 && content.items[0]?.type === 'text'
}

export function vendorPart(value: unknown): MediaPart {
  const type = isRecord(value) && typeof value['type'] === 'string' ? value['type'] : value === null ? 'null' : typeof value
  return { type: 'media', mediaType: `vendor/${type}`, data: value }
}

type WriteItem = (item: TextPart | MediaPart) => unknown

/** Reads the output from the JSON that some agents write around it: `{"output":"…","metadata":{"exit_code":0}}`. */
function readFramedText(text: string): { readonly output: string; readonly failed: boolean } | null {
  if (!frameStart.test(text)) return null
  const value = parseJson(text)
  if (!isRecord(value) || Object.keys(value).length !== 2) return null
  const { output, metadata } = value
  if (typeof output !== 'string' || !isRecord(metadata)) return null
  const code = metadata['exit_code']
  return { output, failed: typeof code === 'number' && code !== 0 }
}

/** Replaces the output in its frame and nothing else; without a frame, returns the output. */
export function withFramedText(text: string, output: string): string {
  if (readFramedText(text) === null) return output
  let changed = output
  walkMembers(text, skipSpace(text, 0), (name, from) => {
    const to = skipValue(text, from)
    // If a field is written twice, the last one counts.
    if (name === 'output') changed = `${text.slice(0, from)}${JSON.stringify(output)}${text.slice(to)}`
    return to
  })
  return changed
}

const frameStart = /^\s{0,20}\{\s{0,20}"(?:output|metadata)"\s{0,20}:/

/** Content of a result value: its one text, the blocks of an MCP tool, or the value itself. */
export function readSaid(value: unknown): ResultContent {
  if (!isRecord(value)) return typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value }
  const blocks = blocksOf(value)
  if (blocks !== null) return { type: 'list', items: blocks.map(readBlock) }
  const field = saidField(value)
  const said = field === null ? value : value[field]
  return typeof said === 'string' ? { type: 'text', text: said } : { type: 'json', value: said }
}

export function saysFailure(value: unknown): boolean {
  if (!isRecord(value)) return false
  return (value['error'] !== undefined && value['error'] !== null) || value['isError'] === true
}

export function isFrame(value: unknown): boolean {
  return isRecord(value) && (blocksOf(value) !== null || saidField(value) !== null)
}

/** Replaces the text in a value's frame; null if it has none. */
export function sayingText(value: unknown, before: ResultContent, text: string): RawMessage | null {
  if (!isRecord(value)) return null
  const blocks = blocksOf(value)
  const field = saidField(value)
  if (blocks === null) return field === null ? null : { ...value, [field]: text }
  return { ...value, content: [isOneText(before) ? withBlockText(blocks[0], text) : { type: 'text', text }] }
}

/** Replaces some blocks of an MCP result; null if it has none. */
export function sayingItems(value: unknown, before: Items, after: Items): RawMessage | null {
  const blocks = isRecord(value) ? blocksOf(value) : null
  return blocks === null ? null : { ...(value as RawMessage), content: rewriteItems(blocks, before, after, writeBlock) }
}

export function sayingValue(value: unknown, said: unknown): unknown {
  const field = isRecord(value) ? saidField(value) : null
  return isRecord(value) && field !== null ? { ...value, [field]: said } : said
}

export type Items = readonly (TextPart | MediaPart)[]

function saidField(value: RawMessage): string | null {
  // The AI SDK repeats the tool name.
  const fields = Object.keys(value).filter((field) => field !== 'name')
  const [field] = fields
  return fields.length === 1 && field !== undefined && saidIn.has(field) ? field : null
}

const saidIn = new Set(['output', 'result', 'content', 'error'])

function blocksOf(value: RawMessage): readonly unknown[] | null {
  const { content } = value
  if (!Array.isArray(content) || Object.keys(value).some((field) => !besideBlocks.has(field))) return null
  return content.length > 0 && content.every(isBlock) ? content : null
}

const besideBlocks = new Set(['content', 'isError', '_meta'])

function isBlock(block: unknown): boolean {
  return isRecord(block) && (typeof block['type'] === 'string' || isBareText(block))
}

function isBareText(block: RawMessage): boolean {
  return typeof block['text'] === 'string' && Object.keys(block).length === 1
}

function readBlock(block: unknown): TextPart | MediaPart {
  if (!isRecord(block)) return vendorPart(block)
  const isText = (block['type'] === 'text' && typeof block['text'] === 'string') || isBareText(block)
  const text = isText ? (block['text'] as string) : nestedText(block)
  if (text !== null) return { type: 'text', text }
  const type = mimeTypeOf(block)
  return type === null ? vendorPart(block) : { type: 'media', mediaType: type, data: block }
}

function writeBlock(item: TextPart | MediaPart): unknown {
  return item.type === 'text' ? { type: 'text', text: item.text } : item.data
}

/** The text of a block that has text one level down: a document, a search result or an MCP resource. Null for any other. */
export function nestedText(block: RawMessage): string | null {
  const place = placeOf(block)
  const held = place?.held[place.field]
  if (typeof held === 'string') return held
  return isTextBlocks(held) ? held.map(({ text }) => text).join('\n') : null
}

export function withBlockText(block: unknown, text: string): unknown {
  const raw = block as RawMessage
  const place = typeof raw['text'] === 'string' ? null : placeOf(raw)
  if (place === null) return { ...raw, text }
  const { inside, field, held } = place
  const was = held[field]
  const changed = { ...held, [field]: isTextBlocks(was) ? [{ ...was[0], text }] : text }
  return inside === null ? changed : { ...raw, [inside]: changed }
}

/** Where a block has its text: the object, its field, and the field of the block that holds the object if it is not the block. */
function placeOf(
  block: RawMessage,
): { readonly inside: string | null; readonly held: RawMessage; readonly field: string } | null {
  const { type, source, resource } = block
  if (type === 'search_result') return { inside: null, held: block, field: 'content' }
  if (type === 'resource' && isRecord(resource)) return { inside: 'resource', held: resource, field: 'text' }
  if (type !== 'document' || !isRecord(source)) return null
  const field = source['type'] === 'text' ? 'data' : source['type'] === 'content' ? 'content' : null
  return field === null ? null : { inside: 'source', held: source, field }
}

function isTextBlocks(value: unknown): value is readonly (RawMessage & { readonly text: string })[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((block) => isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string')
}
