import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import {
  type EntryHead,
  formatVersion,
  type HeaderEntry,
  headLength,
  parentOf,
  type ReadLine,
  readHead,
  readLine,
} from '@plimsoll/core/session'
import { stringsFor } from '../strings/strings-for.ts'
import { readFully } from './durable-file.ts'
import { type ChainEnd, createLineCheck, createLogChain, foreignSum, type LineSum } from './log-chain.ts'
import type { LineProblem } from './session.ts'
import { SessionError } from './session-error.ts'

export interface LineHead extends EntryHead {
  readonly offset: number
  readonly length: number
  readonly line: number
}

export type LogIndex = ReturnType<typeof createLogIndex>

/**
 * The heads of a log without its content. `readText` reads a line that has to be parsed; null if it is not text. `expected` is the end
 * that was written down next to the log. Default: unknown.
 */
export function createLogIndex(readText: (offset: number, length: number) => string | null, expected: ChainEnd | null = null) {
  const strings = stringsFor(null).session
  const heads: LineHead[] = []
  const places = new Map<string, number>()
  // Entries that only a newer version understands still connect a branch.
  const newer = new Map<string, string>()
  const troubles: LineProblem[] = []
  const chain = createLogChain(expected)
  const reported = new Set<string>()
  let header: HeaderEntry | null = null
  let latest = 0
  let line = 0

  const problem = (kind: LineProblem['kind'], offset: number, message: string) => {
    troubles.push({ line, offset, kind, message })
  }

  const indexOf = (id: string): number => {
    for (let at: string | undefined = id, steps = 0; at !== undefined && steps <= newer.size; at = newer.get(at), steps += 1) {
      const place = places.get(at)
      if (place !== undefined) return place
    }
    return -1
  }

  const take = (head: EntryHead, { offset, length }: ScannedLine) => {
    if (places.has(head.id) || (head.type === 'header' && heads.length > 0)) {
      return problem('duplicate', offset, strings.lineDuplicate(line, head.id))
    }
    const { type, id, at } = head
    const before = heads[heads.length - 1]
    const isNext = before !== undefined && before.id === head.parentId
    const parent = isNext ? before : heads[head.parentId === null ? -1 : (places.get(head.parentId) ?? -1)]
    // The parent's own string saves the memory of a second one.
    const parentId = parent?.id ?? head.parentId
    places.set(id, heads.length)
    heads.push({ type, id, parentId, at, offset, length, line })
    latest = Math.max(latest, at)
    if (!isNext && heads.length > 1 && parentOf({ heads, indexOf }, heads.length - 1).isLost) {
      problem('unreachable', offset, strings.lineUnreachable(line, String(parentId)))
    }
  }

  let inOtherForm: LineSum | null = null

  /** Parses the line, because its head is not as we write it, or because it is the header. */
  const takeWhole = (scanned: ScannedLine) => {
    const { offset, length } = scanned
    const text = readText(offset, length)
    if (text?.trim() === '') return
    const read = readLineText(text)
    if (read.kind === 'entry' && read.sum !== undefined) inOtherForm ??= foreignSum(read.sum)
    if (read.kind !== 'entry') {
      if (read.kind === 'newer' && read.id !== null && read.parentId !== null && !places.has(read.id))
        newer.set(read.id, read.parentId)
      return problem(read.kind, offset, lineProblemText(read.kind, line, read.reason))
    }
    if (read.entry.type === 'header' && heads.length === 0) header = read.entry
    if (read.entry.type === 'header' && read.entry.version > formatVersion)
      problem('newer', offset, strings.newerFormat(read.entry.version, formatVersion))
    return take(read.entry, scanned)
  }

  return {
    heads: heads as readonly LineHead[],
    indexOf,
    troubles: (): readonly LineProblem[] => [...troubles, ...chain.problems()],
    /** The last line with a checksum, which the next one continues. */
    end: () => chain.end(),
    has: (id: string) => places.has(id) || newer.has(id),
    /** The first entry, if it is a header that can be read. */
    header: () => header,
    latest: () => latest,
    add: (scanned: ScannedLine): void => {
      line += 1
      if (scanned.length === 0) return
      const [before, entries] = [troubles.length, heads.length]
      inOtherForm = scanned.sum
      const head = readHead(scanned.start, scanned.length)
      if (head === null || head.type === 'header') takeWhole(scanned)
      else take(head, scanned)
      const [isReported, isLost] = [troubles.length > before, heads.length === entries]
      const isPlainHeader = line === 1 && header !== null && inOtherForm === null
      chain.take({ line, offset: scanned.offset, sum: inOtherForm, isPlainHeader, isReported, isLost: isReported && isLost })
    },
    /** Reports once that a line which looked complete could not be used. */
    report(head: LineHead, kind: LineProblem['kind'], message: string): void {
      const key = `${kind} ${head.line}`
      if (reported.has(key)) return
      reported.add(key)
      // It says more than that the line was changed.
      if (kind !== 'blob') chain.drop(head.line)
      troubles.push({ line: head.line, offset: head.offset, kind, message })
    },
  }
}

export function readLineText(text: string | null): ReadLine {
  return text === null ? { kind: 'torn', reason: 'not UTF-8 text' } : readLine(text)
}

export function lineProblemText(kind: 'torn' | 'foreign' | 'newer', line: number, reason: string): string {
  const { lineTorn, lineForeign, lineNewer } = stringsFor(null).session
  return { torn: lineTorn, foreign: lineForeign, newer: lineNewer }[kind](line, reason)
}

/** Reads lines of an open file by place, neighbours together. Throws once the file is closed. */
export function createLineReader(handle: FileHandle): (offset: number, length: number) => string | null {
  let usual: Buffer | null = null
  let window: Buffer = Buffer.alloc(0)
  let windowStart = 0
  return (offset, length) => {
    if (offset < windowStart || offset + length > windowStart + window.length) {
      // Another file may have the descriptor of a closed one.
      if (handle.fd < 0) throw new SessionError({ kind: 'closed' })
      const buffer = length > windowLength ? Buffer.allocUnsafe(length) : (usual ??= Buffer.allocUnsafe(windowLength))
      window = buffer.subarray(0, readFully(handle.fd, buffer, offset))
      windowStart = offset
    }
    const bytes = window.subarray(offset - windowStart, offset - windowStart + length)
    // A window for one huge line is not kept.
    if (window.length > windowLength) window = Buffer.alloc(0)
    if (bytes.length < length || !isUtf8(bytes)) return null
    try {
      return bytes.toString('utf8')
    } catch {
      return null
    }
  }
}

const windowLength = 1 << 16

export interface ScannedLine {
  readonly offset: number
  readonly length: number
  /** The beginning of the line, one character per byte. */
  readonly start: string
  /** Its checksum; null if it has none. */
  readonly sum: LineSum | null
}

export interface Scanned {
  readonly length: number
  /** Whether the file ends with a complete line, or is empty. */
  readonly isComplete: boolean
}

const chunkLength = 1 << 20
const newline = 0x0a

/** Visits the lines of a file from the start of a line on, with at most a chunk in memory. */
export async function scanLines(handle: FileHandle, from: number, visit: (line: ScannedLine) => void): Promise<Scanned> {
  const { size } = await handle.stat()
  const chunk = Buffer.allocUnsafe(Math.min(chunkLength, Math.max(1, size - from)))
  let length = from
  let offset = from
  let start = ''
  const check = createLineCheck()
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, length)
    if (bytesRead === 0) break
    for (let at = 0; at < bytesRead; ) {
      const found = chunk.indexOf(newline, at)
      const isEnd = found >= 0 && found < bytesRead
      const end = isEnd ? found : bytesRead
      if (start.length < headLength) start += chunk.toString('latin1', at, Math.min(end, at + headLength - start.length))
      const piece = chunk.subarray(at, end)
      const isWhole = isEnd && offset === length + at
      if (!isWhole) check.take(piece)
      if (isEnd) {
        const sum = isWhole ? check.whole(piece, start) : check.end()
        visit({ offset, length: length + end - offset, start, sum })
        offset = length + end + 1
        start = ''
      }
      at = end + 1
    }
    length += bytesRead
  }
  if (length > offset) visit({ offset, length: length - offset, start, sum: check.end() })
  return { length, isComplete: length === offset }
}
