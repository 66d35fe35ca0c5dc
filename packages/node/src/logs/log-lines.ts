import { isUtf8 } from 'node:buffer'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { findJsonExcess } from '../files/json-excess.ts'
import { readTextFile } from '../files/read-text.ts'
import type { SkipReason } from '../strings/english/requests.ts'
import { type Fields, parseFields } from './fields.ts'
import type { LogNotes, ReadLog, SkippedEntry } from './log-reader.ts'

export type LogLine =
  | { readonly line: number; readonly text: string; readonly reason?: never }
  | { readonly line: number; readonly reason: SkipReason; readonly text?: never }

/** The lines of a log as they arrive, one at a time, without blank lines and a byte order mark. */
export async function* logLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest?: number,
): AsyncGenerator<LogLine, void> {
  for await (const lines of logLineGroups(chunks, longest)) yield* lines
}

/** The same in groups, one for each piece that arrives: waiting for each line would take longer than most lines. Take a group before the next. */
export async function* logLineGroups(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest?: number,
): AsyncGenerator<Iterable<LogLine>, void> {
  const splitter = createLineSplitter(longest)
  for await (const chunk of chunks) yield readLines(splitter.split(chunk))
  yield readLines(splitter.rest())
}

function* readLines(raw: Iterable<RawLine>): Generator<LogLine, void> {
  for (const { line, bytes } of raw) {
    const read: LogLine | null = bytes === null ? { line, reason: 'too-long' } : lineOf(bytes, line)
    if (read !== null) yield read
  }
}

function lineOf(bytes: Buffer, line: number): LogLine | null {
  if (!isUtf8(bytes)) return { line, reason: 'not-utf8' }
  const text = bytes.toString('utf8')
  const bare = line === 1 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return /\S/.test(bare) ? { line, text: bare } : null
}

export interface RawLine {
  readonly line: number
  /** Null for a line that is longer than any entry. */
  readonly bytes: Buffer | null
  /** Whether a newline ends it; only the last line may lack one. */
  readonly isEnded: boolean
}

/** No image or result makes a line this long. */
const maxLineLength = 256_000_000

/** Cuts a stream of bytes into lines as they arrive, blank ones included, and holds only one line at a time. */
export async function* rawLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest?: number,
): AsyncGenerator<RawLine, void> {
  const splitter = createLineSplitter(longest)
  for await (const chunk of chunks)
    for (const line of splitter.split(chunk)) yield { ...line, bytes: line.bytes === null ? null : Buffer.from(line.bytes) }
  yield* splitter.rest()
}

/** Lines may share their memory with the chunk they came in: use them before the next. */
function createLineSplitter(longest: number = maxLineLength) {
  let line = 1
  let pieces: Buffer[] = []
  let size = 0
  const take = (piece: Buffer) => {
    size += piece.length
    if (size <= longest) pieces.push(piece)
    else pieces = []
  }
  const end = (isEnded: boolean): RawLine => {
    const [first] = pieces
    const bytes = first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)
    const ended = { line, bytes: size > longest ? null : bytes, isEnded }
    pieces = []
    size = 0
    line += 1
    return ended
  }
  return {
    *split(chunk: Uint8Array): Generator<RawLine, void> {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      let start = 0
      for (let newline = bytes.indexOf(newlineByte); newline >= 0; newline = bytes.indexOf(newlineByte, start)) {
        take(bytes.subarray(start, newline))
        start = newline + 1
        yield end(true)
      }
      // The memory of the chunk may be reused.
      if (start < bytes.length) take(Buffer.from(bytes.subarray(start)))
    },
    rest: (): readonly RawLine[] => (size > 0 ? [end(false)] : []),
  }
}

const newlineByte = 0x0a

export type ParsedEntry =
  | { readonly line: number; readonly entry: Fields; readonly text?: string; readonly reason?: never }
  | { readonly line: number; readonly reason: SkipReason; readonly entry?: never }

/** Deeper values cannot be walked safely; more values would not fit into memory. */
const limits = { depth: 1000, values: 5_000_000 }

export function parseEntry({ line, text, reason }: LogLine): ParsedEntry {
  if (text === undefined) return { line, reason }
  const excess = findJsonExcess(text, limits)
  if (excess !== null) return { line, reason: excess.kind === 'depth' ? 'too-deep' : 'too-long' }
  const value = parseJson(text)
  if (value === undefined) return { line, reason: 'not-json' }
  return isRecord(value) ? { line, entry: value, text } : entryOf(value, line)
}

/** The mapping that a JSON file holds; null if there is none, or if it is empty. */
export async function readFields(path: string): Promise<Fields | null> {
  const { value } = await readTextFile(path)
  const fields = value === undefined ? {} : parseFields(value)
  return Object.keys(fields).length === 0 ? null : fields
}

export function entryOf(value: unknown, line: number): ParsedEntry {
  return isRecord(value) ? { line, entry: value } : { line, reason: 'not-an-object' }
}

export type KeptNotes = LogNotes & { readonly kept: () => Pick<ReadLog, 'skipped' | 'unread'> }

/** A hostile file may name any number of types. */
const maxTypes = 200
/** Further unreadable entries are only counted by their reason. */
const maxSkipped = 100_000

export function createLogNotes(): KeptNotes {
  const skipped: SkippedEntry[] = []
  const unread = new Map<string, number>()
  return {
    skip(line, reason) {
      if (skipped.length < maxSkipped) skipped.push({ line, reason })
      else pass(`unreadable/${reason}`)
    },
    pass,
    kept: () => ({ skipped, unread: Object.fromEntries(unread) }),
  }

  function pass(type: string): void {
    const known = type.slice(0, 60)
    const name = unread.has(known) || unread.size < maxTypes ? known : 'others'
    unread.set(name, (unread.get(name) ?? 0) + 1)
  }
}
