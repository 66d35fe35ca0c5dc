import { codecs, type MediaPart, type Message, type Part, patchValue } from '@plimsoll/core'
import type { ModelMessage, SystemModelMessage } from 'ai'

/** A conversation as the AI SDK takes it. */
export interface ModelMessages {
  /** The system prompt: the system messages at the very beginning, summaries excepted. */
  readonly instructions: SystemModelMessage[]
  /** All that follows. A system message among them is shown as a reminder at its place. */
  readonly messages: ModelMessage[]
}

/** Turns messages into what the AI SDK sends. The same messages always give the same request. */
export function modelMessages(messages: readonly Message[]): ModelMessages {
  const start = messages.findIndex(({ role, summary }) => role !== 'system' || summary === true)
  const prompt = start < 0 ? messages : messages.slice(0, start)
  const rest = start < 0 ? [] : messages.slice(start).map(withoutForeignMedia)
  return {
    instructions: prompt.map((message) => ({ role: 'system', content: textOf(message) })),
    messages: patchValue([], codecs['ai-sdk'].read([]).patches(rest)) as ModelMessage[],
  }
}

function textOf(message: Message): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

const cleaned = new WeakMap<Message, Message>()

/** The AI SDK refuses a whole request over one block it does not know, so another vendor's block is named in its place. */
function withoutForeignMedia(message: Message): Message {
  if (!message.parts.some((part) => isForeign(part) || hasForeignItem(part))) return message
  const known = cleaned.get(message)
  if (known !== undefined) return known
  const result = { ...message, parts: message.parts.map(cleanPart) }
  cleaned.set(message, result)
  return result
}

function cleanPart(part: Part): Part {
  if (part.type === 'media') return isForeign(part) ? named(part) : part
  if (part.type !== 'tool-result' || part.content.type !== 'list') return part
  const items = part.content.items.map((item) => (item.type === 'media' && isForeign(item) ? named(item) : item))
  return { ...part, content: { type: 'list', items } }
}

function named({ mediaType }: MediaPart): Part & { readonly type: 'text' } {
  return { type: 'text', text: `[${mediaType}]` }
}

function hasForeignItem(part: Part): boolean {
  return part.type === 'tool-result' && part.content.type === 'list' && part.content.items.some(isForeign)
}

function isForeign(part: Part): boolean {
  if (part.type !== 'media') return false
  const { data } = part
  if (typeof data !== 'object' || data === null || !('type' in data)) return true
  return !ownBlocks.has(data.type)
}

/** The blocks with media that the AI SDK reads in messages and in results. */
const ownBlocks = new Set<unknown>(['file', 'image', 'file-data', 'file-url', 'image-data', 'image-url'])
