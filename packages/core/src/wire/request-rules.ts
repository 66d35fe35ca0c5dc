import { isRecord } from '../message.ts'
import { aiSdkDialect } from './ai-sdk.ts'
import { anthropicDialect } from './anthropic.ts'
import type { codecs } from './codecs.ts'
import type { Dialect, RawMessage } from './dialect.ts'
import { openaiChatDialect } from './openai-chat.ts'

/** The name of a request format. */
export type DialectName = keyof typeof codecs

/** What a request that is written from messages alone has to heed in one dialect. */
export interface RequestRules {
  readonly dialect: Dialect
  /** Whether a vendor's block is one of this dialect's own. */
  readonly carries: (block: RawMessage) => boolean
  /** Whether the model's thoughts can be given back: some vendors want their signature on them, others have no field. */
  readonly takesReasoning: boolean
  /** Whether a text may be empty. */
  readonly takesBlankText: boolean
  /** Whether the arguments of a call are an object; else they are written as text. */
  readonly wantsObjects: boolean
  /** What the id of a call may look like. */
  readonly callId: RegExp
  /** The request around the messages. */
  readonly around: (request: RequestContent) => Readonly<Record<string, unknown>>
}

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
    carries: ({ type, image_url, input_audio, file }) =>
      (type === 'image_url' && isRecord(image_url)) ||
      (type === 'input_audio' && isRecord(input_audio)) ||
      (type === 'file' && isRecord(file)) ||
      type === 'refusal',
    takesReasoning: false,
    takesBlankText: true,
    wantsObjects: false,
    callId: /^[\s\S]{1,40}$/,
    around: ({ model, system, messages }) => ({
      model,
      messages: [...system.map((content) => ({ role: 'system', content })), ...messages],
    }),
  },
  anthropic: {
    dialect: anthropicDialect,
    carries: ({ type, source }) =>
      typeof type === 'string' && (type === 'image' || type === 'document' ? isRecord(source) : anthropicBlocks.test(type)),
    takesReasoning: false,
    takesBlankText: false,
    wantsObjects: true,
    callId: /^[a-zA-Z0-9_-]{1,64}$/,
    around: ({ model, system, messages, maxTokens }) => ({
      model,
      max_tokens: maxTokens,
      ...(system.length === 0
        ? {}
        : { system: system.length === 1 ? system[0] : system.map((text) => ({ type: 'text', text })) }),
      messages,
    }),
  },
  'ai-sdk': {
    dialect: aiSdkDialect,
    carries: ({ type, mediaType, image, toolCallId, approvalId }) =>
      typeof mediaType === 'string' ||
      (type === 'image' && image !== undefined) ||
      (typeof type === 'string' && aiSdkBlocks.test(type)) ||
      typeof toolCallId === 'string' ||
      typeof approvalId === 'string',
    takesReasoning: true,
    takesBlankText: true,
    wantsObjects: true,
    callId: /^[\s\S]+$/,
    around: ({ model, system, messages }) => ({
      model,
      ...(system.length === 0 ? {} : { instructions: system.join('\n\n') }),
      messages,
    }),
  },
}

const anthropicBlocks =
  /^(?:redacted_thinking|server_tool_use|mcp_tool_use|container_upload|search_result|tool_reference|\w{1,40}_tool_result)$/
const aiSdkBlocks = /^(?:image-(?:data|url|file-id)|file-(?:data|url|id|reference)|custom)$/
