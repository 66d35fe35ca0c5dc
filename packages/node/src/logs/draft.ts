import type { Message, Part, ToolResultPart } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, ResultContent, TextPart } from '@plimsoll/core/wire'
import { type Fields, textAt } from './fields.ts'

export interface Draft {
  readonly message: Message
  /** Whether the client added it in the user's role, and no person wrote it. */
  readonly added?: boolean
}

/**
 * Turns drafts into messages. Text added by the client is joined with the user's message next to it, as a provider gets it; without one,
 * or before the user's first message, it is a system message. So a round starts only with a message of the user.
 */
export function settleDrafts(drafts: readonly Draft[]): readonly Message[] {
  const messages: Message[] = []
  let said: { readonly message: Message; readonly parts: Part[] } | null = null
  let waiting: Message[] = []
  let spoken = false
  const close = () => {
    if (said !== null)
      messages.push(said.parts.length === said.message.parts.length ? said.message : { ...said.message, parts: said.parts })
    for (const message of waiting) messages.push({ ...message, role: 'system' })
    said = null
    waiting = []
  }
  for (const { message, added } of drafts) {
    if (added === true) {
      if (said === null) waiting.push(message)
      else for (const part of message.parts) said.parts.push(part)
    } else if (message.role === 'user') {
      const before: readonly Message[] = spoken && said === null ? waiting : []
      if (before.length > 0) waiting = []
      close()
      said = { message, parts: [...before, message].flatMap(({ parts }) => parts) }
      spoken = true
    } else {
      close()
      messages.push(message)
    }
  }
  close()
  return messages
}

/** Returns an id unchanged, or one made of it if it is taken. */
export function createUniqueIds(): (id: string) => string {
  const taken = new Map<string, number>()
  return (id) => {
    let free = id
    for (let number = (taken.get(id) ?? 0) + 1; taken.has(free); number += 1) {
      taken.set(id, number)
      free = `${id}~${number + 1}`
    }
    taken.set(free, 0)
    return free
  }
}

/** Text, or a list of blocks, as parts without the empty ones; null if it is neither. */
export function contentParts<Read extends Part>(
  content: unknown,
  readBlock: (block: unknown) => Read,
): readonly (Read | TextPart)[] | null {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return null
  return (content as readonly unknown[]).map(readBlock).filter((part: Part) => !isText(part) || part.text !== '')
}

/** The answer of a tool: plain text if it consists of a single text. */
export function resultContent(content: unknown, readBlock: (block: unknown) => TextPart | MediaPart): ResultContent {
  if (typeof content === 'string') return { type: 'text', text: content }
  if (content === undefined || content === null) return { type: 'text', text: '' }
  if (!Array.isArray(content)) return { type: 'json', value: content }
  const items = (content as readonly unknown[]).map(readBlock)
  const [only] = items
  return items.length === 1 && only?.type === 'text' ? { type: 'text', text: only.text } : { type: 'list', items }
}

/** The result of a call; `isError` counts only if it is a boolean. */
export function resultPart(
  callId: string | null,
  tool: string | null,
  content: ResultContent | string,
  isError?: unknown,
): ToolResultPart {
  const held = typeof content === 'string' ? ({ type: 'text', text: content } as const) : content
  return { type: 'tool-result', callId, tool, content: held, ...(typeof isError === 'boolean' ? { isError } : {}) }
}

/** The text of a field as a list of parts; empty without text. */
export function textParts(entry: Fields, field: string): readonly TextPart[] {
  const text = textAt(entry, field)
  return text === null ? [] : [{ type: 'text', text }]
}

/** The same for a field that holds the model's reasoning. */
export function reasoningParts(entry: Fields, field: string): readonly Part[] {
  const text = textAt(entry, field)
  return text === null ? [] : [{ type: 'reasoning', text }]
}

/** A call that the model wrote as text, and the rest of that text. */
export interface TextCall {
  readonly words: string
  readonly tool: string
  readonly input: Fields
}

/** Turns such text of a message into a call. */
export function withCall(message: Message, { words, tool, input }: TextCall, callId: string): Message {
  const others = message.parts.filter(({ type }) => type !== 'text')
  const parts = [...others, ...textParts({ words: words.trim() }, 'words'), { type: 'tool-call', callId, tool, input } as const]
  return { ...message, parts }
}

export function vendorPart(value: unknown): MediaPart {
  const type = isRecord(value) && typeof value['type'] === 'string' ? value['type'] : value === null ? 'null' : typeof value
  return { type: 'media', mediaType: `vendor/${type}`, data: value }
}

export function isText(part: Part): part is Extract<Part, { readonly text: string }> {
  return part.type === 'text' || part.type === 'reasoning'
}
