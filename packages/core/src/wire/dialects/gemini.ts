import {
  callInput,
  isRecord,
  type MediaPart,
  type Message,
  type Part,
  type ProviderOptions,
  type ResultContent,
  type Role,
  resultText,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from '../../message.ts'
import { jsonText } from '../../text/json.ts'
import { isReminder, reminderText, saysError } from '../blocks.ts'
import { createCodec } from '../create-codec.ts'
import { type Dialect, type FindCall, type Origin, type Piece, type RawMessage, textField, timeOf } from '../dialect.ts'
import {
  isFrame,
  readSaid,
  sayingItems,
  sayingText,
  sayingValue,
  saysFailure,
  vendorPart,
  withBlockText,
} from '../result-content.ts'
import {
  geminiLayout,
  geminiRoles,
  heldIn,
  isGemini,
  linkContents,
  mimeTypeOf,
  nameIn,
  objectIn,
  type PartField,
  partFields,
  signatureOf,
} from './gemini-fields.ts'

/** What Gemini's contents have to say for themselves. */
export const geminiDialect: Dialect = {
  name: 'gemini',
  roles: geminiRoles,
  accepts: ({ role }) => role === undefined || (typeof role === 'string' && geminiRoles.includes(role)),
  layout: geminiLayout,
  system: { field: 'systemInstruction', alias: 'system_instruction', read: readSystem },
  detect: isGemini,
  createLinker: linkContents,
  read: readContent,
  rewrite,
  write: (message, findCall) => [writeContent(message, findCall)],
  sharing: {
    takesResults: ({ role, parts }) => role !== 'model' && Array.isArray(parts) && parts.some(isResponse),
    takesText: true,
    blocks: (message, findCall) => writeParts(message, findCall),
    around: (parts) => ({ role: 'user', parts }),
  },
}

/** Gemini's contents, in either spelling: calls and answers are parts, and need no ids. */
export const gemini = createCodec(geminiDialect)

function readContent(raw: RawMessage, link: string | null): readonly Piece[] {
  const blocks: readonly unknown[] = Array.isArray(raw['parts']) ? raw['parts'] : []
  const ids = link === null ? [] : (JSON.parse(link) as readonly (string | null)[])
  const isModel = raw['role'] === 'model'
  const role: Role = isModel ? 'assistant' : 'user'
  const parts = blocks.map((block, index) => readPart(block, isModel, ids[index] ?? null))
  const lastResult = parts.findLastIndex((part) => part.type === 'tool-result')
  if (lastResult < 0) return [pieceOf(parts, 0, parts.length, role, raw)]
  const pieces: Piece[] = []
  for (let start = 0; start < parts.length; ) {
    const isResult = parts[start]?.type === 'tool-result'
    const end = endOf(parts, start, lastResult)
    pieces.push(pieceOf(parts, start, end, isResult ? 'tool' : role, raw))
    start = end
  }
  return pieces
}

/** Where what begins with a part ends: before the next answer. */
function endOf(parts: readonly Part[], start: number, lastResult: number): number {
  const isResult = parts[start]?.type === 'tool-result'
  for (let index = start + 1; index < parts.length; index += 1) {
    const type = parts[index]?.type
    // Clients put a tool's pictures behind its answer; and nothing may come between the answers to one message.
    if (type === 'tool-result' || (isResult && index > lastResult && type !== 'media')) return index
  }
  return parts.length
}

function pieceOf(parts: readonly Part[], start: number, end: number, role: Role, raw: RawMessage): Piece {
  const covered = start === 0 && end === parts.length ? parts : parts.slice(start, end)
  const origins = covered.map((_part, index): Origin => ({ block: start + index, path: ['parts', start + index] }))
  return { role, parts: covered, origins, first: start, last: Math.max(start, end - 1), ...timeOf(raw) }
}

function readSystem(content: unknown, field: string): Piece | null {
  if (!isRecord(content) || !Array.isArray(content['parts'])) return null
  const parts = (content['parts'] as readonly unknown[]).map((block) => readPart(block, false, null))
  const origins = parts.map((_part, block): Origin => ({ block, path: [field, 'parts', block] }))
  return { role: 'system', parts, origins, first: 0, last: Math.max(0, parts.length - 1) }
}

function readPart(block: unknown, isModel: boolean, callId: string | null): Part {
  const held = isRecord(block) ? heldIn(block) : null
  if (!isRecord(block) || held === null) return vendorPart(block)
  const { field, value } = held
  if (field === 'text' && typeof value === 'string')
    return { type: isModel && block['thought'] === true ? 'reasoning' : 'text', text: value, ...signatureOf(block) }
  if (field === 'functionCall' && isRecord(value) && callId !== null) return readCall(block, value, callId)
  if (field === 'functionResponse' && isRecord(value) && !isModel) return readResult(value, callId)
  return readMedia(block) ?? carried(block, field)
}

function readCall(block: RawMessage, call: RawMessage, callId: string): ToolCallPart {
  const tool = textField(call, 'name') ?? ''
  const part: ToolCallPart = { type: 'tool-call', callId, tool, input: call['args'] ?? {}, ...signatureOf(block) }
  if (textField(call, 'id') === null) unnumbered.add(part)
  return part
}

// Marked by identity, since nothing in the part itself may tell: an id of ours must not be written.
const unnumbered = new WeakSet<ToolCallPart>()

function readResult(answer: RawMessage, callId: string | null): ToolResultPart {
  return {
    type: 'tool-result',
    callId,
    tool: textField(answer, 'name'),
    content: readResponse(answer),
    ...(isFailure(answer) ? { isError: true } : {}),
  }
}

function carried(block: RawMessage, field: string): MediaPart {
  return { type: 'media', mediaType: `vendor/${field}`, data: block }
}

function isResponse(block: unknown): boolean {
  return objectIn(block, 'functionResponse') !== null
}

function rewrite(value: unknown, before: Part, after: Part): unknown {
  const block = value as RawMessage
  if (before.type === 'tool-result' && after.type === 'tool-result') {
    const name = nameIn(block, partFields.functionResponse)
    return { ...block, [name]: rewriteResponse(block[name] as RawMessage, before, after) }
  }
  if (before.type === 'tool-call' && after.type === 'tool-call') {
    const name = nameIn(block, partFields.functionCall)
    return { ...block, [name]: { ...(block[name] as RawMessage), args: argumentsOf(after) } }
  }
  if ((before.type === 'text' || before.type === 'reasoning') && after.type === before.type)
    return withBlockText(value, after.text)
  return writePart(after, () => undefined)
}

function writeContent(message: Message, findCall: FindCall): unknown {
  return {
    role: message.role === 'assistant' && message.summary !== true ? 'model' : 'user',
    parts: writeParts(message, findCall),
  }
}

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
      const failed = part.isError === true || saysError(part)
      return { functionResponse: { ...id, name: part.tool ?? call?.tool ?? 'unknown', ...writeResponse(part, failed) } }
    }
  }
}

function argumentsOf(part: ToolCallPart): unknown {
  return callInput(part) ?? { input: part.input ?? null }
}

function signatureBeside({ providerOptions }: { readonly providerOptions?: ProviderOptions }) {
  const signature = providerOptions?.['google']?.['thoughtSignature']
  return typeof signature === 'string' ? { thoughtSignature: signature } : {}
}

/** What a function answered: its one text, the blocks of an MCP tool, or a value; with the media beside it, if there are any. */
function readResponse(answer: RawMessage): ResultContent {
  const said = readWhole(answer['response'])
  const media = mediaIn(answer)
  if (media.length === 0) return said
  const items = said.type === 'list' ? said.items : [textOf(said)]
  return { type: 'list', items: [...items, ...media.map((block) => readMedia(block) ?? vendorPart(block))] }
}

/** Whether a function answered that it failed. */
function isFailure({ response }: RawMessage): boolean {
  return saysFailure(response)
}

/** An answer with another content in it, in the smallest change that says so. */
function rewriteResponse(answer: RawMessage, before: ToolResultPart, after: ToolResultPart): RawMessage {
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
function writeResponse(part: ToolResultPart, failed: boolean): RawMessage {
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
function readMedia(block: unknown): MediaPart | null {
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
