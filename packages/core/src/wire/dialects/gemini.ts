import type { MediaPart, Message, Part, ResultContent, TextPart, ToolCallPart, ToolResultPart } from '../../message.ts'
import { callInput, isRecord, resultText } from '../../message.ts'
import { jsonText } from '../../text/json.ts'
import { blockPiece, hasFailed, isReminder, reminderText, resultPart, splitBlocks, textField, timeOf } from '../blocks.ts'
import { createCodec } from '../create-codec.ts'
import type { Dialect, FindCall, Piece, RawMessage } from '../dialect.ts'
import {
  isFrame,
  mimeTypeOf,
  readSaid,
  sayingItems,
  sayingText,
  sayingValue,
  saysFailure,
  vendorPart,
} from '../result-content.ts'
import { geminiLayout, geminiRoles, heldIn, isGemini, linkContents, nameIn, objectIn, signatureOf } from './gemini-fields.ts'

export const geminiDialect: Dialect = {
  name: 'gemini',
  roles: geminiRoles,
  accepts: ({ role }) => role === undefined || (typeof role === 'string' && geminiRoles.includes(role)),
  layout: geminiLayout,
  system: {
    field: 'systemInstruction',
    alias: 'system_instruction',
    read(content, field) {
      if (!isRecord(content) || !Array.isArray(content['parts'])) return null
      const parts = content['parts'].map((block: unknown) => readPart(block, false, null))
      return blockPiece('system', parts, [field, 'parts'])
    },
  },
  detect: isGemini,
  createLinker: linkContents,
  read: readContent,
  rewriteResult(block, before, after) {
    const name = nameIn(block, 'functionResponse')
    return { ...block, [name]: rewriteResponse(block[name] as RawMessage, before, after) }
  },
  rewriteCall(block, after) {
    const name = nameIn(block, 'functionCall')
    return { ...block, [name]: { ...(block[name] as RawMessage), args: argumentsOf(after) } }
  },
  replace: (_value, _before, after) => writePart(after, () => undefined),
  write: (message, findCall) => {
    const role = message.role === 'assistant' && message.summary !== true ? 'model' : 'user'
    return [{ role, parts: writeParts(message, findCall) }]
  },
  sharing: {
    takesResults: ({ role, parts }) =>
      role !== 'model' && Array.isArray(parts) && parts.some((block) => objectIn(block, 'functionResponse') !== null),
    takesText: true,
    blocks: writeParts,
    around: (parts) => ({ role: 'user', parts }),
  },
}

/** Gemini's contents, in either spelling: calls and results are parts, and need no ids. */
export const gemini = createCodec(geminiDialect)

function readContent(raw: RawMessage, link: string | null): readonly Piece[] {
  const blocks: readonly unknown[] = Array.isArray(raw['parts']) ? raw['parts'] : []
  const ids = link === null ? [] : (JSON.parse(link) as readonly (string | null)[])
  const isModel = raw['role'] === 'model'
  const parts = blocks.map((block, index) => readPart(block, isModel, ids[index] ?? null))
  const lastResult = parts.findLastIndex((part) => part.type === 'tool-result')
  // Clients put a tool's images after its result, and nothing may come between the results for one message.
  const belongs = (index: number) => index < lastResult || parts[index]?.type === 'media'
  return splitBlocks(parts, isModel ? 'assistant' : 'user', 'parts', timeOf(raw), belongs)
}

function readPart(block: unknown, isModel: boolean, callId: string | null): Part {
  const held = isRecord(block) ? heldIn(block) : null
  if (!isRecord(block) || held === null) return vendorPart(block)
  const { field, value } = held
  if (field === 'text' && typeof value === 'string')
    return { type: isModel && block['thought'] === true ? 'reasoning' : 'text', text: value, ...signatureOf(block) }
  if (field === 'functionCall' && isRecord(value) && callId !== null) return readCall(block, value, callId)
  if (field === 'functionResponse' && isRecord(value) && !isModel)
    return resultPart(callId, textField(value, 'name'), readResponse(value), saysFailure(value['response']) ? true : undefined)
  return readMedia(block) ?? { type: 'media', mediaType: `vendor/${field}`, data: block }
}

function readCall(block: RawMessage, call: RawMessage, callId: string): ToolCallPart {
  const tool = textField(call, 'name') ?? ''
  const part: ToolCallPart = { type: 'tool-call', callId, tool, input: call['args'] ?? {}, ...signatureOf(block) }
  if (textField(call, 'id') === null) unnumbered.add(part)
  return part
}

// Marked by identity, since the part itself cannot show that its id is ours and must not be written.
const unnumbered = new WeakSet<ToolCallPart>()

function writeParts(message: Message, findCall: FindCall): readonly unknown[] {
  if (isReminder(message)) return [{ text: reminderText(message) }]
  return message.parts.map((part) => writePart(part, findCall))
}

function writePart(part: Part, findCall: FindCall): unknown {
  switch (part.type) {
    case 'text':
      return { text: part.text, ...signatureBeside(part) }
    case 'reasoning':
      return { text: part.text, thought: true, ...signatureBeside(part) }
    case 'media':
      return part.data
    case 'tool-call': {
      const id = unnumbered.has(part) ? {} : { id: part.callId }
      return { functionCall: { ...id, name: part.tool, args: argumentsOf(part) }, ...signatureBeside(part) }
    }
    case 'tool-result': {
      const call = findCall(part.callId)
      const id = part.callId === null || (call !== undefined && unnumbered.has(call)) ? {} : { id: part.callId }
      return { functionResponse: { ...id, name: part.tool ?? call?.tool ?? 'unknown', ...writeResponse(part) } }
    }
  }
}

function argumentsOf(part: ToolCallPart): unknown {
  return callInput(part) ?? { input: part.input ?? null }
}

function signatureBeside({ providerOptions }: Pick<TextPart, 'providerOptions'>) {
  const thoughtSignature = providerOptions?.['google']?.['thoughtSignature']
  return typeof thoughtSignature === 'string' ? { thoughtSignature } : {}
}

function readResponse(answer: RawMessage): ResultContent {
  const said = readWhole(answer['response'])
  const media = mediaIn(answer)
  if (media.length === 0) return said
  const text = said.type === 'text' ? said.text : said.type === 'json' ? jsonText(said.value) : ''
  const items: readonly (TextPart | MediaPart)[] = said.type === 'list' ? said.items : [{ type: 'text', text }]
  return { type: 'list', items: [...items, ...media.map((block) => readMedia(block) ?? vendorPart(block))] }
}

function rewriteResponse(answer: RawMessage, before: ToolResultPart, after: ToolResultPart): RawMessage {
  const { response } = answer
  const { content } = after
  if (content.type === 'json') {
    const said = sayingValue(response, content.value)
    return { ...answer, response: isRecord(said) ? said : { output: said } }
  }
  if (content.type === 'text') return { ...answer, response: saying(response, content.text, before), parts: undefined }
  const was = before.content.type === 'list' ? before.content.items : []
  const media = mediaIn(answer)
  const texts = was.length - media.length
  const isInPlace = content.items.length === was.length && content.items.slice(texts).every((item) => item.type === 'media')
  if (!isInPlace || texts < 0) {
    const shown = dataOf(content.items)
    return { ...answer, response: saying(response, resultText(after), before), parts: shown.length === 0 ? undefined : shown }
  }
  const said = content.items.slice(0, texts)
  const parts = media.map((block, index) => {
    const item = content.items[texts + index]
    return item === was[texts + index] || item?.type !== 'media' ? block : item.data
  })
  const beside = media.length === 0 ? {} : { parts }
  if (said.every((item, index) => item === was[index])) return { ...answer, ...beside }
  const text = said.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n')
  const changed = sayingItems(response, was.slice(0, texts), said) ?? saying(response, text, before)
  return { ...answer, response: changed, ...beside }
}

function writeResponse(part: ToolResultPart): RawMessage {
  const { content } = part
  const failed = hasFailed(part)
  const key = failed ? 'error' : 'output'
  if (content.type === 'json') {
    const isWhole = isRecord(content.value) && !failed && !isFrame(content.value)
    return { response: isWhole ? content.value : { [key]: content.value } }
  }
  const media = content.type === 'list' ? dataOf(content.items) : []
  return { response: { [key]: resultText(part) }, ...(media.length === 0 ? {} : { parts: media }) }
}

function readMedia(block: unknown): MediaPart | null {
  for (const field of ['inlineData', 'fileData'] as const) {
    const data = objectIn(block, field)
    if (data === null) continue
    const type = mimeTypeOf(data)
    // The data is base64, so it must not be treated as JSON.
    return { type: 'media', mediaType: type === null || type === 'application/json' ? `vendor/${field}` : type, data: block }
  }
  return null
}

function readWhole(response: unknown): ResultContent {
  if (response === undefined || response === null) return { type: 'text', text: '' }
  return isRecord(response) ? readSaid(response) : { type: 'list', items: [vendorPart(response)] }
}

function saying(response: unknown, text: string, { isError, content }: ToolResultPart): RawMessage {
  return sayingText(response, content, text) ?? { [isError === true ? 'error' : 'output']: text }
}

function dataOf(items: readonly (TextPart | MediaPart)[]): readonly unknown[] {
  return items.flatMap((item) => (item.type === 'media' ? [item.data] : []))
}

function mediaIn(answer: RawMessage): readonly unknown[] {
  return Array.isArray(answer['parts']) ? answer['parts'] : []
}
