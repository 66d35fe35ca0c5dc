import {
  isRecord,
  type MediaPart,
  type Message,
  type Part,
  type ProviderOptions,
  type ResultContent,
  type TextPart,
  type ToolResultPart,
} from '../../message.ts'
import { isReminder, readContent, reminderText, saysError } from '../blocks.ts'
import { createCodec } from '../create-codec.ts'
import { type Dialect, type FindCall, type Piece, type RawMessage, someMessage, statusOf, textField, timeOf } from '../dialect.ts'
import {
  isFrame,
  isOneText,
  readSaid,
  rewriteItems,
  sayingItems,
  sayingText,
  sayingValue,
  saysFailure,
  vendorPart,
  withBlockText,
} from '../result-content.ts'

/** What the AI SDK's messages have to say for themselves. */
export const aiSdkDialect: Dialect = {
  name: 'ai-sdk',
  roles: ['system', 'user', 'assistant', 'tool'],
  system: { field: 'instructions', read: readInstructions },
  detect: (value) =>
    someMessage(value, (_raw, blocks) =>
      blocks.some((block) => marks.has(block['type']) && typeof block['toolCallId'] === 'string'),
    ),
  read: readMessage,
  rewrite,
  write: (message, findCall) => [writeMessage(message, findCall)],
  sharing: {
    takesResults: (raw) => raw['role'] === 'tool' && Array.isArray(raw['content']) && raw['content'].length > 0,
    takesText: false,
    blocks: (message, findCall) => message.parts.map((part) => writeBlock(part, findCall)),
    around: (content) => ({ role: 'tool', content }),
  },
}

const marks = new Set<unknown>(['tool-call', 'tool-result', 'tool-approval-request'])

/** The AI SDK's `ModelMessage[]`, in a request with `instructions` beside it where they are a text. */
export const aiSdk = createCodec(aiSdkDialect)

function readMessage(raw: RawMessage): readonly Piece[] {
  const waiting = waitingCalls(raw['content'])
  return readContent(raw['content'], raw['role'] as Message['role'], timeOf(raw), (block) => readBlock(block, raw, waiting))
}

function readInstructions(content: unknown, field: string): Piece | null {
  if (typeof content !== 'string') return null
  const parts: readonly Part[] = [{ type: 'text', text: content }]
  return { role: 'system', parts, origins: [{ block: 0, path: [field] }], first: 0, last: 0 }
}

/** The ids of the calls that somebody has yet to approve. */
function waitingCalls(content: unknown): ReadonlySet<unknown> {
  if (!Array.isArray(content)) return new Set()
  return new Set(
    content.map((block: unknown) => (isRecord(block) && block['type'] === 'tool-approval-request' ? block['toolCallId'] : null)),
  )
}

function readBlock(block: unknown, raw: RawMessage, waiting: ReadonlySet<unknown>): Part {
  if (!isRecord(block)) return vendorPart(block)
  const { type } = block
  if (type === 'reasoning' && typeof block['text'] === 'string')
    return { type: 'reasoning', text: block['text'], ...optionsOf(block) }
  const callId = textField(block, 'toolCallId')
  // What the provider ran itself is its own affair: it has no result of ours and needs none.
  if (type === 'tool-call' && raw['role'] === 'assistant' && callId !== null && block['providerExecuted'] !== true) {
    const pending = waiting.has(callId) ? { pending: true as const } : {}
    const tool = textField(block, 'toolName') ?? ''
    return { type: 'tool-call', callId, tool, input: block['input'], ...pending, ...optionsOf(block) }
  }
  if (type === 'tool-result' && raw['role'] === 'tool' && block['providerExecuted'] !== true)
    return readResult(block, callId, raw)
  return readPlainBlock(block)
}

function readResult(block: RawMessage, callId: string | null, raw: RawMessage): ToolResultPart {
  const output = outputOf(block)
  const { type } = output
  const isError =
    type === 'error-text' ||
    type === 'error-json' ||
    type === 'execution-denied' ||
    (type === 'json' && saysFailure(output['value']) && isFrame(output['value']))
  return {
    type: 'tool-result',
    callId,
    tool: textField(block, 'toolName'),
    content: readOutput(output, block['output']),
    ...(isError ? { isError } : {}),
    ...statusOf(raw),
  }
}

/** The output of a result. Before there was such a field, a result was a value of any kind. */
function outputOf(block: RawMessage): RawMessage {
  const { output, result } = block
  if (isRecord(output)) return output
  if (output !== undefined || result === undefined) return {}
  const prefix = block['isError'] === true ? 'error-' : ''
  return { type: `${prefix}${typeof result === 'string' ? 'text' : 'json'}`, value: result }
}

function readOutput(output: RawMessage, original: unknown): ResultContent {
  const { type, value } = output
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') return { type: 'text', text: value }
  // A value that is a string stays a value, so that it is written back as one.
  if (type === 'json' || type === 'error-json') return typeof value === 'string' ? { type: 'json', value } : readSaid(value)
  if (type === 'content' && Array.isArray(value))
    return { type: 'list', items: (value as readonly unknown[]).map(readPlainBlock) }
  if (type === 'execution-denied') return { type: 'text', text: textField(output, 'reason') ?? '' }
  return original === undefined ? { type: 'text', text: '' } : { type: 'list', items: [vendorPart(original)] }
}

function readPlainBlock(block: unknown): TextPart | MediaPart {
  if (!isRecord(block)) return vendorPart(block)
  const { type, mediaType } = block
  if (type === 'text' && typeof block['text'] === 'string') return { type: 'text', text: block['text'], ...optionsOf(block) }
  if (typeof mediaType === 'string') return { type: 'media', mediaType, data: block }
  return type === 'image' || type === 'image-data' || type === 'image-url'
    ? { type: 'media', mediaType: 'image/*', data: block }
    : vendorPart(block)
}

/** What a provider wants back with a block; anything that no provider can have written is left where it is. */
function optionsOf({ providerOptions }: RawMessage): { readonly providerOptions?: ProviderOptions } {
  if (!isRecord(providerOptions) || !Object.values(providerOptions).every(isRecord)) return {}
  return { providerOptions: providerOptions as ProviderOptions }
}

function rewrite(value: unknown, before: Part, after: Part): unknown {
  const block = value as RawMessage
  if (before.type === 'tool-result' && after.type === 'tool-result') return rewriteResult(block, before, after)
  if (before.type === 'tool-call' && after.type === 'tool-call') return { ...block, input: after.input }
  if (before.type === 'text' && after.type === 'text')
    return typeof value === 'string' ? after.text : withBlockText(value, after.text)
  if (before.type === 'reasoning' && after.type === 'reasoning') return withBlockText(value, after.text)
  const written = writeBlock(after, () => undefined)
  // Content that was no list of blocks has to become one.
  return isRecord(value) && typeof value['type'] === 'string' ? written : [written]
}

function rewriteResult(block: RawMessage, before: ToolResultPart, after: ToolResultPart): unknown {
  const output = rewriteOutput(outputOf(block), before, after.content)
  return isRecord(block['output']) || block['result'] === undefined ? { ...block, output } : { ...block, result: output['value'] }
}

/** Only type and value change, so that the provider's options beside them stay. */
function rewriteOutput(kept: RawMessage, before: ToolResultPart, after: ResultContent): RawMessage {
  const { type, value } = kept
  const prefix = before.isError === true ? 'error-' : ''
  const isValue = type === 'json' || type === 'error-json'
  switch (after.type) {
    case 'text': {
      if (type === 'content' && Array.isArray(value) && isOneText(before.content))
        return { ...kept, value: [withBlockText(value[0], after.text)] }
      const said = isValue ? sayingText(value, before.content, after.text) : null
      if (said !== null) return { ...kept, value: said }
      const { reason: _reason, ...rest } = kept
      return { ...rest, type: `${prefix}text`, value: after.text }
    }
    case 'json':
      if (isValue) return { ...kept, value: sayingValue(value, after.value) }
      return { ...kept, type: `${prefix}json`, value: after.value }
    case 'list': {
      const said = isValue && before.content.type === 'list' ? sayingItems(value, before.content.items, after.items) : null
      if (said !== null) return { ...kept, value: said }
      const blocks =
        type === 'content' && Array.isArray(value) && before.content.type === 'list'
          ? { value, items: before.content.items }
          : null
      const items =
        blocks === null ? after.items.map(writePlain) : rewriteItems(blocks.value, blocks.items, after.items, writePlain)
      return { ...kept, type: 'content', value: items }
    }
  }
}

function writeMessage(message: Message, findCall: FindCall): unknown {
  if (isReminder(message)) return { role: 'user', content: reminderText(message) }
  const [only] = message.parts
  const content =
    message.role !== 'tool' && message.parts.length === 1 && only?.type === 'text' && only.providerOptions === undefined
      ? only.text
      : message.parts.map((part) => writeBlock(part, findCall))
  return { role: message.role, content }
}

function writeBlock(part: Part, findCall: FindCall): unknown {
  switch (part.type) {
    case 'text':
    case 'media':
      return writePlain(part)
    case 'reasoning':
      return { type: 'reasoning', text: part.text, ...optionsBeside(part) }
    case 'tool-call':
      return { type: 'tool-call', toolCallId: part.callId, toolName: part.tool, input: part.input, ...optionsBeside(part) }
    case 'tool-result': {
      const toolName = part.tool ?? findCall(part.callId)?.tool ?? ''
      return { type: 'tool-result', toolCallId: part.callId ?? '', toolName, output: writeOutput(part) }
    }
  }
}

function writePlain(part: TextPart | MediaPart): unknown {
  return part.type === 'text' ? { type: 'text', text: part.text, ...optionsBeside(part) } : part.data
}

function optionsBeside({ providerOptions }: { readonly providerOptions?: ProviderOptions }) {
  return providerOptions === undefined ? {} : { providerOptions }
}

function writeOutput(part: ToolResultPart): unknown {
  const prefix = part.isError === true || saysError(part) ? 'error-' : ''
  const { content } = part
  if (content.type === 'list') return { type: 'content', value: content.items.map(writePlain) }
  if (content.type === 'text') return { type: `${prefix}text`, value: content.text }
  return { type: `${prefix}json`, value: content.value }
}
