import { type EntryHead, type EntryTree, formatVersion, type HeaderEntry, parentOf, readHead, readLine } from '@plimsoll/core'
import { stringsFor } from '../strings/strings-for.ts'
import type { ScannedLine } from './scan-log.ts'
import type { LineTrouble } from './session.ts'

/** The head of an entry and where its line lies. */
export interface LineHead extends EntryHead {
  readonly offset: number
  readonly length: number
  /** Counted from 1. */
  readonly line: number
}

/** What is known of a log without its content. */
export interface LogIndex extends EntryTree<LineHead> {
  /** Takes the next line of the file. */
  readonly add: (line: ScannedLine) => void
  readonly has: (id: string) => boolean
  readonly troubles: readonly LineTrouble[]
  /** Says once that a line which looked whole could not be used. */
  readonly report: (head: LineHead, kind: LineTrouble['kind'], message: string) => void
  /** The first entry, where it is a header that can be read. */
  readonly header: () => HeaderEntry | null
  /** The time of the latest entry. */
  readonly latest: () => number
}

/** An index with nothing in it. `readText` reads a line that has to be looked at as a whole; null when it is not text. */
export function createLogIndex(readText: (offset: number, length: number) => string | null): LogIndex {
  const strings = stringsFor(null).session
  const heads: LineHead[] = []
  const places = new Map<string, number>()
  // Entries that only a newer version understands still say where the branch goes on.
  const newer = new Map<string, string>()
  const troubles: LineTrouble[] = []
  const reported = new Set<string>()
  let header: HeaderEntry | null = null
  let latest = 0
  let line = 0

  const trouble = (kind: LineTrouble['kind'], offset: number, message: string) => {
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
      return trouble('duplicate', offset, strings.lineDuplicate(line, head.id))
    }
    const { type, id, at } = head
    const before = heads[heads.length - 1]
    // An entry nearly always continues the one before it.
    const goesOn = before !== undefined && before.id === head.parentId
    const parent = goesOn ? before : heads[head.parentId === null ? -1 : (places.get(head.parentId) ?? -1)]
    // The parent's own copy of its id saves the memory of a second one.
    const parentId = parent?.id ?? head.parentId
    places.set(id, heads.length)
    heads.push({ type, id, parentId, at, offset, length, line })
    latest = Math.max(latest, at)
    if (!goesOn && heads.length > 1 && parentOf(index, heads.length - 1).isLost) {
      trouble('unreachable', offset, strings.lineUnreachable(line, String(parentId)))
    }
  }

  /** Parses the line: because its head is not as we write it, or because it is the header. */
  const takeWhole = (scanned: ScannedLine) => {
    const { offset, length } = scanned
    const text = readText(offset, length)
    if (text?.trim() === '') return
    const read = text === null ? ({ kind: 'torn', reason: 'not UTF-8 text' } as const) : readLine(text)
    switch (read.kind) {
      case 'torn':
        return trouble('torn', offset, strings.lineTorn(line, read.reason))
      case 'foreign':
        return trouble('foreign', offset, strings.lineForeign(line, read.reason))
      case 'newer':
        if (read.id !== null && read.parentId !== null && !places.has(read.id)) newer.set(read.id, read.parentId)
        return trouble('newer', offset, strings.lineNewer(line, read.reason))
      case 'entry':
        if (read.entry.type === 'header' && heads.length === 0) header = read.entry
        if (read.entry.type === 'header' && read.entry.version > formatVersion) {
          trouble('newer', offset, strings.newerFormat(read.entry.version, formatVersion))
        }
        return take(read.entry, scanned)
    }
  }

  const index: LogIndex = {
    heads,
    indexOf,
    troubles,
    has: (id) => places.has(id) || newer.has(id),
    header: () => header,
    latest: () => latest,
    add(scanned) {
      line += 1
      if (scanned.length === 0) return
      const head = readHead(scanned.start, scanned.length)
      if (head === null || head.type === 'header') takeWhole(scanned)
      else take(head, scanned)
    },
    report(head, kind, message) {
      const key = `${kind} ${head.line}`
      if (reported.has(key)) return
      reported.add(key)
      troubles.push({ line: head.line, offset: head.offset, kind, message })
    },
  }
  return index
}
