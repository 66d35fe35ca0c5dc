import { createReadStream } from 'node:fs'
import { codecs, detectCodec, ReadError } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { parseConversations } from '../files/parse-conversations.ts'
import { readTextFile, troubleOf } from '../files/read-text.ts'
import type { Outcome } from '../files/trouble.ts'
import { titleOf } from '../session/title.ts'
import { textAt } from './entry-fields.ts'
import { logLines } from './log-lines.ts'
import type { LogNotes, LogReader, LogReading, ReadLog, ReadSession, SkippedEntry } from './log-reader.ts'
import { logReaders } from './log-readers.ts'
import { entryOf, type ParsedEntry, parseEntry } from './parse-entry.ts'

/** Among so many first entries there is one that shows the format. */
const mostUndecided = 50

/** Reads another agent's log, or any conversation a codec reads; the format is told from the content. Never throws for what a file may be. */
export async function readLog(path: string): Promise<Outcome<ReadLog>> {
  try {
    const log = await readEntries(parsedLines(createReadStream(path, { highWaterMark: 1 << 20 })))
    if (log !== null) return { value: log }
  } catch (error) {
    return { trouble: troubleOf(error) }
  }
  const text = await readTextFile(path)
  return text.trouble === undefined ? readDocument(text.value) : text
}

/** As `readLog`, for a text that is in memory. */
export async function readLogText(text: string): Promise<Outcome<ReadLog>> {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const log = await readEntries(parsedLines([Buffer.from(bare)]))
  return log === null ? readDocument(bare) : { value: log }
}

async function* parsedLines(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<ParsedEntry, void> {
  for await (const line of logLines(chunks)) yield parseEntry(line)
}

/** Null where no entry shows a format that is read this way. */
async function readEntries(entries: AsyncIterable<ParsedEntry> | Iterable<ParsedEntry>): Promise<ReadLog | null> {
  let undecided: ParsedEntry[] = []
  let log: OpenLog | null = null
  for await (const parsed of entries) {
    if (log !== null) {
      log.add(parsed)
      continue
    }
    undecided.push(parsed)
    const { entry } = parsed
    const reader = entry === undefined ? undefined : logReaders.find(({ detect }) => detect(entry))
    if (reader === undefined) {
      if (undecided.length > mostUndecided) return null
      continue
    }
    log = openLog(reader)
    for (const earlier of undecided) log.add(earlier)
    undecided = []
  }
  return log?.finish() ?? null
}

interface OpenLog {
  readonly add: (parsed: ParsedEntry) => void
  readonly finish: () => ReadLog
}

/** A file may name as many types as it has lines. */
const mostTypes = 200

function openLog(reader: LogReader): OpenLog {
  const skipped: SkippedEntry[] = []
  const unread = new Map<string, number>()
  const notes: LogNotes = {
    skip: (line, reason) => void skipped.push({ line, reason }),
    pass(type) {
      const known = type.slice(0, 60)
      const name = unread.has(known) || unread.size < mostTypes ? known : 'others'
      unread.set(name, (unread.get(name) ?? 0) + 1)
    },
  }
  const reading: LogReading = reader.start(notes)
  return {
    add({ line, entry, reason }) {
      if (entry === undefined) notes.skip(line, reason)
      else reading.add(entry, line)
    },
    finish: () => ({ format: reader.name, sessions: reading.finish(), skipped, unread: Object.fromEntries(unread) }),
  }
}

/** One JSON value, or lines that each hold a conversation. */
async function readDocument(text: string): Promise<Outcome<ReadLog>> {
  const found = parseConversations(text)
  if (found.trouble?.kind === 'other-format') {
    const log = await readEntries(documentEntries(text))
    return log === null ? { trouble: found.trouble } : { value: log }
  }
  if (found.trouble !== undefined) return found
  const sessions: ReadSession[] = []
  let format: string = codecs['openai-chat'].name
  for (const { request } of found.value) {
    const codec = detectCodec(request) ?? codecs['openai-chat']
    format = codec.name
    try {
      sessions.push(requestSession(codec.read(request).messages, request))
    } catch (error) {
      if (!(error instanceof ReadError)) throw error
      return { trouble: { kind: 'not-readable', dialect: codec.name, message: error.message } }
    }
  }
  return { value: { format, sessions, skipped: [], unread: {} } }
}

function documentEntries(text: string): readonly ParsedEntry[] {
  try {
    const value: unknown = JSON.parse(text)
    return (Array.isArray(value) ? value : [value]).map((item: unknown, index) => entryOf(item, index + 1))
  } catch {
    return []
  }
}

function requestSession(messages: ReadSession['messages'], request: unknown): ReadSession {
  const model = isMapping(request) ? textAt(request, 'model') : null
  return {
    id: null,
    title: titleOf(messages),
    ...(model === null ? {} : { model }),
    messages,
    usages: [],
    compactions: 0,
    sidechains: 0,
    abandoned: 0,
  }
}
