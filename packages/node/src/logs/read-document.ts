import { codecs, detectCodec, ReadError } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { closeJson } from '../files/json-excess.ts'
import { findConversations, type JsonDocument, parseDocument } from '../files/parse-conversations.ts'
import type { Outcome, Trouble } from '../files/trouble.ts'
import { createLogNotes } from './log-notes.ts'
import type { ReadLog, ReadSession, Take } from './log-reader.ts'
import { entryOf } from './parse-entry.ts'
import { readEntries } from './read-entries.ts'
import { readSessionOf } from './read-session-of.ts'
import { requestSession } from './requests.ts'

/**
 * Reads a text that is one JSON value: a list of entries, of messages or of conversations, or an object that is or holds one. Of a
 * text that was cut off it reads the whole items, unless only whole texts will do.
 */
export async function readDocument(text: string, take: Take, isWhole = false): Promise<Outcome<ReadLog>> {
  const parsed = parseDocument(text)
  if (parsed.trouble === undefined) return readParsed(parsed.value, take)
  const { trouble } = parsed
  if (isWhole || trouble.kind !== 'not-json' || trouble.fault.came !== null) return parsed
  const closed = closeJson(text)
  if (closed === null) return parsed
  const read = await readDocument(closed, take, true)
  if (read.value?.sessions.some(({ messages }) => messages.length > 0) !== true) return parsed
  const skipped = [...read.value.skipped, { line: trouble.fault.line, reason: 'cut-off' as const }]
  return { value: { ...read.value, skipped } }
}

async function readParsed(document: JsonDocument, take: Take): Promise<Outcome<ReadLog>> {
  const { entries, form } = document
  // Whatever else a list of messages carries, it is one.
  const log =
    form === 'list' && isMessage(entries[0])
      ? null
      : await readEntries(
          entries.map((entry, index) => entryOf(entry, index + 1)),
          take,
        )
  return log === null ? readRequests(document, take) : { value: log }
}

function readRequests(document: JsonDocument, take: Take): Outcome<ReadLog> {
  const found = findConversations(document)
  if (found.trouble !== undefined) return found
  const notes = createLogNotes()
  const sessions: ReadSession[] = []
  let format: string = codecs['openai-chat'].name
  for (const { request, messages } of found.value) {
    const read = requestSession(request, notes, take)
    if (read === null && messages.length > 0) return { trouble: faultIn(request, messages) }
    format = read?.format ?? format
    sessions.push(read?.session ?? readSessionOf({ messages: [] }))
  }
  return { value: { format, sessions, ...notes.kept() } }
}

function isMessage(entry: unknown): boolean {
  return isMapping(entry) && typeof entry['role'] === 'string' && !Array.isArray(entry['parts'])
}

/** What the dialect has against a conversation of which nothing could be read; a list of something else is no conversation. */
function faultIn(request: unknown, messages: readonly unknown[]): Trouble {
  if (!messages.some((message) => isMapping(message) && 'role' in message))
    return { kind: 'no-messages', came: shortText(messages[0]) }
  const codec = detectCodec(request) ?? codecs['openai-chat']
  try {
    codec.read(request)
  } catch (error) {
    if (error instanceof ReadError) return { kind: 'not-readable', dialect: codec.name, message: error.message }
    throw error
  }
  return { kind: 'no-messages', came: 'messages in which nothing is said' }
}

function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
