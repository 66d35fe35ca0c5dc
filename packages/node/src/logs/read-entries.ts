import { createLogNotes } from './log-notes.ts'
import type { LogReader, ReadLog, Take } from './log-reader.ts'
import { logReaders, plainReaders } from './log-readers.ts'
import type { ParsedEntry } from './parse-entry.ts'

/** Among so many first entries there is one that shows the format. */
const mostUndecided = 50

/** Reads entries in order with the reader whose marks one of the first ones has. Null where there is none, or nothing was said. */
export async function readEntries(
  entries: AsyncIterable<ParsedEntry> | Iterable<ParsedEntry>,
  take: Take,
): Promise<ReadLog | null> {
  const undecided: ParsedEntry[] = []
  let log: OpenLog | null = null
  const open = (reader: LogReader) => {
    const opened = openLog(reader, take)
    for (const earlier of undecided) opened.add(earlier)
    undecided.length = 0
    return opened
  }
  for await (const parsed of entries) {
    if (log !== null) {
      log.add(parsed)
      continue
    }
    undecided.push(parsed)
    const reader = readerFor([parsed], logReaders) ?? (undecided.length > mostUndecided ? plainReader(undecided) : undefined)
    if (reader !== undefined) log = open(reader)
    else if (undecided.length > mostUndecided) return null
  }
  const plain = log === null ? plainReader(undecided) : undefined
  return (log ?? (plain === undefined ? null : open(plain)))?.finish() ?? null
}

function readerFor(entries: readonly ParsedEntry[], readers: readonly LogReader[]): LogReader | undefined {
  for (const { entry } of entries) {
    const reader = entry === undefined ? undefined : readers.find(({ detect }) => detect(entry))
    if (reader !== undefined) return reader
  }
  return undefined
}

/** Messages and requests have few marks, so the very first line has to show them. */
function plainReader(entries: readonly ParsedEntry[]): LogReader | undefined {
  return readerFor(entries.slice(0, 1), plainReaders)
}

interface OpenLog {
  readonly add: (parsed: ParsedEntry) => void
  /** Null where a reader of plain messages found none it could read. */
  readonly finish: () => ReadLog | null
}

function openLog(reader: LogReader, take: Take): OpenLog {
  const notes = createLogNotes()
  const reading = reader.start(notes, take)
  return {
    add({ line, entry, reason }) {
      if (entry === undefined) notes.skip(line, reason)
      else reading.add(entry, line)
    },
    finish() {
      const sessions = reading.finish()
      if (sessions.length === 0 && plainReaders.includes(reader)) return null
      return { format: reading.format?.() ?? reader.name, sessions, ...notes.kept() }
    },
  }
}
