import { isRecord, type MediaPart, type Part, type TextPart } from '../../message.ts'
import {
  blockPiece,
  hasFailed,
  isReminder,
  plainRole,
  readContent,
  readPlainBlock,
  readPrompt,
  reminderText,
  resultPart,
  someMessage,
  textField,
  writeContent,
} from '../blocks.ts'
import { createCodec } from '../create-codec.ts'
import { type Dialect, findRequest, type RawMessage } from '../dialect.ts'
import { nestedText, readResultContent, rewriteResultContent, saysFailed, writeResultContent } from '../result-content.ts'

export const anthropicDialect: Dialect = {
  name: 'anthropic',
  roles: ['user', 'assistant', 'system'],
  system: {
    field: 'system',
    read: (content, field) =>
      Array.isArray(content) ? blockPiece('system', content.map(readPlain), [field]) : readPrompt(content, field),
  },
  detect: (value) => {
    const system = findRequest(value)?.body?.['system']
    if (typeof system === 'string' || Array.isArray(system)) return true
    return someMessage(value, (_raw, blocks) => blocks.some((block) => marks.has(block['type'])))
  },
  read: (raw) => readContent(raw, plainRole(raw), (block) => readBlock(block, raw)),
  rewriteResult: (block, before, after) => ({
    ...block,
    content: rewriteResultContent(block['content'], before.content, after.content, writeBlock),
  }),
  rewriteCall: (block, { input }) => ({ ...block, input }),
  rewriteReasoning: (block, _before, { text }) => ({ ...block, thinking: text }),
  replace: (value, _before, after) =>
    isRecord(value) && typeof value['type'] === 'string' ? writeBlock(after) : [writeBlock(after)],
  write: (message) => {
    if (isReminder(message)) return [{ role: 'user', content: reminderText(message) }]
    return [{ role: message.role === 'assistant' ? 'assistant' : 'user', content: writeContent(message.parts, writeBlock) }]
  },
  sharing: {
    takesResults: (raw) => raw['role'] === 'user' && Array.isArray(raw['content']) && raw['content'].length > 0,
    takesText: true,
    blocks: (message) => (isReminder(message) ? [{ type: 'text', text: reminderText(message) }] : message.parts.map(writeBlock)),
    around: (content) => ({ role: 'user', content }),
  },
}

const marks = new Set<unknown>(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use'])

/** Anthropic's messages: results are blocks of user messages, the system prompt may be next to the list. */
export const anthropic = createCodec(anthropicDialect)

function readBlock(block: unknown, { role, messageStatus }: RawMessage): Part {
  if (!isRecord(block)) return readPlain(block)
  const { type, thinking, content, is_error } = block
  if (type === 'thinking' && typeof thinking === 'string') return { type: 'reasoning', text: thinking }
  const callId = type === 'tool_use' && role === 'assistant' ? textField(block, 'id') : null
  if (callId !== null) return { type: 'tool-call', callId, tool: textField(block, 'name') ?? '', input: block['input'] }
  if (type !== 'tool_result' || role !== 'user') return readPlain(block)
  const isError = saysFailed(content) ? true : typeof is_error === 'boolean' ? is_error : undefined
  return resultPart(textField(block, 'tool_use_id'), null, readResultContent(content, readResultBlock), isError, {
    messageStatus,
  })
}

function readResultBlock(block: unknown): TextPart | MediaPart {
  const text = isRecord(block) ? nestedText(block) : null
  return text === null ? readPlain(block) : { type: 'text', text }
}

function readPlain(block: unknown): TextPart | MediaPart {
  return readPlainBlock(block, textTypes, ({ type, source }) => {
    if ((type !== 'image' && type !== 'document') || !isRecord(source)) return undefined
    if (typeof source['media_type'] === 'string') return source['media_type']
    return type === 'image' ? 'image/*' : source['type'] === 'url' ? 'application/pdf' : 'vendor/document'
  })
}

const textTypes = new Set<unknown>(['text'])

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
    case 'tool-result': {
      const content = writeResultContent(part.content, writeBlock)
      // An error may contain only text, and an image says more than the flag.
      const isText = part.content.type !== 'list' || part.content.items.every((item) => item.type === 'text')
      return {
        type: 'tool_result',
        tool_use_id: part.callId ?? '',
        content,
        ...(isText && hasFailed(part) ? { is_error: true } : {}),
      }
    }
  }
}
