import { isRecord } from '../message.ts'
import { type Codec, findRequest } from './dialect.ts'
import { aiSdk } from './dialects/ai-sdk.ts'
import { anthropic } from './dialects/anthropic.ts'
import { gemini } from './dialects/gemini.ts'
import { openaiChat } from './dialects/openai-chat.ts'
import { openaiResponses } from './dialects/openai-responses.ts'

/** The request formats Plimsoll reads, by name. */
export const codecs = {
  'openai-chat': openaiChat,
  anthropic,
  'ai-sdk': aiSdk,
  'openai-responses': openaiResponses,
  gemini,
} as const

/**
 * The dialect of a parsed value, from what its messages hold; a list without any marks is read as OpenAI's. Null when nothing in
 * it looks like a message.
 */
export function detectCodec(value: unknown): Codec | null {
  // First those that nobody shares a list with: items and contents are no messages. Then the AI SDK: it shares its role `tool` with
  // OpenAI, but nobody shares its parts.
  for (const codec of [openaiResponses, gemini, aiSdk, openaiChat, anthropic]) if (codec.detect(value)) return codec
  const list = findRequest(value)?.list
  const plain = list !== undefined && (list.length === 0 || list.some((raw) => isRecord(raw) && plainRoles.has(raw['role'])))
  return plain ? openaiChat : null
}

const plainRoles = new Set<unknown>(['system', 'user', 'assistant'])
