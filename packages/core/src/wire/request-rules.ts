import { isRecord } from '../message.ts'
import type { codecs } from './codecs.ts'
import type { Dialect, RawMessage } from './dialect.ts'
import { aiSdkDialect } from './dialects/ai-sdk.ts'
import { anthropicDialect } from './dialects/anthropic.ts'
import { geminiDialect } from './dialects/gemini.ts'
import { heldIn } from './dialects/gemini-fields.ts'
import { openaiChatDialect } from './dialects/openai-chat.ts'
import { openaiResponsesDialect } from './dialects/openai-responses.ts'

export type DialectName = keyof typeof codecs

export interface RequestRules {
  readonly dialect: Dialect
  /** Whether a vendor's block belongs to this API format and may be in this place. */
  readonly carries: (block: RawMessage, place: BlockPlace) => boolean
  /** Whether reasoning can be returned: some vendors require its signature, others have no field for it. */
  readonly takesReasoning?: true
  readonly takesBlankText?: true
  /** Whether call arguments are an object; else text. */
  readonly wantsObjects?: true
  readonly callId: RegExp
  /** Maximum length of a tool name of letters, digits, `_` and `-`; null for any name. */
  readonly maxName: number | null
  readonly takesOptions?: true
  readonly around: (request: {
    readonly model: string
    readonly system: readonly string[]
    readonly messages: readonly unknown[]
    readonly maxTokens: number
  }) => Readonly<Record<string, unknown>>
}

/** Where a block is: in a message of this role, in a result, or next to one. */
export type BlockPlace = 'system' | 'user' | 'assistant' | 'tool' | 'result'

export const requestRules: Readonly<Record<DialectName, RequestRules>> = {
  'openai-chat': {
    dialect: openaiChatDialect,
    // Images are rejected outside user messages.
    carries: (block, place) =>
      isNamed(block['type'], place, { user: /^(?:image_url|input_audio|file)$/, assistant: /^refusal$/ }) &&
      (place === 'assistant' || isRecord(block[block['type']])),
    takesBlankText: true,
    callId: /^[\s\S]{1,40}$/,
    maxName: 64,
    around: ({ model, system, messages }) => ({
      model,
      messages: [...system.map((content) => ({ role: 'system', content })), ...messages],
    }),
  },
  anthropic: {
    dialect: anthropicDialect,
    carries: ({ type, source }, place) =>
      isNamed(type, place, {
        user: /^(?:image|document|search_result|container_upload)$/,
        assistant: /^(?:redacted_thinking|server_tool_use|mcp_tool_use|\w{1,40}_tool_result)$/,
        result: /^(?:image|document|search_result|tool_reference)$/,
      }) &&
      (isRecord(source) || (type !== 'image' && type !== 'document')),
    wantsObjects: true,
    callId: /^[a-zA-Z0-9_-]{1,64}$/,
    maxName: 128,
    around: ({ model, system, messages, maxTokens }) => {
      const prompt = system.length === 1 ? system[0] : system.map((text) => ({ type: 'text', text }))
      const head = { model, max_tokens: maxTokens, ...(system.length === 0 ? {} : { system: prompt }) }
      return { ...head, messages: begunByUser(messages) }
    },
  },
  'ai-sdk': {
    dialect: aiSdkDialect,
    carries: ({ type, image, data, mediaType, toolCallId, approvalId }, place) => {
      const isKnown = isNamed(type, place, {
        user: /^(?:image|file)$/,
        assistant: /^(?:file|reasoning-file|custom|tool-call|tool-result|tool-approval-request)$/,
        tool: /^(?:tool-result|tool-approval-response)$/,
        result: /^(?:file|image-(?:data|url|file-id|file-reference)|file-(?:data|url|id|reference)|custom)$/,
      })
      if (!isKnown) return false
      if (type === 'file') return typeof mediaType === 'string' && (place === 'result' ? isRecord(data) : data !== undefined)
      if (type === 'image') return image !== undefined
      return !type.startsWith('tool-') || typeof toolCallId === 'string' || typeof approvalId === 'string'
    },
    takesReasoning: true,
    takesBlankText: true,
    wantsObjects: true,
    callId: /^[\s\S]+$/,
    maxName: null,
    takesOptions: true,
    around: ({ model, system, messages }) => ({ model, ...instructions(system), messages }),
  },
  'openai-responses': {
    dialect: openaiResponsesDialect,
    carries: ({ type, image_url, file_id, file_data, file_url, id }, place) => {
      const isKnown = isNamed(type, place, {
        user: /^input_(?:image|file)$/,
        assistant: /^(?:web_search|file_search|code_interpreter|image_generation|mcp)_call$/,
        result: /^input_(?:image|file)$/,
      })
      // Items the provider made have an id.
      const sources = place === 'assistant' ? [id] : [image_url, file_id, file_data, file_url]
      return isKnown && sources.some((source) => typeof source === 'string')
    },
    takesBlankText: true,
    callId: /^[\s\S]{1,64}$/,
    maxName: 64,
    around: ({ model, system, messages }) => ({ model, ...instructions(system), input: messages }),
  },
  gemini: {
    dialect: geminiDialect,
    carries: (block, place) => {
      const held = 'type' in block ? null : heldIn(block)
      return (
        isRecord(held?.value) &&
        isNamed(held.field, place, {
          user: /^(?:inlineData|fileData)$/,
          assistant: /^(?:inlineData|fileData|executableCode|codeExecutionResult)$/,
          result: /^(?:inlineData|fileData)$/,
        })
      )
    },
    wantsObjects: true,
    callId: /^[\s\S]+$/,
    maxName: 64,
    around: ({ model, system, messages }) => ({
      model,
      ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map((text) => ({ text })) } }),
      contents: begunByUser(messages),
    }),
  },
}

/** The rules if a library forwards requests to a vendor with its own rules. Remembered by both names. */
export function rulesBehind(name: DialectName, behind: DialectName): RequestRules {
  const key = `${name} ${behind}`
  let rules = combined.get(key)
  if (rules === undefined) {
    const { takesBlankText: _takesBlankText, ...own } = requestRules[name]
    const { callId, maxName, takesBlankText } = requestRules[behind]
    // Images in a result become text there, byte for byte.
    const carries: RequestRules['carries'] = (block, place) =>
      (place !== 'result' || behind !== 'openai-chat') && own.carries(block, place)
    rules = { ...own, carries, callId, maxName, ...(takesBlankText === true ? { takesBlankText } : {}) }
    combined.set(key, rules)
  }
  return rules
}

const combined = new Map<string, RequestRules>()

function isNamed(name: unknown, place: BlockPlace, known: Readonly<Partial<Record<BlockPlace, RegExp>>>): name is string {
  return typeof name === 'string' && known[place]?.test(name) === true
}

function instructions(system: readonly string[]): { readonly instructions?: string } {
  return system.length === 0 ? {} : { instructions: system.join('\n\n') }
}

/** Some servers require that the first message is the user's. */
function begunByUser(messages: readonly unknown[]): readonly unknown[] {
  const [first] = messages
  const role = isRecord(first) ? first['role'] : null
  if (role === 'assistant') return [{ role: 'user', content: opening }, ...messages]
  return role === 'model' ? [{ role: 'user', parts: [{ text: opening }] }, ...messages] : messages
}

const opening = '<system-reminder>\nThe conversation begins with the assistant.\n</system-reminder>'
