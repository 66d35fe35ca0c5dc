import type { Message } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import { titleOf } from '../session/shown-message.ts'
import type { SkipReason } from '../strings/english/view.ts'

export interface ReadLog {
  /** The name of the reader, or of the dialect where the file holds requests. */
  readonly format: string
  readonly sessions: readonly ReadSession[]
  readonly skipped: readonly SkippedEntry[]
  /** How many entries hold no part of a conversation, by their type: an agent's own bookkeeping. */
  readonly unread: Readonly<Record<string, number>>
}

export interface ReadSession {
  readonly id: string | null
  /** What the log calls it, else the beginning of the first thing a person said; null when nobody said anything. */
  readonly title: string | null
  readonly root?: string
  readonly model?: string
  readonly messages: readonly Message[]
  /** What the provider reported, once for each response. */
  readonly usages: readonly ReportedUsage[]
  /** How many summaries of the log's own stand among the messages. */
  readonly compactions: number
  /** How many messages belong to agents that this conversation started; they are not among `messages`. */
  readonly sidechains: number
  /** How many messages stand on branches that were left by a rewind or a retry; they are not among `messages`. */
  readonly abandoned: number
  /**
   * For the id of a summary among `messages`, the id of the first older message that stayed in the context beside it, with all that
   * came between the two. A summary that is named neither here nor in `keptMessages` replaced everything before it.
   */
  readonly keptFrom?: ReadonlyMap<string, string>
  /** The same for a log that names each message that stayed in the context: not all from one on, or before the summary. */
  readonly keptMessages?: ReadonlyMap<string, KeptMessages>
}

/** Older messages that stayed in the context after a compaction. */
export interface KeptMessages {
  readonly ids: ReadonlySet<string>
  /** Where later requests have them. */
  readonly place: 'before-summary' | 'after-summary'
}

export interface ReportedUsage {
  /** The id of the message that the response brought. */
  readonly after: string
  readonly usage: Usage
  readonly model: string | null
}

export interface SkippedEntry {
  /** The line in JSON lines, the position in a list; from 1. */
  readonly line: number
  readonly reason: SkipReason
}

/** An entry of a log, of which only its being an object is known. */
export type Fields = Readonly<Record<string, unknown>>

export interface LogReader {
  readonly name: string
  readonly detect: (entry: Fields) => boolean
  readonly start: (notes: LogNotes, take: Take) => LogReading
}

/**
 * What becomes of a message as soon as it was read, so that a caller that only measures need not hold a long file's texts. It keeps
 * id, role and number of parts. A piece cut out of a text with `slice` may hold on to the whole of it.
 */
export type Take = (message: Message) => Message

/** A log on its way through a reader. Never throws for what an entry may be. */
export interface LogReading {
  readonly add: (entry: Fields, line: number) => void
  readonly finish: () => readonly ReadSession[]
  /** The name of what was read, where it is told only by all of it. Default: the reader's. */
  readonly format?: () => string
}

/** Where a reader says what it did not take. */
export interface LogNotes {
  readonly skip: (line: number, reason: SkipReason) => void
  /** An entry, or a part of one, that is no part of the conversation. */
  readonly pass: (type: string) => void
}

export type KnownSession = Pick<ReadSession, 'messages'> &
  Partial<Pick<ReadSession, 'usages' | 'sidechains' | 'abandoned' | 'keptFrom'>> & {
    readonly [name in 'id' | 'title' | 'root' | 'model']?: string | null
  }

/**
 * A session of what a log says; what it does not say is left out, told from the messages, or none. So is what it says of messages that
 * are not there: they may stand on another branch, or have gone into others.
 */
export function readSessionOf(known: KnownSession): ReadSession {
  const { id = null, title = null, root = null, model = null, messages, usages = [], keptFrom } = known
  const ids = new Set(messages.map((message) => message.id))
  const kept = new Map([...(keptFrom ?? [])].filter(([summary, first]) => ids.has(summary) && ids.has(first)))
  return {
    id,
    title: title ?? titleOf(messages),
    ...(root === null ? {} : { root }),
    ...(model === null ? {} : { model }),
    messages,
    usages: usages.filter(({ after }) => ids.has(after)),
    compactions: messages.filter(({ summary }) => summary === true).length,
    sidechains: known.sidechains ?? 0,
    abandoned: known.abandoned ?? 0,
    ...(kept.size === 0 ? {} : { keptFrom: kept }),
  }
}

/**
 * A reader of a format in which one entry is one whole conversation: a file that holds nothing else, an item of a list, or a line.
 * `read` never throws for what an entry may be; null where it holds no conversation. An entry without the marks is told as one that
 * should hold a conversation.
 */
export function createRecordReader({
  name,
  detect,
  read,
}: Pick<LogReader, 'name' | 'detect'> & {
  readonly read: (entry: Fields, notes: LogNotes, take: Take) => ReadSession | null
}): LogReader {
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
