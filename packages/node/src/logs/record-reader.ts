import type { Fields, LogNotes, LogReader, ReadSession, Take } from './log-reader.ts'

/** A format in which one entry is one whole conversation: a file that holds nothing else, an item of a list, or a line. */
export interface RecordFormat {
  readonly name: string
  /** Whether an entry has the marks of this format. */
  readonly detect: (entry: Fields) => boolean
  /** Reads one entry. Never throws for what it may be; null where it holds no conversation. */
  readonly read: (entry: Fields, notes: LogNotes, take: Take) => ReadSession | null
}

/** A reader of such a format. An entry without the marks is told as one that should hold a conversation. */
export function createRecordReader({ name, detect, read }: RecordFormat): LogReader {
  return {
    name,
    detect,
    start(notes, take) {
      const sessions: ReadSession[] = []
      return {
        add(entry, line) {
          const session = detect(entry) ? read(entry, notes, take) : null
          if (session === null || session.messages.length === 0) notes.skip(line, 'no-message')
          else sessions.push(session)
        },
        finish: () => sessions,
      }
    },
  }
}
