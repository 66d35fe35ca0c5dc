import { createReadStream } from 'node:fs'
import type { Message } from '@plimsoll/core'
import { readTextFile, troubleOf } from '../files/read-text.ts'
import type { Outcome } from '../files/trouble.ts'
import { UnpackError, unpackBytes } from '../files/unpack.ts'
import { logLines } from './log-lines.ts'
import { createLogNotes, type KeptNotes } from './log-notes.ts'
import type { ReadLog, ReadSession, Take } from './log-reader.ts'
import { isDatabase, readOpencodeDatabase } from './opencode-database.ts'
import { isOpencodeSessionFile, readOpencodeStore } from './opencode-store.ts'
import { isOpenHandsEventFile, readOpenHandsStore } from './openhands-store.ts'
import { type ParsedEntry, parseEntry } from './parse-entry.ts'
import { readDocument } from './read-document.ts'
import { readEntries } from './read-entries.ts'

/** How a log is read. */
export interface ReadLogOptions {
  /** Applied to each message as soon as it was read, so that no more is held than it leaves. Default: the message as it is. */
  readonly take?: Take
  /** Whether a JSON document that was cut off is refused, where its first items could be read. Default: false. */
  readonly isWhole?: boolean
}

/**
 * Reads an agent's log, or any conversation a codec reads; the format is told from the content. Never throws for what a file may be.
 * A file of lines is held one line at a time and may have any size; one that is a single JSON value is held whole, up to 256 MB.
 * What is packed with gzip or Zstandard is unpacked on the way.
 */
export async function readLog(path: string, { take = asItIs, isWhole = false }: ReadLogOptions = {}): Promise<Outcome<ReadLog>> {
  try {
    return (
      (await readStore(path, take)) ??
      (await readSource(
        { bytes: () => unpackBytes(createReadStream(path, { highWaterMark: 1 << 20 })), text: () => readTextFile(path), isWhole },
        take,
      ))
    )
  } catch (error) {
    return { trouble: troubleOf(error) }
  }
}

/** As `readLog`, for a text that is in memory. */
export async function readLogText(
  text: string,
  { take = asItIs, isWhole = false }: ReadLogOptions = {},
): Promise<Outcome<ReadLog>> {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return readSource({ bytes: () => [Buffer.from(bare)], text: () => Promise.resolve({ value: bare }), isWhole }, take)
}

function asItIs(message: Message): Message {
  return message
}

/** What opencode and OpenHands keep in many files, or in a database; null for any other file. */
async function readStore(path: string, take: Take): Promise<Outcome<ReadLog> | null> {
  const notes = createLogNotes()
  if (await isDatabase(path)) {
    const sessions = readOpencodeDatabase(path, notes, take)
    return sessions === null ? { trouble: { kind: 'other-format', format: 'a SQLite database' } } : logOf(sessions, notes)
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

/** What can be read from its beginning more than once. */
interface Source {
  readonly bytes: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly text: () => Promise<Outcome<string>>
  readonly isWhole: boolean
}

async function readSource(source: Source, take: Take): Promise<Outcome<ReadLog>> {
  const first = await firstLine(source)
  // In a document on many lines, the last item of a list may stand on a line of its own and would be taken for an entry.
  const document = first === 'cut' ? await readWhole(source, take) : null
  if (document?.value !== undefined) return document
  const log = first === 'list' ? null : await readEntries(parsedLines(source), take)
  return log === null ? (document ?? readWhole(source, take)) : { value: log }
}

async function readWhole(source: Source, take: Take): Promise<Outcome<ReadLog>> {
  const text = await source.text()
  return text.trouble === undefined ? readDocument(text.value, take, source.isWhole) : text
}

/** What a file begins with: a list, a line that is only a part of something, or anything else. */
async function firstLine(source: Source): Promise<'list' | 'cut' | 'other'> {
  for await (const line of logLines(source.bytes())) {
    const start = line.text?.trimStart()[0]
    if (start === '[') return 'list'
    return start === '{' && parseEntry(line).reason === 'not-json' ? 'cut' : 'other'
  }
  return 'other'
}

async function* parsedLines({ bytes }: Source): AsyncGenerator<ParsedEntry, void> {
  let last = 0
  try {
    for await (const line of logLines(bytes())) {
      last = line.line
      yield parseEntry(line)
    }
  } catch (error) {
    if (!(error instanceof UnpackError) || error.kind !== 'damaged' || last === 0) throw error
    yield { line: last + 1, reason: 'cut-off' }
  }
}
