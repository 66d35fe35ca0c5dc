import { isRecord, type MediaPart, type Message, type Part, type TextPart, type ToolResultPart } from '../../message.ts'
import { jsonText } from '../../text/json.ts'
import { isReminder, readContent, reminderText, saysError } from '../blocks.ts'
import { createCodec } from '../create-codec.ts'
import {
  type Dialect,
  findRequest,
  type Origin,
  type Piece,
  type RawMessage,
  someMessage,
  statusOf,
  textField,
  timeOf,
} from '../dialect.ts'
import { nestedText, readResultContent, rewriteResultContent, saysFailed, vendorPart, withBlockText } from '../result-content.ts'

/** What Anthropic's messages have to say for themselves. */
export const anthropicDialect: Dialect = {
  name: 'anthropic',
  roles: ['user', 'assistant', 'system'],
  system: { field: 'system', read: readSystem },
  detect: (value) => {
    const system = findRequest(value)?.body?.['system']
    if (typeof system === 'string' || Array.isArray(system)) return true
    return someMessage(value, (_raw, blocks) => blocks.some((block) => marks.has(block['type'])))
  },
  read: readMessage,
  rewrite,
  write: (message) => [writeMessage(message)],
  sharing: {
    takesResults: (raw) => raw['role'] === 'user' && Array.isArray(raw['content']) && raw['content'].length > 0,
    takesText: true,
    blocks: (message) => (isReminder(message) ? [{ type: 'text', text: reminderText(message) }] : message.parts.map(writeBlock)),
    around: (content) => ({ role: 'user', content }),
  },
}

const marks = new Set<unknown>(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use'])

/** Anthropic's messages: results are blocks of user messages, the system prompt may stand beside the list. */
export const anthropic = createCodec(anthropicDialect)

function readMessage(raw: RawMessage): readonly Piece[] {
  const role = raw['role'] === 'assistant' || raw['role'] === 'user' ? raw['role'] : 'system'
  return readContent(raw['content'], role, timeOf(raw), (block) => readBlock(block, raw))
}

function readSystem(content: unknown, field: string): Piece | null {
  if (typeof content === 'string') {
    return {
      role: 'system',
      parts: [{ type: 'text', text: content }],
      origins: [{ block: 0, path: [field] }],
      first: 0,
      last: 0,
    }
  }
  if (!Array.isArray(content)) return null
  const parts = (content as readonly unknown[]).map(readPlainBlock)
  const origins = parts.map((_part, block): Origin => ({ block, path: [field, block] }))
  return { role: 'system', parts, origins, first: 0, last: Math.max(0, parts.length - 1) }
}

function readBlock(block: unknown, raw: RawMessage): Part {
  if (!isRecord(block)) return vendorPart(block)
  if (block['type'] === 'thinking' && typeof block['thinking'] === 'string') return { type: 'reasoning', text: block['thinking'] }
  const callId = block['type'] === 'tool_use' && raw['role'] === 'assistant' ? textField(block, 'id') : null
  if (callId !== null) return { type: 'tool-call', callId, tool: textField(block, 'name') ?? '', input: block['input'] }
  if (block['type'] === 'tool_result' && raw['role'] === 'user') return readResult(block, raw)
  return readPlainBlock(block)
}

function readResult(block: RawMessage, raw: RawMessage): ToolResultPart {
  return {
    type: 'tool-result',
    callId: textField(block, 'tool_use_id'),
    tool: null,
    content: readResultContent(block['content'], readResultBlock),
    ...failureOf(block),
    ...statusOf(raw),
  }
}

function failureOf({ is_error, content }: RawMessage): { readonly isError?: boolean } {
  if (saysFailed(content)) return { isError: true }
  return typeof is_error === 'boolean' ? { isError: is_error } : {}
}

/** In a result, a document that is nothing but text is text. */
function readResultBlock(block: unknown): TextPart | MediaPart {
  const text = isRecord(block) ? nestedText(block) : null
  return text === null ? readPlainBlock(block) : { type: 'text', text }
}

function readPlainBlock(block: unknown): TextPart | MediaPart {
  if (!isRecord(block)) return vendorPart(block)
  const { type, source } = block
  if (type === 'text' && typeof block['text'] === 'string') return { type: 'text', text: block['text'] }
  if ((type === 'image' || type === 'document') && isRecord(source)) {
    const known = source['media_type']
    const fallback = type === 'image' ? 'image/*' : source['type'] === 'url' ? 'application/pdf' : 'vendor/document'
    return { type: 'media', mediaType: typeof known === 'string' ? known : fallback, data: block }
  }
  return vendorPart(block)
}

function rewrite(value: unknown, before: Part, after: Part): unknown {
  const block = value as RawMessage
  if (before.type === 'tool-result' && after.type === 'tool-result') {
    return { ...block, content: rewriteResultContent(block['content'], before.content, after.content, writeBlock) }
  }
  if (before.type === 'tool-call' && after.type === 'tool-call') return { ...block, input: after.input }
  if (before.type === 'text' && after.type === 'text')
    return typeof value === 'string' ? after.text : withBlockText(value, after.text)
  if (before.type === 'reasoning' && after.type === 'reasoning') return { ...block, thinking: after.text }
  // Content that was no list of blocks has to become one.
  return isRecord(value) && typeof value['type'] === 'string' ? writeBlock(after) : [writeBlock(after)]
}

function writeMessage(message: Message): unknown {
  if (isReminder(message)) return { role: 'user', content: reminderText(message) }
  const [only] = message.parts
  const content = message.parts.length === 1 && only?.type === 'text' ? only.text : message.parts.map(writeBlock)
  return { role: message.role === 'assistant' ? 'assistant' : 'user', content }
}

function writeBlock(part: Part): unknown {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text }
    case 'media':
      return part.data
    case 'tool-call':
      return { type: 'tool_use', id: part.callId, name: part.tool, input: part.input }
    case 'tool-result':
      return writeResult(part)
  }
}

function writeResult(part: ToolResultPart): unknown {
  const content = rewriteResultContent(undefined, part.content, part.content, writeBlock)
  // An error may hold nothing but text, and a picture says more than the mark.
  const isText = part.content.type !== 'list' || part.content.items.every((item) => item.type === 'text')
  return {
    type: 'tool_result',
    tool_use_id: part.callId ?? '',
    content: typeof content === 'string' || Array.isArray(content) ? content : jsonText(content),
    ...(isText && (part.isError === true || saysError(part)) ? { is_error: true } : {}),
  }
}
