import type { Message, Part, ToolResultPart } from '@plimsoll/core'
import { messageText } from '@plimsoll/core/text'
import { isSaid, saidText } from '../../../node/src/shared/mentions.ts'
import type { ChatMessage, ChatNote } from '../../../node/src/shared/server-api.ts'
import { partImage } from '../parts/shown-image.ts'
import type { Api } from '../server/api.ts'
import { type Block, storedCall, strayResult } from './blocks.ts'

/** The messages of a branch, as far as they are loaded: the latest, and pages of those before them. */
export interface StoredMessages {
  readonly count: number
  readonly start: number
  readonly latest: MessageRun
  /** By number of the page; each holds `pageLength` messages, or fewer where the latest start. */
  readonly pages: ReadonlyMap<number, MessageRun>
}

/** Messages in the order of their numbers; null for those that could not be read. */
type MessageRun = readonly (ChatMessage | null)[]

/** The messages from one number up to and without another, each at its place. */
export function messageRun(messages: readonly ChatMessage[], from: number, to: number): MessageRun {
  const byNumber = new Map(messages.map((message) => [message.number, message]))
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => byNumber.get(from + index) ?? null)
}

const pageLength = 100

/** The message of that number; null if it could not be read, undefined if it is not loaded. */
export function storedMessage({ start, latest, pages }: StoredMessages, number: number): ChatMessage | null | undefined {
  if (number >= start) return latest[number - start]
  return pages.get(Math.floor(number / pageLength))?.[number % pageLength]
}

/** The pages that are not loaded among the messages from one number to another. */
export function missingPages({ start, pages }: StoredMessages, first: number, last: number): readonly number[] {
  const end = first < start ? Math.min(last, start - 1) : -1
  const missing: number[] = []
  for (let page = Math.max(0, Math.floor(first / pageLength)); page * pageLength <= end; page += 1)
    if (!pages.has(page)) missing.push(page)
  return missing
}

/** The numbers of a page, from the first up to and without the last. */
export function pageRange({ start }: StoredMessages, page: number): readonly [from: number, to: number] {
  return [page * pageLength, Math.min(start, (page + 1) * pageLength)]
}

/**
 * The blocks of a message; null if it is not loaded. A result is shown with its call, so that its own message has none. Returns the
 * same list each time for the same messages.
 */
export function storedBlocks(stored: StoredMessages, number: number): readonly Block[] | null {
  const known = remembered.get(stored) ?? new Map<number, readonly Block[]>()
  remembered.set(stored, known)
  const found = storedMessage(stored, number)
  if (found === undefined) return null
  const blocks = known.get(number) ?? allBlocks(stored, number, found)
  known.set(number, blocks)
  return blocks
}

const remembered = new WeakMap<StoredMessages, Map<number, readonly Block[]>>()

function allBlocks(stored: StoredMessages, number: number, found: ChatMessage | null): readonly Block[] {
  if (found === null) return [{ kind: 'broken', key: `broken ${number}` }]
  const { message, summary, notes = [] } = found
  const blocks = blocksOf(stored, number, message)
  return [
    ...blocks,
    ...(summary === undefined
      ? []
      : [{ kind: 'summary', key: `summary ${summary.id}`, text: messageText(summary) } satisfies Block]),
    ...notes.flatMap(noteBlocks),
  ]
}

/** The end of a call is shown with the call. */
function noteBlocks({ id, ...event }: ChatNote): readonly Block[] {
  const key = `note ${id}`
  if (event.type === 'tool_call_end') return []
  if (event.type === 'notification') return [{ kind: 'notice', key, notice: event.data }]
  if (event.type === 'error') return [{ kind: 'error', key, error: event.data }]
  return [{ kind: 'turn', key, end: event.data, durationMs: event.data.durationMs ?? 0 }]
}

function blocksOf(stored: StoredMessages, number: number, message: Message): readonly Block[] {
  if (message.summary === true) return [{ kind: 'summary', key: message.id, text: messageText(message) }]
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return isSaid(message)
        ? [{ kind: 'user', key: message.id, id: message.id, text: saidText(message), images: imagesOf(message.parts) }]
        : []
    case 'assistant':
      return answerBlocks(stored, number, message)
    case 'tool':
      return strayBlocks(stored, number, message)
  }
}

function imagesOf(parts: readonly Part[]) {
  return parts.flatMap((part) => (part.type === 'media' ? (partImage(part) ?? []) : []))
}

/** Reasoning and answers in turn, then the calls, which start after them in a live session too. */
function answerBlocks(stored: StoredMessages, number: number, message: Message): readonly Block[] {
  const words: { kind: 'answer' | 'reasoning'; text: string }[] = []
  for (const part of message.parts) {
    if (part.type !== 'text' && part.type !== 'reasoning') continue
    const kind = part.type === 'text' ? 'answer' : 'reasoning'
    const last = words.at(-1)
    if (last?.kind === kind) last.text += part.text
    else if (part.text !== '') words.push({ kind, text: part.text })
  }
  const images = imagesOf(message.parts)
  return [
    ...words
      .filter(({ text }) => text.trim() !== '')
      .map((said, index): Block => ({ ...said, key: `${message.id}.${index}`, isOpen: false })),
    ...(images.length === 0
      ? []
      : [{ kind: 'answer', key: `${message.id}.images`, text: '', isOpen: false, images } satisfies Block]),
    ...message.parts.flatMap((part): readonly Block[] => {
      if (part.type !== 'tool-call') return []
      const call = storedCall(part, ...endOf(stored, number, part.callId))
      return [{ kind: 'call', key: `${message.id}.${part.callId}`, call }]
    }),
  ]
}

/**
 * The result of a call in the message of that number, and how long the call took: among the results right after it, because an id may be
 * used again later.
 */
function endOf(stored: StoredMessages, number: number, callId: string): readonly [ToolResultPart | null, number | null] {
  let durationMs: number | null = null
  for (let next = number; ; next += 1) {
    const found = storedMessage(stored, next)
    if (next > number && found?.message.role !== 'tool') return [null, durationMs]
    for (const { type, data } of found?.notes ?? [])
      if (type === 'tool_call_end' && data.callId === callId) durationMs = data.durationMs
    for (const part of next > number ? (found?.message.parts ?? []) : [])
      if (part.type === 'tool-result' && part.callId === callId) return [part, durationMs]
  }
}

function strayBlocks(stored: StoredMessages, number: number, message: Message): readonly Block[] {
  return message.parts.flatMap((part, index): readonly Block[] =>
    part.type !== 'tool-result' || isAnswering(stored, number, part.callId)
      ? []
      : [{ kind: 'call', key: `${message.id}.${index}`, call: strayResult(part) }],
  )
}

function isAnswering(stored: StoredMessages, number: number, callId: string | null): boolean {
  for (let before = number - 1; before >= 0; before -= 1) {
    const message = storedMessage(stored, before)?.message
    if (message?.role === 'tool') continue
    return message?.parts.some((part) => part.type === 'tool-call' && part.callId === callId) ?? false
  }
  return false
}

/** Loads the messages of a page. The server returns fewer at once if they are large, so it is asked until all are there. */
export async function loadPage(
  api: Pick<Api, 'messages'>,
  session: string,
  stored: StoredMessages,
  page: number,
): Promise<readonly ChatMessage[]> {
  const [from, to] = pageRange(stored, page)
  const found: ChatMessage[] = []
  for (let next = from; next < to; ) {
    const some = await api.messages(session, next, to)
    const last = some.at(-1)
    // If none comes, the rest cannot be read.
    if (last === undefined || last.number < next) break
    found.push(...some)
    next = last.number + 1
  }
  return found
}
