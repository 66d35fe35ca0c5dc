import { isRecord } from '../message.ts'
import { aiSdk } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import type { Codec } from './codec.ts'
import { openaiChat } from './openai-chat.ts'
import { findRequest } from './request.ts'

/** The request formats Plimsoll reads, by name. */
export const codecs = { 'openai-chat': openaiChat, anthropic, 'ai-sdk': aiSdk } as const

/**
 * The dialect of a parsed value, from what its messages hold; a list without any marks is read as OpenAI's. Null when nothing in
 * it looks like a message.
 */
export function detectCodec(value: unknown): Codec | null {
  // The AI SDK first: it shares its role `tool` with OpenAI, but nobody shares its parts.
  for (const codec of [aiSdk, openaiChat, anthropic]) if (codec.detect(value)) return codec
  const list = findRequest(value)?.list
  const plain = list !== undefined && (list.length === 0 || list.some((raw) => isRecord(raw) && plainRoles.has(raw['role'])))
  return plain ? openaiChat : null
}

const plainRoles = new Set<unknown>(['system', 'user', 'assistant'])
