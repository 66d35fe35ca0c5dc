import { isRecord } from '../message.ts'
import { type Codec, findRequest } from './dialect.ts'
import { aiSdk } from './dialects/ai-sdk.ts'
import { anthropic } from './dialects/anthropic.ts'
import { gemini } from './dialects/gemini.ts'
import { openaiChat } from './dialects/openai-chat.ts'
import { openaiResponses } from './dialects/openai-responses.ts'

/** The supported API formats, by name: OpenAI's chat completions and responses, Anthropic's messages, Gemini's contents, and the AI SDK's messages. */
export const codecs = {
  'openai-chat': openaiChat,
  anthropic,
  'ai-sdk': aiSdk,
  'openai-responses': openaiResponses,
  gemini,
} as const

/** Detects the API format of a parsed request or list of messages; a list without marks of any format is read as OpenAI's. Null if it has no messages. */
export function detectCodec(value: unknown): Codec | null {
  // Items and contents are not messages. The AI SDK shares its role `tool` with OpenAI, but not its parts.
  for (const codec of [openaiResponses, gemini, aiSdk, openaiChat, anthropic]) if (codec.detect(value)) return codec
  const list = findRequest(value)?.list
  const plain = list !== undefined && (list.length === 0 || list.some((raw) => isRecord(raw) && plainRoles.has(raw['role'])))
  return plain ? openaiChat : null
}

const plainRoles = new Set<unknown>(['system', 'user', 'assistant'])
