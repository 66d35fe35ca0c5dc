import type { Message, Part, ToolResultPart } from '@plimsoll/core'
import { isRecord, parseJson } from '@plimsoll/core/text'
import type { MediaPart, ResultContent, TextPart } from '@plimsoll/core/wire'
import { findJsonExcess } from '../files/json-excess.ts'
import type { Fields } from './log-reader.ts'

export interface Draft {
  readonly message: Message
  /** Set where the user's role is only the way in: the client added it, and no person wrote it. */
  readonly added?: true
}

/**
 * Makes messages of drafts. What a client added on its own goes with the person's message beside it, as a provider gets it; where
 * there is none, or nobody has spoken yet, it is a system message. So a round begins only where a person spoke.
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

/** Gives an id back, or one made of it where it is taken. */
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

/** Text, or a list of blocks, as parts; null where it is neither. What says nothing is left out. */
export function contentParts<Read extends Part>(
  content: unknown,
  readBlock: (block: unknown) => Read,
): readonly (Read | TextPart)[] | null {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return null
  return (content as readonly unknown[]).map(readBlock).filter((part: Part) => !isText(part) || part.text !== '')
}

/** What a tool answered: text where it is nothing but text, however it is wrapped. */
export function resultContent(content: unknown, readBlock: (block: unknown) => TextPart | MediaPart): ResultContent {
  if (typeof content === 'string') return { type: 'text', text: content }
  if (content === undefined || content === null) return { type: 'text', text: '' }
  if (!Array.isArray(content)) return { type: 'json', value: content }
  const items = (content as readonly unknown[]).map(readBlock)
  const [only] = items
  return items.length === 1 && only?.type === 'text' ? { type: 'text', text: only.text } : { type: 'list', items }
}

/** The result of a call; whether it is an error counts only where the log says so. */
export function resultPart(
  callId: string | null,
  tool: string | null,
  content: ResultContent | string,
  isError?: unknown,
): ToolResultPart {
  const told = typeof content === 'string' ? ({ type: 'text', text: content } as const) : content
  return { type: 'tool-result', callId, tool, content: told, ...(typeof isError === 'boolean' ? { isError } : {}) }
}

export function vendorPart(value: unknown): MediaPart {
  const type = isRecord(value) && typeof value['type'] === 'string' ? value['type'] : value === null ? 'null' : typeof value
  return { type: 'media', mediaType: `vendor/${type}`, data: value }
}

export function isText(part: Part): part is Extract<Part, { readonly text: string }> {
  return part.type === 'text' || part.type === 'reasoning'
}

/** A field that must be text to count; an empty one says nothing. */
export function textAt(entry: Fields, field: string): string | null {
  const value = entry[field]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A field that must be a mapping to count; otherwise an empty one. */
export function fieldsAt(entry: Fields, field: string): Fields {
  const value = entry[field]
  return isRecord(value) ? value : {}
}

/** A field that must be a list to count; otherwise an empty one. */
export function listAt(entry: Fields, field: string): readonly unknown[] {
  const value = entry[field]
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

/** When something was written: milliseconds, or ISO text, which is UTC where it names no zone. What no date can be is no time. */
export function timeAt(entry: Fields, field: string): { readonly at?: number } {
  const value = entry[field]
  if (typeof value === 'number') return Math.abs(value) <= latestDate ? { at: value } : {}
  if (typeof value !== 'string' || value.length > 40 || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return {}
  const at = Date.parse(/[\d.]$/.test(value) && !/[+-]\d{2}:?\d{2}$/.test(value) ? `${value}Z` : value)
  return Number.isNaN(at) ? {} : { at }
}

const latestDate = 8_640_000_000_000_000

/** A mapping that a log holds as text; an empty one for anything else. */
export function parseFields(text: string): Fields {
  if (!text.trimStart().startsWith('{') || findJsonExcess(text, { depth: 200, values: 1_000_000 }) !== null) return {}
  const value = parseJson(text)
  return isRecord(value) ? value : {}
}
