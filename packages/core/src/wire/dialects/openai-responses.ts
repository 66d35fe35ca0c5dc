import { perPair } from '../../derive.ts'
import type { MediaPart, Message, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../message.ts'
import { inputText, isRecord } from '../../message.ts'
import {
  hasFailed,
  onlyPiece,
  plainRole,
  readContent,
  readPrompt,
  resultPart,
  textField,
  timeOf,
  writeContent,
} from '../blocks.ts'
import { createCodec } from '../create-codec.ts'
import { type Dialect, type FindCall, findList, type Layout, type Piece, type RawMessage, type Request } from '../dialect.ts'
import { historyElsewhere } from '../history-elsewhere.ts'
import {
  callItems,
  isFailed,
  isModelItem,
  itemType,
  outputItems,
  readBlock,
  readOutput,
  readStreams,
  rewriteOutput,
  settingItems,
  writeInput,
  writeOutput,
} from './openai-responses-items.ts'

const responsesLayout: Layout = {
  list: 'input',
  blocks: 'content',
  many: 'items',
  one: 'an item object',
  find: (value) => findList(value, 'input') ?? findText(value),
}

function isResponses(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isRecord(item) && !('role' in item) && isCallOrOutput(item))
  if (!isRecord(value) || Array.isArray(value['messages'])) return false
  const { input } = value
  if (typeof input === 'string') return typeof value['model'] === 'string'
  return Array.isArray(input) && input.some((item) => isRecord(item) && itemType(item) !== null)
}

/** Links a result to its call, or marks a call as `pending`: its result may be elsewhere, or come later. */
function linkItems({ list, body }: Request): (raw: RawMessage) => string | null {
  const isElsewhere = historyElsewhere(body ?? list)
  const asked = new Map<string, string>()
  const items = list.filter(isRecord)
  for (const raw of items) {
    const callId = callItems.has(raw['type']) ? textField(raw, 'call_id') : null
    if (callId === null) continue
    asked.set(callId, callId)
    // Results of the local shell name the item.
    const id = raw['type'] === 'local_shell_call' ? textField(raw, 'id') : null
    if (id !== null && !asked.has(id)) asked.set(id, callId)
  }
  const answeredBy = (raw: RawMessage): string | null => {
    const named = textField(raw, 'call_id') ?? (raw['type'] === 'local_shell_call_output' ? textField(raw, 'id') : null)
    return named === null ? null : (asked.get(named) ?? (isElsewhere ? null : named))
  }
  const answered = new Set(items.filter((raw) => outputItems.has(raw['type'])).map(answeredBy))
  return (raw) => {
    if (outputItems.has(raw['type'])) return answeredBy(raw)
    if (!callItems.has(raw['type']) || answered.has(textField(raw, 'call_id') ?? '')) return null
    return isElsewhere || raw['async'] === true ? pending : null
  }
}

const pending = 'pending'

function isCallOrOutput(item: RawMessage): boolean {
  return (callItems.has(item['type']) || outputItems.has(item['type'])) && typeof item['call_id'] === 'string'
}

function findText(value: unknown): Request | null {
  if (!isRecord(value) || typeof value['input'] !== 'string') return null
  return { list: [textItem(value, value['input'])], path: ['input'], body: value, isText: true }
}

// The same item for the same request, so that it is read once.
const textItem = perPair((_request: object, content: string) => ({ role: 'user', content }))
const roles: readonly string[] = ['user', 'assistant', 'system', 'developer']

export const openaiResponsesDialect: Dialect = {
  name: 'openai-responses',
  roles,
  accepts: (raw) => {
    const type = itemType(raw)
    return type !== null && (type !== 'message' || (typeof raw['role'] === 'string' && roles.includes(raw['role'])))
  },
  layout: responsesLayout,
  system: { field: 'instructions', read: readPrompt },
  sharing: null,
  detect: isResponses,
  joins: isModelItem,
  createLinker: linkItems,
  read: (raw, link) => [readItem(raw, link)],
  rewriteResult: (item, before, after) => ({ ...item, output: rewriteOutput(item, before, after) }),
  rewriteCall(item, after) {
    const field = callItems.get(item['type'])?.input ?? 'arguments'
    return { ...item, [field]: typeof item[field] === 'string' ? inputText(after) : after.input }
  },
  rewriteReasoning: (item, before, { text }) =>
    before.text === '' ? item : { ...item, content: [{ type: 'reasoning_text', text }] },
  replace(value, _before, after) {
    // The provider's own items cannot be replaced.
    if (isRecord(value) && !isBlock(value)) return value
    const isSaid = isRecord(value) && (value['type'] === 'output_text' || value['type'] === 'refusal')
    const written = isSaid && after.type === 'text' ? { type: 'output_text', text: after.text } : writeInput(after)
    return isRecord(value) ? written : [written]
  },
  write,
}

/** OpenAI's Responses API. Consecutive model items are one message; provider items and encrypted reasoning stay unchanged. */
export const openaiResponses = createCodec(openaiResponsesDialect)

function readItem(raw: RawMessage, link: string | null): Piece {
  const type = itemType(raw) as string
  if (type === 'message') {
    const [piece] = readContent(raw, plainRole(raw), readBlock) as readonly [Piece]
    const [only] = piece.parts
    if (piece.role === 'assistant' && piece.parts.length === 1 && only?.type === 'text') sources.set(only, raw)
    return piece
  }
  const whole = (role: Message['role'], part: Part) => onlyPiece(role, part, [], timeOf(raw))
  if (outputItems.has(type)) {
    const result = resultPart(link, textField(raw, 'name'), readOutput(raw), isFailed(raw) ? true : undefined)
    return whole('tool', { ...result, ...readStreams(raw) })
  }
  if (isModelItem(raw)) return whole('assistant', readCall(raw, link) ?? readReasoning(raw) ?? carried(raw, type))
  return whole(settingItems.has(type) ? 'system' : 'tool', carried(raw, type))
}

function readCall(raw: RawMessage, link: string | null): ToolCallPart | null {
  const item = callItems.get(raw['type'])
  const callId = textField(raw, 'call_id')
  if (item === undefined || callId === null) return null
  const tool = item.tool ?? textField(raw, 'name') ?? ''
  const part: ToolCallPart = {
    type: 'tool-call',
    callId,
    tool,
    input: raw[item.input],
    ...(link === pending ? { pending: true } : {}),
  }
  sources.set(part, raw)
  return part
}

// By identity, since the part itself cannot show it: a rewritten item keeps its form, and a result matches its call.
const sources = new WeakMap<Part, RawMessage>()

/** Encrypted or stored reasoning has no text and must be returned unchanged. */
function readReasoning(raw: RawMessage): ReasoningPart | null {
  if (raw['type'] !== 'reasoning') return null
  const sealed = textField(raw, 'encrypted_content')
  const wordsOf = (block: unknown) => (isRecord(block) && typeof block['text'] === 'string' ? block['text'] : '')
  const text = sealed === null && Array.isArray(raw['content']) ? raw['content'].map(wordsOf).join('\n\n') : ''
  const itemId = textField(raw, 'id')
  const openai = { ...(itemId === null ? {} : { itemId }), ...(sealed === null ? {} : { reasoningEncryptedContent: sealed }) }
  const part: ReasoningPart = { type: 'reasoning', text, ...(text === '' ? { providerOptions: { openai } } : {}) }
  sources.set(part, raw)
  return part
}

function carried(raw: RawMessage, type: string): MediaPart {
  const isImage = type === 'computer_call_output' || (type === 'image_generation_call' && typeof raw['result'] === 'string')
  return { type: 'media', mediaType: isImage ? 'image/*' : `vendor/${type}`, data: raw }
}

function isBlock({ type }: RawMessage): boolean {
  return typeof type === 'string' && (/^(?:input|output)_\w{1,40}$/.test(type) || type === 'refusal' || type === 'text')
}

function write(message: Message, findCall: FindCall): readonly unknown[] {
  const { role, parts, summary } = message
  if (role === 'tool') {
    return parts.flatMap((part) => {
      if (part.type === 'tool-result') return [writeResult(part, findCall)]
      return part.type === 'media' ? [part.data] : []
    })
  }
  if (role === 'assistant' && summary !== true) {
    const items = parts.flatMap(writeModelItem)
    return items.length === 0 ? [{ role, content: '' }] : items
  }
  const blocks = parts.filter((part) => part.type === 'text' || part.type === 'media')
  return [{ role: summary === true ? 'system' : role, content: blocks.length === 0 ? '' : writeContent(blocks, writeInput) }]
}

/** Reasoning cannot be written: the provider accepts only its own. */
function writeModelItem(part: Part): readonly unknown[] {
  const source = sources.get(part)
  if (source !== undefined) return [source]
  switch (part.type) {
    case 'text':
      return [{ role: 'assistant', content: part.text }]
    case 'tool-call':
      return [{ type: 'function_call', call_id: part.callId, name: part.tool, arguments: inputText(part) }]
    case 'media':
      return [isRecord(part.data) && isBlock(part.data) ? { role: 'assistant', content: [part.data] } : part.data]
    case 'reasoning':
    case 'tool-result':
      return []
  }
}

function writeResult(part: ToolResultPart, findCall: FindCall): unknown {
  const call = findCall(part.callId)
  const type = callItems.get(call && sources.get(call)?.['type'])?.output ?? 'function_call_output'
  return {
    type,
    [type === 'local_shell_call_output' ? 'id' : 'call_id']: part.callId ?? '',
    ...(type === 'apply_patch_call_output' ? { status: hasFailed(part) ? 'failed' : 'completed' } : {}),
    output: writeOutput(type, part),
  }
}
