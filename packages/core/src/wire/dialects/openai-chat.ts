import type { MediaPart, Message, Part, TextPart, ToolCallPart, ToolResultPart } from '../../message.ts'
import { inputText, isRecord } from '../../message.ts'
import type { Path } from '../../text/patch.ts'
import {
  dataUrlType,
  onlyPiece,
  plainRole,
  readContent,
  readPlainBlock,
  resultPart,
  someMessage,
  textField,
  timeOf,
  writeContent,
} from '../blocks.ts'
import { createCodec } from '../create-codec.ts'
import type { Dialect, FindCall, Piece, RawMessage } from '../dialect.ts'
import { readResultContent, rewriteResultContent, saysFailed, vendorPart, writeResultContent } from '../result-content.ts'

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
  rewriteResult: (raw, before, after) => ({
    ...raw,
    content: rewriteResultContent(raw['content'], before.content, after.content, writeBlock),
  }),
  rewriteCall(call, after) {
    if (isRecord(call['custom'])) return { ...call, custom: { ...call['custom'], input: after.input } }
    const written = { arguments: inputText(after) }
    return isRecord(call['function']) ? { ...call, function: { ...call['function'], ...written } } : { ...call, ...written }
  },
  replace(value, before, after) {
    // `toolResults` and odd contents are not lists of blocks.
    const isBlock = before.type !== 'media' || (isRecord(before.data) && typeof before.data['type'] === 'string')
    if (!isBlock && after.type === 'text') return after.text
    return isBlock && typeof value === 'string' ? [writeBlock(after)] : writeBlock(after)
  },
  write,
  createLinker,
  linksBack: true,
}

/** OpenAI's chat completions, older `function` messages and the fields `timestamp`, `messageStatus` and `toolResults`. */
export const openaiChat = createCodec(openaiChatDialect)

/** The older form has no ids: a result is for the nearest open call of its name. Ids of ours are never written. */
function createLinker(): (raw: RawMessage, index: number) => string | null {
  const open = new Map<string, string[]>()
  return (raw, index) => {
    if (raw['role'] === 'function') return open.get(textField(raw, 'name') ?? '')?.pop() ?? null
    const call = raw['function_call']
    if (!isRecord(call)) return null
    const name = textField(call, 'name') ?? ''
    const id = `function:${index}`
    const waiting = open.get(name)
    if (waiting === undefined) open.set(name, [id])
    else waiting.push(id)
    return id
  }
}

function readMessage(raw: RawMessage, link: string | null): Piece {
  const [said] = readContent(raw, plainRole(raw), readBlock) as readonly [Piece]
  if (said.role !== 'assistant') return said
  const parts = [...said.parts]
  const origins = [...said.origins]
  const add = (part: Part, path: Path) => {
    origins.push({ block: parts.length, path })
    parts.push(part)
  }
  const { tool_calls: calls, function_call: call } = raw
  if (Array.isArray(calls)) calls.forEach((each: unknown, index) => add(readCall(each), ['tool_calls', index]))
  if (isRecord(call) && link !== null) add(readLegacyCall(call, link), ['function_call'])
  const reasoning = textField(raw, 'reasoning_content')
  if (reasoning !== null) {
    // Reasoning comes first but is numbered last, so that content blocks keep their numbers.
    origins.unshift({ block: parts.length, path: ['reasoning_content'] })
    parts.unshift({ type: 'reasoning', text: reasoning })
  }
  return { ...said, parts, origins }
}

function readResult(raw: RawMessage, link: string | null): Piece {
  const { content, toolResults, tool_call_ids: list } = raw
  // Some logs have a list of ids; a list of one is as good as an id.
  const listed = Array.isArray(list) && list.length === 1 && typeof list[0] === 'string' ? list[0] : null
  const callId = raw['role'] === 'function' ? link : (textField(raw, 'tool_call_id') ?? listed)
  const isError = saysFailed(content) ? true : undefined
  const result = resultPart(callId, textField(raw, 'name'), readResultContent(content, readBlock), isError, raw)
  const piece = onlyPiece('tool', result, [], timeOf(raw))
  if (!Array.isArray(toolResults)) return piece
  const copy: MediaPart = { type: 'media', mediaType: 'application/json', data: toolResults }
  return { ...piece, parts: [result, copy], origins: [...piece.origins, { block: 1, path: ['toolResults'] }] }
}

function readBlock(block: unknown): TextPart | MediaPart {
  return readPlainBlock(block, textTypes, ({ type, image_url, input_audio, file }) => {
    if (type === 'image_url' && isRecord(image_url)) return dataUrlType(image_url['url']) ?? 'image/*'
    if (type === 'input_audio' && isRecord(input_audio) && typeof input_audio['format'] === 'string')
      return `audio/${input_audio['format']}`
    return type === 'file' && isRecord(file) ? dataUrlType(file['file_data']) : undefined
  })
}

const textTypes = new Set<unknown>(['text'])

function readCall(call: unknown): ToolCallPart | MediaPart {
  const callId = isRecord(call) ? textField(call, 'id') : null
  if (!isRecord(call) || callId === null) return vendorPart(call)
  const { custom, function: asked } = call
  if (isRecord(custom)) return { type: 'tool-call', callId, tool: textField(custom, 'name') ?? '', input: custom['input'] }
  const named = isRecord(asked) ? asked : {}
  return { type: 'tool-call', callId, tool: textField(named, 'name') ?? '', input: named['arguments'] }
}

function readLegacyCall(call: RawMessage, callId: string): ToolCallPart {
  const part: ToolCallPart = { type: 'tool-call', callId, tool: textField(call, 'name') ?? '', input: call['arguments'] }
  legacyCalls.add(part)
  return part
}

// Marked by identity, since the part itself cannot show it: a result of such a call must be in the older form.
const legacyCalls = new WeakSet<ToolCallPart>()

function writeBlock(part: Part): unknown {
  if (part.type === 'media') return part.data
  return { type: 'text', text: part.type === 'text' || part.type === 'reasoning' ? part.text : '' }
}

function write({ role, parts, summary }: Message, findCall: FindCall): readonly unknown[] {
  if (role === 'tool') return parts.flatMap((part) => (part.type === 'tool-result' ? [writeResult(part, findCall)] : []))
  const blocks = parts.filter((part) => part.type === 'text' || part.type === 'media')
  const calls = parts.filter((part) => part.type === 'tool-call')
  const head = {
    role: summary === true ? 'system' : role,
    content: blocks.length === 0 ? null : writeContent(blocks, writeBlock),
  }
  const [call] = calls
  if (call === undefined) return [{ ...head, content: head.content ?? '' }]
  if (legacyCalls.has(call)) return [{ ...head, function_call: { name: call.tool, arguments: inputText(call) } }]
  const written = calls.map((part) => ({
    id: part.callId,
    type: 'function',
    function: { name: part.tool, arguments: inputText(part) },
  }))
  return [{ ...head, tool_calls: written }]
}

function writeResult({ callId, content: answer }: ToolResultPart, findCall: FindCall): unknown {
  const call = findCall(callId)
  const content = writeResultContent(answer, writeBlock)
  if (call !== undefined && legacyCalls.has(call)) return { role: 'function', name: call.tool, content }
  return { role: 'tool', ...(callId === null ? {} : { tool_call_id: callId }), content }
}
