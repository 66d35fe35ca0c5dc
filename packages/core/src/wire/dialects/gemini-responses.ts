import { isRecord, type MediaPart, type ResultContent, resultText, type TextPart, type ToolResultPart } from '../../message.ts'
import { jsonText } from '../../text/json-text.ts'
import type { RawMessage } from '../dialect.ts'
import { vendorPart } from '../result-content.ts'
import { isFrame, readSaid, sayingItems, sayingText, sayingValue, saysFailure } from '../said-value.ts'
import { mimeTypeOf, objectIn, type PartField } from './gemini-fields.ts'

/** What a function answered: its one text, the blocks of an MCP tool, or a value; with the media beside it, if there are any. */
export function readResponse(answer: RawMessage): ResultContent {
  const said = readWhole(answer['response'])
  const media = mediaIn(answer)
  if (media.length === 0) return said
  const items = said.type === 'list' ? said.items : [textOf(said)]
  return { type: 'list', items: [...items, ...media.map((block) => readMedia(block) ?? vendorPart(block))] }
}

/** Whether a function answered that it failed. */
export function isFailure({ response }: RawMessage): boolean {
  return saysFailure(response)
}

/** An answer with another content in it, in the smallest change that says so. */
export function rewriteResponse(answer: RawMessage, before: ToolResultPart, after: ToolResultPart): RawMessage {
  const { response } = answer
  const { content } = after
  if (content.type === 'json') return { ...answer, response: valued(response, content.value) }
  if (content.type === 'text') return { ...answer, response: saying(response, content.text, before), parts: undefined }
  const was = before.content.type === 'list' ? before.content.items : []
  const media = mediaIn(answer)
  const texts = was.length - media.length
  const isInPlace = content.items.length === was.length && content.items.slice(texts).every((item) => item.type === 'media')
  if (!isInPlace || texts < 0) {
    const shown = content.items.flatMap((item) => (item.type === 'media' ? [item.data] : []))
    return { ...answer, response: saying(response, resultText(after), before), parts: shown.length === 0 ? undefined : shown }
  }
  const said = content.items.slice(0, texts)
  const parts = media.map((block, index) => {
    const item = content.items[texts + index]
    return item === was[texts + index] || item?.type !== 'media' ? block : item.data
  })
  return {
    ...answer,
    response: said.every((item, index) => item === was[index])
      ? response
      : sayingAll(response, was.slice(0, texts), said, before),
    ...(media.length === 0 ? {} : { parts }),
  }
}

/** The answer of a function, and the media beside it, written for the first time. */
export function writeResponse(part: ToolResultPart, failed: boolean): RawMessage {
  const { content } = part
  const key = failed ? 'error' : 'output'
  if (content.type === 'json') {
    const isWhole = isRecord(content.value) && !failed && !isFrame(content.value)
    return { response: isWhole ? content.value : { [key]: content.value } }
  }
  const media = content.type === 'list' ? content.items.flatMap((item) => (item.type === 'media' ? [item.data] : [])) : []
  return { response: { [key]: resultText(part) }, ...(media.length === 0 ? {} : { parts: media }) }
}

/** A picture or file, inline or by its address; null for anything else. */
export function readMedia(block: unknown): MediaPart | null {
  for (const field of ['inlineData', 'fileData'] as const satisfies readonly PartField[]) {
    const data = objectIn(block, field)
    if (data === null) continue
    const type = mimeTypeOf(data)
    // Encoded as it is, JSON must not be looked into.
    return { type: 'media', mediaType: type === null || type === 'application/json' ? `vendor/${field}` : type, data: block }
  }
  return null
}

function readWhole(response: unknown): ResultContent {
  if (response === undefined || response === null) return { type: 'text', text: '' }
  return isRecord(response) ? readSaid(response) : { type: 'list', items: [vendorPart(response)] }
}

function textOf(said: ResultContent): TextPart {
  return { type: 'text', text: said.type === 'text' ? said.text : said.type === 'json' ? jsonText(said.value) : '' }
}

function valued(response: unknown, value: unknown): unknown {
  const said = sayingValue(response, value)
  return isRecord(said) ? said : { output: said }
}

function saying(response: unknown, text: string, { isError, content }: ToolResultPart): RawMessage {
  return sayingText(response, content, text) ?? { [isError === true ? 'error' : 'output']: text }
}

function sayingAll(
  response: unknown,
  before: readonly (TextPart | MediaPart)[],
  after: readonly (TextPart | MediaPart)[],
  result: ToolResultPart,
): RawMessage {
  const text = after.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n')
  return sayingItems(response, before, after) ?? saying(response, text, result)
}

function mediaIn(answer: RawMessage): readonly unknown[] {
  return Array.isArray(answer['parts']) ? answer['parts'] : []
}
