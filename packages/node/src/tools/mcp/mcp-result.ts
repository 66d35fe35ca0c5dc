import type { ToolOutcome } from '@plimsoll/core'
import { type BlobReference, isRecord, type MediaPart, type ResultContent, type TextPart } from '@plimsoll/core'
import { pictureOf } from '../image/picture.ts'
import type { BlobSink } from '../tool.ts'

/** Pictures over this many bytes are refused by the providers, and are told about instead. */
const mostShownBytes = 5 * 2 ** 20

/**
 * What a server answered to a call, as an outcome: texts, pictures as the model can see them, links and data in words. Bytes that no
 * model is shown are kept beside the log. Whatever the server sent, nothing is thrown. `clean` goes over every text.
 */
export async function mcpOutcome(
  result: unknown,
  blobs: BlobSink,
  clean: (text: string) => string = (words) => words,
): Promise<ToolOutcome> {
  const answer = isRecord(result) ? result : {}
  const references: BlobReference[] = []
  const items: (TextPart | MediaPart)[] = []
  const blocks: readonly unknown[] = Array.isArray(answer['content']) ? answer['content'] : []
  for (const block of blocks) items.push(await itemOf(block, blobs, references))
  const isWritable = isShallow(answer['structuredContent'])
  const structured = isWritable ? answer['structuredContent'] : undefined
  if (!isWritable) items.push(text(`[data that is nested deeper than ${deepestData} levels]`))
  if (structured !== undefined && items.length > 0 && !repeats(items, structured)) items.push(text(JSON.stringify(structured)))
  return {
    content: cleaned(contentOf(items, structured), clean),
    ...(answer['isError'] === true ? { isError: true } : {}),
    ...(references.length === 0 ? {} : { metadata: { blobs: references } }),
  }
}

function contentOf(items: readonly (TextPart | MediaPart)[], structured: unknown): ResultContent {
  const [only] = items
  if (only === undefined) return structured === undefined ? text('(no content)') : { type: 'json', value: structured }
  return items.length === 1 && only.type === 'text' ? only : { type: 'list', items }
}

function cleaned(content: ResultContent, clean: (text: string) => string): ResultContent {
  if (content.type === 'text') return { ...content, text: clean(content.text) }
  if (content.type === 'list')
    return { ...content, items: content.items.map((item) => (item.type === 'text' ? { ...item, text: clean(item.text) } : item)) }
  const written = JSON.stringify(content.value)
  const words = clean(written)
  return words === written ? content : { ...content, value: JSON.parse(words) as unknown }
}

const deepestData = 200

/** Level by level, so that no depth can exhaust the stack: data that is nested without end could not be stored or sent. */
function isShallow(data: unknown): boolean {
  let level: readonly unknown[] = [data]
  for (let depth = 0; depth <= deepestData; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length === 0) return true
  }
  return false
}

async function itemOf(block: unknown, blobs: BlobSink, references: BlobReference[]): Promise<TextPart | MediaPart> {
  if (!isRecord(block)) return text('[content of an unknown kind]')
  switch (block['type']) {
    case 'text':
      return text(typeof block['text'] === 'string' ? block['text'] : '')
    case 'image':
    case 'audio':
      return mediaOf(block['data'], block['mimeType'], blobs, references)
    case 'resource_link':
      return text(linkText(block))
    case 'resource': {
      const resource = isRecord(block['resource']) ? block['resource'] : {}
      if (typeof resource['text'] === 'string') return text(`${shown(resource['uri'])}:\n${resource['text']}`)
      return mediaOf(resource['blob'], resource['mimeType'], blobs, references)
    }
    default:
      return text(`[content of the kind ${shown(block['type'])}]`)
  }
}

/** A picture that a model can be shown; of anything else only what it is. */
async function mediaOf(
  data: unknown,
  type: unknown,
  blobs: BlobSink,
  references: BlobReference[],
): Promise<TextPart | MediaPart> {
  const mediaType = typeof type === 'string' && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'application/octet-stream'
  const bytes = Buffer.from(typeof data === 'string' ? data : '', 'base64')
  if (bytes.byteLength === 0) return text(`[${mediaType} without content]`)
  // By what it is, not by what it is called: a provider refuses the rest, and would do so with every request from then on.
  const shownType = pictureOf(bytes)?.mediaType ?? ''
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(shownType) && bytes.byteLength <= mostShownBytes) {
    const file = { type: 'file', mediaType: shownType, data: { type: 'data', data: bytes.toString('base64') } }
    return { type: 'media', mediaType: shownType, data: file }
  }
  references.push(await blobs.write(bytes))
  return text(`[${mediaType}, ${bytes.byteLength} bytes, kept in the session]`)
}

function linkText(block: Readonly<Record<string, unknown>>): string {
  const about = [block['title'] ?? block['name'], block['description']].filter((value) => typeof value === 'string').join(': ')
  return `[resource ${shown(block['uri'])}${about === '' ? '' : `: ${about}`}]`
}

/** Most servers send data twice, once as text for those who cannot take it otherwise. */
function repeats(items: readonly (TextPart | MediaPart)[], structured: unknown): boolean {
  const written = JSON.stringify(structured)
  return items.some((item) => {
    if (item.type !== 'text') return false
    try {
      return JSON.stringify(JSON.parse(item.text)) === written
    } catch {
      return false
    }
  })
}

function text(words: string): TextPart {
  return { type: 'text', text: words }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2000) : '?'
}
