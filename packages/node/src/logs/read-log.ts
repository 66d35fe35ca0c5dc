import { createReadStream } from 'node:fs'
import { codecs, detectCodec, type Message } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { ReadError } from '@plimsoll/core/wire'
import { closeJson } from '../files/json-excess.ts'
import { findConversations, type JsonDocument, parseDocument } from '../files/parse-conversations.ts'
import type { Outcome, ReadProblem } from '../files/problem.ts'
import { problemFrom, readTextFile } from '../files/read-text.ts'
import { UnpackError, unpackBytes } from '../files/unpack.ts'
import { claudeCode } from './agents/claude-code.ts'
import { cline } from './agents/cline.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { geminiChat } from './agents/gemini-chat.ts'
import { tauBench } from './agents/message-list.ts'
import { isDatabase, isOpencodeSessionFile, opencode, readOpencodeDatabase, readOpencodeStore } from './agents/opencode.ts'
import { openHands } from './agents/openhands.ts'
import { isOpenHandsEventFile, openHandsSdk, readOpenHandsStore } from './agents/openhands-sdk.ts'
import { pi } from './agents/pi.ts'
import { plimsoll } from './agents/plimsoll.ts'
import { messageLines, requestLines, requestSession } from './agents/requests.ts'
import { snowCli } from './agents/snow-cli.ts'
import { miniSweAgent, sweAgent, sweSmith } from './agents/swe-agent.ts'
import { fieldsOf } from './fields.ts'
import { createLogNotes, entryOf, type KeptNotes, logLineGroups, logLines, type ParsedEntry, parseEntry } from './log-lines.ts'
import { type LogReader, type ReadLog, type ReadSession, readSessionOf, type Take } from './log-reader.ts'

export interface ReadLogOptions {
  /** Applied to each message as soon as it was read, to save memory. Default: keeps the message unchanged. */
  readonly take?: Take
  /** Whether to reject a JSON document that was cut off, even if its first items can be read. Default: false. */
  readonly isWhole?: boolean
}

/**
 * Reads an agent's log, or any conversation a codec reads; detects the format from the content. Never throws, regardless of the
 * file. A file of lines may have any size, since only one line is held; a single JSON value may have up to 256 MB. Unpacks gzip and
 * Zstandard.
 */
export async function readLog(path: string, { take = asItIs, isWhole = false }: ReadLogOptions = {}): Promise<Outcome<ReadLog>> {
  const read = (highWaterMark: number) => () => unpackBytes(createReadStream(path, { highWaterMark }))
  const source = { bytes: read(1 << 20), start: read(1 << 16), text: () => readTextFile(path), isWhole }
  try {
    return (await readStore(path, take)) ?? (await readSource(source, take))
  } catch (error) {
    return { problem: problemFrom(error) }
  }
}

export function readLogText(text: string, { take = asItIs, isWhole = false }: ReadLogOptions = {}): Promise<Outcome<ReadLog>> {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const bytes = () => [Buffer.from(bare)]
  return readSource({ bytes, start: bytes, text: () => Promise.resolve({ value: bare }), isWhole }, take)
}

function asItIs(message: Message): Message {
  return message
}

/** Reads sessions that opencode and OpenHands keep in many files, or in a database; returns null for any other file. */
async function readStore(path: string, take: Take): Promise<Outcome<ReadLog> | null> {
  const notes = createLogNotes()
  if (await isDatabase(path)) {
    const sessions = readOpencodeDatabase(path, notes, take)
    return sessions === null ? { problem: { kind: 'other-format', format: 'a SQLite database' } } : logOf(sessions, notes)
  }
  if (isOpencodeSessionFile(path)) {
    const session = await readOpencodeStore(path, notes, take)
    if (session !== null) return logOf([session], notes)
  }
  const session = isOpenHandsEventFile(path) ? await readOpenHandsStore(path, notes, take) : null
  return session === null ? null : logOf([session], notes, 'openhands-sdk')
}

function logOf(sessions: readonly ReadSession[], notes: KeptNotes, format = 'opencode'): Outcome<ReadLog> {
  return { value: { format, sessions, ...notes.kept() } }
}

interface Source {
  readonly bytes: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** The same in smaller pieces, for a look at the first line. */
  readonly start: Source['bytes']
  readonly text: () => Promise<Outcome<string>>
  readonly isWhole: boolean
}

async function readSource(source: Source, take: Take): Promise<Outcome<ReadLog>> {
  const first = await firstLine(source)
  // In a document on many lines, the last item of a list may fill a line and would be taken for an entry.
  const document = first === 'cut' ? await readWhole(source, take) : null
  if (document?.value !== undefined) return document
  const log = first === 'list' ? null : await readLines(source, take)
  return log === null ? (document ?? readWhole(source, take)) : { value: log }
}

async function readWhole(source: Source, take: Take): Promise<Outcome<ReadLog>> {
  const text = await source.text()
  return text.problem === undefined ? readDocument(text.value, take, source.isWhole) : text
}

/** How a file starts: with a list, a line that is only part of a value, or anything else. */
async function firstLine(source: Source): Promise<'list' | 'cut' | 'other'> {
  for await (const line of logLines(source.start())) {
    const start = line.text?.trimStart()[0]
    if (start === '[') return 'list'
    return start === '{' && parseEntry(line).reason === 'not-json' ? 'cut' : 'other'
  }
  return 'other'
}

async function readLines({ bytes }: Source, take: Take): Promise<ReadLog | null> {
  const reading = startReading(take)
  let last = 0
  try {
    for await (const lines of logLineGroups(bytes())) {
      for (const line of lines) {
        last = line.line
        if (!reading.add(parseEntry(line))) return null
      }
    }
  } catch (error) {
    if (!(error instanceof UnpackError) || error.kind !== 'damaged' || last === 0) throw error
    reading.add({ line: last + 1, reason: 'cut-off' })
  }
  return reading.finish()
}

/** Reads one JSON value: a list, or an object. If it was cut off, reads the complete items, unless `isWhole` is set. */
async function readDocument(text: string, take: Take, isWhole = false): Promise<Outcome<ReadLog>> {
  const parsed = parseDocument(text)
  if (parsed.problem === undefined) return readParsed(parsed.value, take)
  const { problem } = parsed
  if (isWhole || problem.kind !== 'not-json' || problem.fault.came !== null) return parsed
  const closed = closeJson(text)
  if (closed === null) return parsed
  const read = await readDocument(closed, take, true)
  if (read.value?.sessions.some(({ messages }) => messages.length > 0) !== true) return parsed
  const skipped = [...read.value.skipped, { line: problem.fault.line, reason: 'cut-off' as const }]
  return { value: { ...read.value, skipped } }
}

async function readParsed(document: JsonDocument, take: Take): Promise<Outcome<ReadLog>> {
  const { entries, form } = document
  // A list that starts with a message is a list of messages, regardless of other fields.
  const { role, parts } = fieldsOf(entries[0])
  const isList = form === 'list' && typeof role === 'string' && !Array.isArray(parts)
  const log = isList
    ? null
    : readEntries(
        entries.map((entry, index) => entryOf(entry, index + 1)),
        take,
      )
  return log === null ? readRequests(document, take) : { value: log }
}

function readRequests(document: JsonDocument, take: Take): Outcome<ReadLog> {
  const found = findConversations(document)
  if (found.problem !== undefined) return found
  const notes = createLogNotes()
  const sessions: ReadSession[] = []
  let format: string = codecs['openai-chat'].name
  for (const { request, messages } of found.value) {
    const read = requestSession(request, notes, take)
    if (read === null && messages.length > 0) return { problem: faultIn(request, messages) }
    format = read?.format ?? format
    sessions.push(read?.session ?? readSessionOf({ messages: [] }))
  }
  return { value: { format, sessions, ...notes.kept() } }
}

/** Why the dialect cannot read a conversation; a list without messages is not a conversation. */
function faultIn(request: unknown, messages: readonly unknown[]): ReadProblem {
  const text = JSON.stringify(messages[0]) ?? typeof messages[0]
  if (!messages.some((message) => isRecord(message) && 'role' in message))
    return { kind: 'no-messages', came: text.length > 60 ? `${text.slice(0, 57)}...` : text }
  const codec = detectCodec(request) ?? codecs['openai-chat']
  try {
    codec.read(request)
  } catch (error) {
    if (error instanceof ReadError) return { kind: 'not-readable', dialect: codec.name, message: error.message }
    throw error
  }
  return { kind: 'no-messages', came: 'messages in which nothing is said' }
}

/** One of this many first entries shows the format. */
const maxUndecided = 50

function readEntries(entries: Iterable<ParsedEntry>, take: Take): ReadLog | null {
  const reading = startReading(take)
  for (const parsed of entries) if (!reading.add(parsed)) return null
  return reading.finish()
}

/** Reads entries in order with the reader that recognizes one of the first. */
function startReading(take: Take) {
  const undecided: ParsedEntry[] = []
  let log: ReturnType<typeof openLog> | null = null
  const open = (reader: LogReader) => {
    const opened = openLog(reader, take)
    for (const earlier of undecided) opened.add(earlier)
    undecided.length = 0
    return opened
  }
  return {
    /** Returns false once it is clear that no reader recognizes the entries. */
    add(parsed: ParsedEntry): boolean {
      if (log !== null) {
        log.add(parsed)
        return true
      }
      undecided.push(parsed)
      const reader = readerFor(parsed, logReaders) ?? (undecided.length > maxUndecided ? plainReader(undecided) : undefined)
      if (reader !== undefined) log = open(reader)
      return log !== null || undecided.length <= maxUndecided
    },
    /** Returns null if no reader recognized an entry, or there is no message. */
    finish(): ReadLog | null {
      const plain = log === null ? plainReader(undecided) : undefined
      return (log ?? (plain === undefined ? null : open(plain)))?.finish() ?? null
    },
  }
}

function readerFor({ entry }: ParsedEntry, readers: readonly LogReader[]): LogReader | undefined {
  return entry === undefined ? undefined : readers.find(({ detect }) => detect(entry))
}

/** Messages and requests are hard to recognize, so the first line has to be one. */
function plainReader([first]: readonly ParsedEntry[]): LogReader | undefined {
  return first === undefined ? undefined : readerFor(first, plainReaders)
}

function openLog(reader: LogReader, take: Take) {
  const notes = createLogNotes()
  const reading = reader.start(notes, take)
  return {
    add(parsed: ParsedEntry) {
      if (parsed.entry === undefined) notes.skip(parsed.line, parsed.reason)
      else reading.add(parsed.entry, parsed.line, parsed.text)
    },
    /** Returns null if a reader of plain messages could read none. */
    finish(): ReadLog | null {
      const sessions = reading.finish()
      if (sessions.length === 0 && plainReaders.includes(reader)) return null
      return { format: reading.format?.() ?? reader.name, sessions, ...notes.kept() }
    },
  }
}

/** Every format that is read entry by entry. The first that recognizes an entry reads the file. */
export const logReaders: readonly LogReader[] = [
  plimsoll,
  claudeCode,
  copilot,
  codex,
  pi,
  // From here on an entry may be a complete conversation.
  opencode,
  miniSweAgent,
  sweAgent,
  tauBench,
  cline,
  snowCli,
  geminiChat,
  sweSmith,
  openHands,
  openHandsSdk,
  gemini,
]

/** Tried if none of them recognizes an entry: messages and requests as providers take them. */
export const plainReaders: readonly LogReader[] = [requestLines, messageLines]
