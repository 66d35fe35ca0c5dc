import { isRecord } from '../message.ts'
import { codecs } from './codecs.ts'
import type { Dialect, RawMessage } from './dialect.ts'
import { aiSdkDialect } from './dialects/ai-sdk.ts'
import { anthropicDialect } from './dialects/anthropic.ts'
import { geminiDialect } from './dialects/gemini.ts'
import { heldIn, type PartField } from './dialects/gemini-fields.ts'
import { openaiChatDialect } from './dialects/openai-chat.ts'
import { openaiResponsesDialect } from './dialects/openai-responses.ts'

/** The name of a request format. */
export type DialectName = keyof typeof codecs

/** What a request that is written from messages alone has to heed in one dialect. */
export interface RequestRules {
  readonly dialect: Dialect
  /** Whether a vendor's block is one of this dialect's own, and may stand where it does. */
  readonly carries: (block: RawMessage, place: BlockPlace) => boolean
  /** Whether the model's thoughts can be given back: some vendors want their signature on them, others have no field. */
  readonly takesReasoning: boolean
  /** Whether a text may be empty. */
  readonly takesBlankText: boolean
  /** Whether the arguments of a call are an object; else they are written as text. */
  readonly wantsObjects: boolean
  /** What the id of a call may look like. */
  readonly callId: RegExp
  /** How long the name of a tool may be, made of letters, digits, `_` and `-`; null where any name will do. */
  readonly longestName: number | null
  /** Whether something can be told to the provider beside a message. */
  readonly takesOptions: boolean
  /** The request around the messages. */
  readonly around: (request: RequestContent) => Readonly<Record<string, unknown>>
}

/** Where a block stands: in somebody's message, within a tool's answer, or beside one. */
export type BlockPlace = 'system' | 'user' | 'assistant' | 'tool' | 'result'

/** The pieces of a request. */
export interface RequestContent {
  readonly model: string
  /** The system prompt, text by text. */
  readonly system: readonly string[]
  readonly messages: readonly unknown[]
  readonly maxTokens: number
}

/** The rules of each dialect, by name. */
export const requestRules: Readonly<Record<DialectName, RequestRules>> = {
  'openai-chat': {
    dialect: openaiChatDialect,
    // Pictures are refused everywhere but in the user's messages.
    carries: ({ type, image_url, input_audio, file }, place) =>
      place === 'user'
        ? (type === 'image_url' && isRecord(image_url)) ||
          (type === 'input_audio' && isRecord(input_audio)) ||
          (type === 'file' && isRecord(file))
        : place === 'assistant' && type === 'refusal',
    takesReasoning: false,
    takesBlankText: true,
    wantsObjects: false,
    callId: /^[\s\S]{1,40}$/,
    longestName: 64,
    takesOptions: false,
    around: ({ model, system, messages }) => ({
      model,
      messages: [...system.map((content) => ({ role: 'system', content })), ...messages],
    }),
  },
  anthropic: {
    dialect: anthropicDialect,
    carries: ({ type, source }, place) =>
      typeof type === 'string' &&
      anthropicBlocks[place].test(type) &&
      (isRecord(source) || (type !== 'image' && type !== 'document')),
    takesReasoning: false,
    takesBlankText: false,
    wantsObjects: true,
    callId: /^[a-zA-Z0-9_-]{1,64}$/,
    longestName: 128,
    takesOptions: false,
    around: ({ model, system, messages, maxTokens }) => ({
      model,
      max_tokens: maxTokens,
      ...(system.length === 0
        ? {}
        : { system: system.length === 1 ? system[0] : system.map((text) => ({ type: 'text', text })) }),
      messages: begunByUser(messages),
    }),
  },
  'ai-sdk': {
    dialect: aiSdkDialect,
    carries: ({ type, image, data, mediaType, toolCallId, approvalId }, place) => {
      if (typeof type !== 'string' || !aiSdkBlocks[place].test(type)) return false
      if (type === 'file') return typeof mediaType === 'string' && (place === 'result' ? isRecord(data) : data !== undefined)
      if (type === 'image') return image !== undefined
      return !type.startsWith('tool-') || typeof toolCallId === 'string' || typeof approvalId === 'string'
    },
    takesReasoning: true,
    takesBlankText: true,
    wantsObjects: true,
    callId: /^[\s\S]+$/,
    longestName: null,
    takesOptions: true,
    around: ({ model, system, messages }) => ({
      model,
      ...(system.length === 0 ? {} : { instructions: system.join('\n\n') }),
      messages,
    }),
  },
  'openai-responses': {
    dialect: openaiResponsesDialect,
    carries: ({ type, image_url, file_id, file_data, file_url, id }, place) => {
      if (typeof type !== 'string' || !responsesBlocks[place].test(type)) return false
      // What the provider did itself is an item with an id.
      if (place === 'assistant') return typeof id === 'string'
      return [image_url, file_id, file_data, file_url].some((source) => typeof source === 'string')
    },
    takesReasoning: false,
    takesBlankText: true,
    wantsObjects: false,
    callId: /^[\s\S]{1,64}$/,
    longestName: 64,
    takesOptions: false,
    around: ({ model, system, messages }) => ({
      model,
      ...(system.length === 0 ? {} : { instructions: system.join('\n\n') }),
      input: messages,
    }),
  },
  gemini: {
    dialect: geminiDialect,
    carries: (block, place) => {
      const held = 'type' in block ? null : heldIn(block)
      return held !== null && isRecord(held.value) && geminiParts[place].includes(held.field)
    },
    takesReasoning: false,
    takesBlankText: false,
    wantsObjects: true,
    callId: /^[\s\S]+$/,
    longestName: 64,
    takesOptions: false,
    around: ({ model, system, messages }) => ({
      model,
      ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map((text) => ({ text })) } }),
      contents: begunByUser(messages),
    }),
  },
}

/** The rules of a dialect whose requests are passed on to a vendor with rules of its own. The same object for the same names. */
export function rulesBehind(name: DialectName, behind: DialectName): RequestRules {
  const key = `${name} ${behind}`
  const known = combined.get(key)
  if (known !== undefined) return known
  const rules = requestRules[name]
  const { callId, longestName, takesBlankText } = requestRules[behind]
  // Pictures in a tool's answer become text there, byte for byte.
  const carries: RequestRules['carries'] = (block, place) =>
    (place !== 'result' || behind !== 'openai-chat') && rules.carries(block, place)
  const both = { ...rules, carries, callId, longestName, takesBlankText }
  combined.set(key, both)
  return both
}

const combined = new Map<string, RequestRules>()

const none = /^(?!)/

const anthropicBlocks: Readonly<Record<BlockPlace, RegExp>> = {
  system: none,
  user: /^(?:image|document|search_result|container_upload)$/,
  assistant: /^(?:redacted_thinking|server_tool_use|mcp_tool_use|\w{1,40}_tool_result)$/,
  tool: none,
  result: /^(?:image|document|search_result|tool_reference)$/,
}

const aiSdkBlocks: Readonly<Record<BlockPlace, RegExp>> = {
  system: none,
  user: /^(?:image|file)$/,
  assistant: /^(?:file|reasoning-file|custom|tool-call|tool-result|tool-approval-request)$/,
  tool: /^(?:tool-result|tool-approval-response)$/,
  result: /^(?:file|image-(?:data|url|file-id|file-reference)|file-(?:data|url|id|reference)|custom)$/,
}

const responsesBlocks: Readonly<Record<BlockPlace, RegExp>> = {
  system: none,
  user: /^input_(?:image|file)$/,
  assistant: /^(?:web_search|file_search|code_interpreter|image_generation|mcp)_call$/,
  tool: none,
  result: /^input_(?:image|file)$/,
}

const geminiParts: Readonly<Record<BlockPlace, readonly PartField[]>> = {
  system: [],
  user: ['inlineData', 'fileData'],
  assistant: ['inlineData', 'fileData', 'executableCode', 'codeExecutionResult'],
  tool: [],
  result: ['inlineData', 'fileData'],
}

/** The first message has to be the user's, in some of the places that speak these dialects. */
function begunByUser(messages: readonly unknown[]): readonly unknown[] {
  const [first] = messages
  if (!isRecord(first)) return messages
  if (first['role'] === 'assistant') return [{ role: 'user', content: opening }, ...messages]
  return first['role'] === 'model' ? [{ role: 'user', parts: [{ text: opening }] }, ...messages] : messages
}

const opening = '<system-reminder>\nThe conversation begins with the assistant.\n</system-reminder>'
