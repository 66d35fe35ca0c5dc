import type { Message } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import { titleOf } from '../session/shown-message.ts'
import type { SkipReason } from '../strings/english/requests.ts'
import type { Strings } from '../strings/strings-for.ts'
import type { Fields } from './fields.ts'
import type { Reported } from './read-usage.ts'

export interface ReadLog {
  /** The name of the reader, or of the dialect if the file holds requests. */
  readonly format: string
  readonly sessions: readonly ReadSession[]
  readonly skipped: readonly SkippedEntry[]
  /** How many entries hold no part of a conversation, by their type: an agent's own bookkeeping. */
  readonly unread: Readonly<Record<string, number>>
}

export interface ReadSession {
  readonly id: string | null
  /** The title in the log, else the start of the first user message; null if there is neither. */
  readonly title: string | null
  readonly root?: string
  readonly model?: string
  readonly messages: readonly Message[]
  readonly usages: readonly ReportedUsage[]
  /** Answers that were paid for but are not in `messages`: of sub-agents, and of branches that were left. */
  readonly otherUsages?: readonly OtherUsage[]
  /** How many answers have usage that cannot be; it is not among the others. */
  readonly badUsages?: number
  readonly compactions: number
  /** How many messages belong to agents that this conversation started; they are not among `messages`. */
  readonly sidechains: number
  /** How many messages are on branches that were left by a rewind or a retry; they are not among `messages`. */
  readonly abandoned: number
  /**
   * For the id of a summary among `messages`, the id of the first older message that stayed in the context with it, with all that
   * came between the two. A summary that is named neither here nor in `keptMessages` replaced everything before it.
   */
  readonly keptFrom?: ReadonlyMap<string, string>
  /** The same for a log that names each message that stayed in the context: not all from one on, or before the summary. */
  readonly keptMessages?: ReadonlyMap<string, KeptMessages>
}

export interface KeptMessages {
  readonly ids: ReadonlySet<string>
  /** Where later requests have them. */
  readonly place: 'before-summary' | 'after-summary'
}

export interface ReportedUsage {
  /** The id of the message that the response brought. */
  readonly after: string
  readonly usage: Usage
  /** Its cost in dollars, if the log has it. */
  readonly cost?: number
  /** Output tokens of reasoning, and searches by the provider's own tool, if the log has them. */
  readonly reasoning?: number
  readonly webSearches?: number
  readonly model: string | null
  /** The provider's name for the answer, which may be in several logs. */
  readonly answer?: string
}

export interface OtherUsage extends Omit<ReportedUsage, 'after'> {
  readonly at: number | null
  /** Set for a sum of several answers that may be among the messages: their number. */
  readonly answers?: number
}

export interface SkippedEntry {
  /** The line in JSON lines, the position in a list; from 1. */
  readonly line: number
  readonly reason: SkipReason
}

export interface LogReader {
  readonly name: string
  readonly detect: (entry: Fields) => boolean
  readonly start: (notes: LogNotes, take: Take) => LogReading
}

/**
 * Transforms a message as soon as it was read, so that a caller that only measures need not hold the texts of a long file. It keeps
 * id, role and number of parts. A piece cut out of a text with `slice` may keep the complete text in memory.
 */
export type Take = (message: Message) => Message

/** A log on its way through a reader. Never throws, regardless of the entries. */
export interface LogReading {
  /** `text` is the line that the entry was read from, if it was one. */
  readonly add: (entry: Fields, line: number, text?: string) => void
  readonly finish: () => readonly ReadSession[]
  /** The format, if only the complete log shows it. Default: the reader's name. */
  readonly format?: () => string
}

export interface LogNotes {
  readonly skip: (line: number, reason: SkipReason) => void
  /** An entry, or a part of one, that does not belong to the conversation. */
  readonly pass: (type: string) => void
}

/** The usage of an answer as it was read. Without `after` the answer is not among the messages; `at` is for such answers. */
export interface FoundUsage extends Reported, Pick<OtherUsage, 'model' | 'answer' | 'answers'> {
  readonly after?: string
  readonly at?: number | null | undefined
}

export type KnownSession = Pick<ReadSession, 'messages'> &
  Partial<Pick<ReadSession, 'sidechains' | 'abandoned' | 'keptFrom'>> & {
    readonly [name in 'id' | 'title' | 'root' | 'model']?: string | null
  } & { readonly usages?: readonly FoundUsage[] }

/** Fills in what a log does not say. Drops kept messages of messages on other branches, or merged into others. */
export function readSessionOf(known: KnownSession): ReadSession {
  const { id = null, title = null, root = null, model = null, messages, keptFrom } = known
  const ids = new Set(messages.map((message) => message.id))
  const kept = new Map([...(keptFrom ?? [])].filter(([summary, first]) => ids.has(summary) && ids.has(first)))
  return {
    id,
    title: title ?? titleOf(messages),
    ...(root === null ? {} : { root }),
    ...(model === null ? {} : { model }),
    messages,
    ...sortedUsages(known.usages ?? [], ids),
    compactions: messages.filter(({ summary }) => summary === true).length,
    sidechains: known.sidechains ?? 0,
    abandoned: known.abandoned ?? 0,
    ...(kept.size === 0 ? {} : { keptFrom: kept }),
  }
}

/** Usage of messages, of answers that are not among them, and how often it cannot be. */
export function sortedUsages(
  found: readonly FoundUsage[],
  ids: ReadonlySet<string>,
): Pick<ReadSession, 'usages' | 'otherUsages' | 'badUsages'> {
  const usages: ReportedUsage[] = []
  const otherUsages: OtherUsage[] = []
  let badUsages = 0
  for (const { after, at = null, usage, ...rest } of found) {
    if (usage === null) badUsages += 1
    else if (after !== undefined && ids.has(after)) usages.push({ after, usage, ...rest })
    else otherUsages.push({ at, usage, ...rest })
  }
  return { usages, ...(otherUsages.length === 0 ? {} : { otherUsages }), ...(badUsages === 0 ? {} : { badUsages }) }
}

type RecordReader = Pick<LogReader, 'name' | 'detect'> & {
  /** Never throws, regardless of the entry. Returns null if it holds no conversation. */
  readonly read: (entry: Fields, notes: LogNotes, take: Take) => ReadSession | null
}

/** A reader of a format in which each entry is a complete conversation: the only one of a file, an item of a list, or a line. */
export function createRecordReader({ name, detect, read }: RecordReader): LogReader {
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

/**
 * The messages in the context right after a compaction: the summary, and the older messages that were kept, in order.
 * `context` is what was in the context before. Messages that were compacted earlier are not in it, so they do not come back.
 */
export function contextAfter(
  { keptFrom, keptMessages }: Pick<ReadSession, 'keptFrom' | 'keptMessages'>,
  summary: Message,
  context: readonly Message[],
): readonly Message[] {
  const first = keptFrom?.get(summary.id)
  const from = first === undefined ? -1 : context.findIndex(({ id }) => id === first)
  if (from >= 0) return [summary, ...context.slice(from)]
  const named = keptMessages?.get(summary.id)
  if (named === undefined) return [summary]
  const kept = context.filter(({ id }) => named.ids.has(id))
  return named.place === 'before-summary' ? [...kept, summary] : [summary, ...kept]
}

/** The messages of a session that are in the context at its end: what the last compaction left, and everything since. */
export function contextAtEnd(session: ReadSession): readonly Message[] {
  let context: Message[] = []
  for (const message of session.messages) {
    if (message.summary === true) context = [...contextAfter(session, message, context)]
    else context.push(message)
  }
  return context
}

/** Reports which lines could not be read, with the first of them and why. `clean` makes a reason that is not one of ours safe to show. */
export function skippedSentences(
  skipped: readonly { readonly line: number; readonly reason: string }[],
  view: Strings['view'],
  clean: (reason: string) => string = (reason) => reason,
): readonly string[] {
  const reasonText = (reason: string) =>
    Object.hasOwn(view.skipReasons, reason) ? view.skipReasons[reason as keyof typeof view.skipReasons] : clean(reason)
  // The line of a damaged compaction is read; only the messages that it names are missing.
  const damaged: SkipReason = 'bad-compaction'
  // So is one whose checksum does not match.
  const altered: SkipReason = 'changed'
  const lines = skipped.filter(({ reason }) => reason !== damaged && reason !== altered)
  const compactions = skipped.filter(({ reason }) => reason === damaged)
  const changed = skipped.filter(({ reason }) => reason === altered)
  return [
    ...lines.slice(0, 1).map(({ line, reason }) => view.skippedLines(lines.length, line, reasonText(reason))),
    ...compactions.slice(0, 1).map(({ line }) => view.damagedCompactions(compactions.length, line)),
    ...changed.slice(0, 1).map(({ line }) => view.changedLines(changed.length, line)),
  ]
}
