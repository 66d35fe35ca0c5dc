import type { Message, Part } from '@plimsoll/core'
import { detached } from '@plimsoll/core/text'
import { partText } from '../../session/shown-message.ts'
import type { FoundLog } from '../find-logs.ts'
import { readLog } from '../read-log.ts'
import { createFilter, readFilter, type SearchFilter, writeFilter } from './search-index.ts'

/** A message with all words of a search. */
export interface FoundMessage {
  /** The number of its session in the log, and its own there; both from 0. */
  readonly session: number
  readonly message: number
  readonly role: Message['role']
  /** The text around the first word. */
  readonly excerpt: string
}

export interface FoundIn {
  readonly path: string
  readonly messages: readonly [FoundMessage, ...FoundMessage[]]
}

interface SearchOptions {
  /** The folder of the index. Default: every log is read. */
  readonly index?: string | null
  readonly signal?: AbortSignal
  readonly found: (log: FoundIn) => void
  /** Default: all. */
  readonly maxLogs?: number
}

/** Messages of one log that are found. */
const maxMessages = 3

/**
 * Finds the logs with a message that has all words of a text, in any case, the one last written to first. Reads only logs that may have them,
 * and those that are not in the index, which are added to it. Without words, only the index is brought up to date.
 */
export async function searchLogs(logs: readonly FoundLog[], text: string, options: SearchOptions): Promise<void> {
  const { index = null, signal, found, maxLogs = Number.POSITIVE_INFINITY } = options
  const words = wordsOf(text)
  let count = 0
  for (const log of logs.toSorted((one, other) => changedAt(other) - changedAt(one))) {
    if (signal?.aborted === true || count >= maxLogs) return
    const { path, stamp, bytes } = log
    const filter = index === null || stamp === null ? null : await readFilter(index, path, stamp)
    if (filter !== null && (words.length === 0 || !words.every((word) => filter.mayHold(word)))) continue
    const next = filter === null && index !== null && stamp !== null ? createFilter(bytes) : null
    if (next === null && words.length === 0) continue
    const messages = await searchLog(path, words, next)
    if (index !== null && stamp !== null && next !== null) await writeFilter(index, path, stamp, next)
    const [first, ...rest] = messages
    if (first === undefined) continue
    count += 1
    found({ path, messages: [first, ...rest] })
  }
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** When a log was last written to: its stamp starts with its size and that time. One without a stamp is being written. */
function changedAt({ stamp }: FoundLog): number {
  return stamp === null ? Number.POSITIVE_INFINITY : Number(stamp.split(' ')[1])
}

async function searchLog(path: string, words: readonly string[], filter: SearchFilter | null): Promise<readonly FoundMessage[]> {
  const excerpts = new Map<string, string>()
  const take = (message: Message): Message => {
    const texts = message.parts.map(partText)
    if (filter !== null) for (const text of texts) filter.add(text)
    if (words.length > 0) {
      const all = texts.join('\n')
      const excerpt = excerptOf(all, words)
      if (excerpt !== null) excerpts.set(message.id, excerpt)
    }
    return { ...message, parts: message.parts.map((part) => lean(part, message.role)) }
  }
  const { value } = await readLog(path, { take })
  const messages: FoundMessage[] = []
  for (const [session, { messages: all }] of (value?.sessions ?? []).entries()) {
    for (const [message, { id, role }] of all.entries()) {
      const excerpt = excerpts.get(id)
      if (excerpt !== undefined && messages.length < maxMessages) messages.push({ session, message, role, excerpt })
    }
  }
  return messages
}

const around = 80

function excerptOf(text: string, words: readonly string[]): string | null {
  const lower = text.toLowerCase()
  if (!words.every((word) => lower.includes(word))) return null
  const at = lower.indexOf(words[0] ?? '')
  const [from, to] = [Math.max(0, at - around), Math.min(text.length, at + around * 2)]
  const excerpt = text.slice(from, to).replaceAll(/\s+/g, ' ').trim()
  return detached(`${from > 0 ? '…' : ''}${excerpt}${to < text.length ? '…' : ''}`)
}

/** Without the texts, so that any log fits into memory. */
function lean(part: Part, role: Message['role']): Part {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: role === 'user' ? detached(part.text.slice(0, 200)) : '' }
    case 'reasoning':
      return { type: 'reasoning', text: '' }
    case 'media':
      return { type: 'media', mediaType: part.mediaType, data: null }
    case 'tool-call':
      return { type: 'tool-call', callId: part.callId, tool: part.tool, input: {} }
    case 'tool-result':
      return { type: 'tool-result', callId: part.callId, tool: part.tool, content: { type: 'text', text: '' } }
  }
}
