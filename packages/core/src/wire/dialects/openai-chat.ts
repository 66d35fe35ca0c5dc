import {
  inputText,
  isRecord,
  type MediaPart,
  type Message,
  type Part,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from '../../message.ts'
import { jsonText } from '../../text/json.ts'
import { createCodec } from '../create-codec.ts'
import {
  type Dialect,
  dataUrlType,
  type FindCall,
  type Origin,
  type Piece,
  type RawMessage,
  someMessage,
  statusOf,
  textField,
  timeOf,
} from '../dialect.ts'
import { readResultContent, rewriteResultContent, saysFailed, vendorPart, withBlockText } from '../result-content.ts'

/** What OpenAI's chat completions have to say for themselves. */
export const openaiChatDialect: Dialect = {
  name: 'openai-chat',
  roles: ['system', 'developer', 'user', 'assistant', 'tool', 'function'],
  system: null,
  sharing: null,
  detect: (value) =>
    someMessage(value, (raw, blocks) => {
      if (Array.isArray(raw['tool_calls']) || isRecord(raw['function_call']) || typeof raw['tool_call_id'] === 'string')
        return true
      if (raw['role'] === 'developer' || raw['role'] === 'function') return true
      return raw['role'] === 'tool' && !blocks.some((block) => block['type'] === 'tool-result')
    }),
  read: (raw, link) => [raw['role'] === 'tool' || raw['role'] === 'function' ? readResult(raw, link) : readMessage(raw, link)],
  rewrite,
  write,
  createLinker,
}

/** OpenAI's chat completions, with the older `function` messages and the fields `timestamp`, `messageStatus` and `toolResults`. */
export const openaiChat = createCodec(openaiChatDialect)

/**
 * The older form has no ids: a `function` message answers the nearest call of its name that nobody answered yet. Calls get an id
 * of our own, which is never written.
 */
function createLinker(): (raw: RawMessage, index: number) => string | null {
  const open = new Map<string, string[]>()
  return (raw, index) => {
    if (raw['role'] === 'function') return open.get(nameIn(raw))?.pop() ?? null
    const call = raw['function_call']
    if (!isRecord(call)) return null
    const name = nameIn(call)
    const id = `function:${index}`
    const waiting = open.get(name)
    if (waiting === undefined) open.set(name, [id])
    else waiting.push(id)
    return id
  }
}

/** What is no text has no name: an object need not even have one to be called by. */
function nameIn({ name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' ? name : ''
}

function readMessage(raw: RawMessage, link: string | null): Piece {
  const parts: Part[] = []
  const origins: Origin[] = []
  const add = (part: Part, path: Origin['path'], block = parts.length) => {
    parts.push(part)
    origins.push({ block, path })
  }
  const { content } = raw
  if (Array.isArray(content)) content.forEach((block: unknown, index) => add(readBlock(block), ['content', index]))
  else if (typeof content === 'string') add({ type: 'text', text: content }, ['content'])
  else if (content !== undefined && content !== null) add(vendorPart(content), ['content'])
  if (raw['role'] === 'assistant') {
    if (Array.isArray(raw['tool_calls']))
      raw['tool_calls'].forEach((call: unknown, index) => add(readCall(call), ['tool_calls', index]))
    if (isRecord(raw['function_call']) && link !== null) add(readLegacyCall(raw['function_call'], link), ['function_call'])
    const reasoning = textField(raw, 'reasoning_content')
    if (reasoning !== null) {
      // Thought before it was said, but numbered last: the content keeps the numbers of its blocks.
      parts.unshift({ type: 'reasoning', text: reasoning })
      origins.unshift({ block: parts.length - 1, path: ['reasoning_content'] })
    }
  }
  const role = raw['role'] === 'assistant' || raw['role'] === 'user' ? raw['role'] : 'system'
  return { role, parts, origins, first: 0, last: 0, ...timeOf(raw) }
}

function readResult(raw: RawMessage, link: string | null): Piece {
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: raw['role'] === 'function' ? link : callIdOf(raw),
    tool: textField(raw, 'name'),
    content: readResultContent(raw['content'], readBlock),
    ...(saysFailed(raw['content']) ? { isError: true } : {}),
    ...statusOf(raw),
  }
  const parts: Part[] = [result]
  const origins: Origin[] = [{ block: 0, path: [] }]
  if (Array.isArray(raw['toolResults'])) {
    parts.push({ type: 'media', mediaType: 'application/json', data: raw['toolResults'] })
    origins.push({ block: 1, path: ['toolResults'] })
  }
  return { role: 'tool', parts, origins, first: 0, last: 0, ...timeOf(raw) }
}

/** Some logs keep a list of ids; a list of one is as good as an id. */
function callIdOf(raw: RawMessage): string | null {
  const list = raw['tool_call_ids']
  if (Array.isArray(list) && list.length === 1 && typeof list[0] === 'string') return textField(raw, 'tool_call_id') ?? list[0]
  return textField(raw, 'tool_call_id')
}

function readBlock(block: unknown): TextPart | MediaPart {
  if (!isRecord(block)) return vendorPart(block)
  const { type } = block
  if (type === 'text' && typeof block['text'] === 'string') return { type: 'text', text: block['text'] }
  if (type === 'image_url' && isRecord(block['image_url'])) {
    return { type: 'media', mediaType: dataUrlType(block['image_url']['url']) ?? 'image/*', data: block }
  }
  if (type === 'input_audio' && isRecord(block['input_audio']) && typeof block['input_audio']['format'] === 'string') {
    return { type: 'media', mediaType: `audio/${block['input_audio']['format']}`, data: block }
  }
  const fileType = type === 'file' && isRecord(block['file']) ? dataUrlType(block['file']['file_data']) : undefined
  return fileType === undefined ? vendorPart(block) : { type: 'media', mediaType: fileType, data: block }
}

function readCall(call: unknown): ToolCallPart | MediaPart {
  const callId = isRecord(call) ? textField(call, 'id') : null
  if (!isRecord(call) || callId === null) return vendorPart(call)
  const custom = call['custom']
  const named = isRecord(custom) ? custom : isRecord(call['function']) ? call['function'] : {}
  const input = isRecord(custom) ? custom['input'] : named['arguments']
  return { type: 'tool-call', callId, tool: textField(named, 'name') ?? '', input }
}

function readLegacyCall(call: RawMessage, callId: string): ToolCallPart {
  const part: ToolCallPart = { type: 'tool-call', callId, tool: textField(call, 'name') ?? '', input: call['arguments'] }
  legacyCalls.add(part)
  return part
}

// Marked by identity, since nothing in the part itself may tell: whoever answers such a call must answer in the older form.
const legacyCalls = new WeakSet<ToolCallPart>()

function rewrite(value: unknown, before: Part, after: Part): unknown {
  if (before.type === 'tool-result' && after.type === 'tool-result') {
    const raw = value as RawMessage
    return { ...raw, content: rewriteResultContent(raw['content'], before.content, after.content, writeBlock) }
  }
  if (before.type === 'tool-call' && after.type === 'tool-call') return rewriteCall(value as RawMessage, after)
  if (after.type === 'text' && before.type === 'text')
    return typeof value === 'string' ? after.text : withBlockText(value, after.text)
  if (before.type === 'reasoning' && after.type === 'reasoning') return after.text
  if (before.type === 'media' && !isBlock(before)) return after.type === 'text' ? after.text : writeBlock(after)
  return typeof value === 'string' ? [writeBlock(after)] : writeBlock(after)
}

function rewriteCall(call: RawMessage, after: ToolCallPart): unknown {
  if (isRecord(call['custom'])) return { ...call, custom: { ...call['custom'], input: after.input } }
  const written = inputText(after)
  return isRecord(call['function'])
    ? { ...call, function: { ...call['function'], arguments: written } }
    : { ...call, arguments: written }
}

/** Whether a carried value stood in a list of blocks; `toolResults` and odd contents did not. */
function isBlock(part: MediaPart): boolean {
  return isRecord(part.data) && typeof part.data['type'] === 'string'
}

function writeBlock(part: Part): unknown {
  if (part.type === 'media') return part.data
  return { type: 'text', text: part.type === 'text' || part.type === 'reasoning' ? part.text : '' }
}

function write(message: Message, findCall: FindCall): readonly unknown[] {
  const results = message.parts.filter((part) => part.type === 'tool-result')
  if (message.role === 'tool') return results.map((part) => writeResult(part, findCall))
  const role = message.summary === true ? 'system' : message.role
  const blocks = message.parts.filter((part) => part.type === 'text' || part.type === 'media')
  const calls = message.parts.filter((part) => part.type === 'tool-call')
  const [only] = blocks
  const content = blocks.length === 0 ? null : blocks.length === 1 && only?.type === 'text' ? only.text : blocks.map(writeBlock)
  const [call] = calls
  if (call === undefined) return [{ role, content: content ?? '' }]
  if (legacyCalls.has(call)) return [{ role, content, function_call: { name: call.tool, arguments: inputText(call) } }]
  return [{ role, content, tool_calls: calls.map(writeCall) }]
}

function writeResult(part: ToolResultPart, findCall: FindCall): unknown {
  const call = findCall(part.callId)
  const content = rewriteResultContent(undefined, part.content, part.content, writeBlock)
  const text = typeof content === 'string' || Array.isArray(content) ? content : jsonText(content)
  if (call !== undefined && legacyCalls.has(call)) return { role: 'function', name: call.tool, content: text }
  return { role: 'tool', ...(part.callId === null ? {} : { tool_call_id: part.callId }), content: text }
}

function writeCall(part: ToolCallPart): unknown {
  return { id: part.callId, type: 'function', function: { name: part.tool, arguments: inputText(part) } }
}
