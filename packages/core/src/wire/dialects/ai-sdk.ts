import type { MediaPart, Part, ResultContent, Role, TextPart, ToolResultPart } from '../../message.ts'
import { isRecord } from '../../message.ts'
import {
  hasFailed,
  isReminder,
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
import type { Dialect, FindCall, RawMessage } from '../dialect.ts'
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

export const aiSdkDialect: Dialect = {
  name: 'ai-sdk',
  roles: ['system', 'user', 'assistant', 'tool'],
  system: { field: 'instructions', read: readPrompt },
  detect: (value) =>
    someMessage(value, (_raw, blocks) =>
      blocks.some((block) => marks.has(block['type']) && typeof block['toolCallId'] === 'string'),
    ),
  read(raw) {
    const waiting = waitingCalls(raw['content'])
    return readContent(raw, raw['role'] as Role, (block) => readBlock(block, raw, waiting))
  },
  rewriteResult(block, before, after) {
    const output = rewriteOutput(outputOf(block), before, after.content)
    return isRecord(block['output']) || block['result'] === undefined
      ? { ...block, output }
      : { ...block, result: output['value'] }
  },
  rewriteCall: (block, { input }) => ({ ...block, input }),
  replace(value, _before, after) {
    const written = writeBlock(after, () => undefined)
    return isRecord(value) && typeof value['type'] === 'string' ? written : [written]
  },
  write(message, findCall) {
    if (isReminder(message)) return [{ role: 'user', content: reminderText(message) }]
    const { role, parts } = message
    const isPlain = role !== 'tool' && parts.every((part) => part.type === 'text' && part.providerOptions === undefined)
    const write = (part: Part) => writeBlock(part, findCall)
    return [{ role, content: isPlain ? writeContent(parts, write) : parts.map(write) }]
  },
  sharing: {
    takesResults: (raw) => raw['role'] === 'tool' && Array.isArray(raw['content']) && raw['content'].length > 0,
    takesText: false,
    blocks: (message, findCall) => message.parts.map((part) => writeBlock(part, findCall)),
    around: (content) => ({ role: 'tool', content }),
  },
}

const marks = new Set<unknown>(['tool-call', 'tool-result', 'tool-approval-request'])

/** The AI SDK's `ModelMessage[]`, or a request with text `instructions`. */
export const aiSdk = createCodec(aiSdkDialect)

function waitingCalls(content: unknown): ReadonlySet<unknown> {
  const blocks = Array.isArray(content) ? content.filter(isRecord) : []
  return new Set(blocks.filter(({ type }) => type === 'tool-approval-request').map(({ toolCallId }) => toolCallId))
}

function readBlock(block: unknown, raw: RawMessage, waiting: ReadonlySet<unknown>): Part {
  if (!isRecord(block)) return vendorPart(block)
  const { type, text, input, providerExecuted } = block
  if (type === 'reasoning' && typeof text === 'string') return { type, text, ...optionsOf(block) }
  const callId = textField(block, 'toolCallId')
  // Calls the provider ran itself need no result from us.
  if (type === 'tool-call' && raw['role'] === 'assistant' && callId !== null && providerExecuted !== true) {
    const pending = waiting.has(callId) ? { pending: true as const } : {}
    return { type, callId, tool: textField(block, 'toolName') ?? '', input, ...pending, ...optionsOf(block) }
  }
  if (type !== 'tool-result' || raw['role'] !== 'tool' || providerExecuted === true) return readPlain(block)
  const output = outputOf(block)
  const { type: kind, value } = output
  const isError =
    kind === 'error-text' ||
    kind === 'error-json' ||
    kind === 'execution-denied' ||
    (kind === 'json' && saysFailure(value) && isFrame(value))
  const content = readOutput(output, block['output'])
  return resultPart(callId, textField(block, 'toolName'), content, isError ? true : undefined, raw)
}

/** Older versions have a plain value `result` instead of `output`. */
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
  // A string value stays JSON, so that it is written back as JSON.
  if (type === 'json' || type === 'error-json') return typeof value === 'string' ? { type: 'json', value } : readSaid(value)
  if (type === 'content' && Array.isArray(value)) return { type: 'list', items: (value as readonly unknown[]).map(readPlain) }
  if (type === 'execution-denied') return { type: 'text', text: textField(output, 'reason') ?? '' }
  return original === undefined ? { type: 'text', text: '' } : { type: 'list', items: [vendorPart(original)] }
}

function readPlain(block: unknown): TextPart | MediaPart {
  const part = readPlainBlock(block, textTypes, ({ type, mediaType }) => {
    if (typeof mediaType === 'string') return mediaType
    return type === 'image' || type === 'image-data' || type === 'image-url' ? 'image/*' : undefined
  })
  return part.type === 'text' ? { ...part, ...optionsOf(block as RawMessage) } : part
}

const textTypes = new Set<unknown>(['text'])

function optionsOf({ providerOptions }: RawMessage): Pick<TextPart, 'providerOptions'> {
  if (!isRecord(providerOptions) || !Object.values(providerOptions).every(isRecord)) return {}
  return { providerOptions: providerOptions as NonNullable<TextPart['providerOptions']> }
}

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
      const items =
        type === 'content' && Array.isArray(value) && before.content.type === 'list'
          ? rewriteItems(value, before.content.items, after.items, writePlain)
          : after.items.map(writePlain)
      return { ...kept, type: 'content', value: items }
    }
  }
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

function optionsBeside({ providerOptions }: Pick<TextPart, 'providerOptions'>) {
  return providerOptions === undefined ? {} : { providerOptions }
}

function writeOutput(part: ToolResultPart): unknown {
  const prefix = hasFailed(part) ? 'error-' : ''
  const { content } = part
  if (content.type === 'list') return { type: 'content', value: content.items.map(writePlain) }
  if (content.type === 'text') return { type: `${prefix}text`, value: content.text }
  return { type: `${prefix}json`, value: content.value }
}
