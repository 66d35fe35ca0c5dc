import type { Segment } from '@plimsoll/core/compaction'
import type { Config } from '@plimsoll/core/policies'
import { escapeUnprintable } from '@plimsoll/core/text'
import type { Compacted, Unchanged } from '../../agent/compaction/compact-session.ts'
import type { previewSession } from '../../agent/compaction/plan-session.ts'
import type { CompactionStart, Emit, NoticeCode } from '../../shared/event.ts'
import { noticeText } from '../../shared/strings/strings-for.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import { sayNotices } from '../settings.ts'
import { type ColourOptions, type Screen, startProgress } from '../terminal/screen.ts'
import { change, cleanText, cutToWidth, grouped, wrapText } from '../terminal/text.ts'
import { type WindowInForce, windowSource } from './view-options.ts'

/** The result of `plimsoll compact`, as `--json` prints it. Tokens are those of the whole conversation. */
export type CompactAccount = CompactedAccount | UnchangedAccount | PreviewAccount | UndoneAccount

interface Sizes {
  readonly session: string
  /** Messages that were folded, or are shown again. */
  readonly messages: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export interface CompactedAccount extends Sizes {
  readonly outcome: 'compacted'
  /** The original of a forked session. */
  readonly from: string | null
  readonly kept: Compacted['kept']
  readonly rounds: Segment['rounds']
  readonly fold: string
  /** Recalls the folded messages. */
  readonly handle: string | null
  /** Whether another compaction would find more to fold. */
  readonly hasMore: boolean
  /** Why the model did not write a summary. */
  readonly failure: NoticeCode | null
  /** The window of the model that writes the summary; null if code alone does. */
  readonly window: WindowInForce | null
}

interface UnchangedAccount {
  readonly outcome: 'unchanged'
  readonly session: string
  readonly reason: Unchanged['reason']
  readonly keepRounds: number
}

export type PreviewAccount = Readonly<ReturnType<typeof previewAccount>>

export interface UndoneAccount extends Sizes {
  readonly outcome: 'undone'
  readonly fold: string
}

/** `model` and its `window` are null if code alone writes. */
export function previewAccount(
  session: string,
  { segment, text, fold, foldedTokens, summaryTokens, tokensBefore, tokensAfter }: NonNullable<ReturnType<typeof previewSession>>,
  keepRounds: number,
  writer: { readonly model: string | null; readonly window: WindowInForce | null },
) {
  return {
    outcome: 'preview' as const,
    session,
    messages: segment.messages.length,
    rounds: segment.rounds,
    // More rounds than asked for would stay, for another compaction.
    hasMore: segment.rounds.kept > keepRounds,
    isSmaller: fold !== null,
    foldedTokens,
    summaryTokens,
    tokensBefore,
    tokensAfter,
    ...writer,
    summary: text,
  }
}

/** Lines of a summary and commands to be copied are never broken. */
export function compactScreen(account: CompactAccount, strings: Strings, { columns, paint }: Screen): string {
  const { requestCommands, view } = strings
  const wrapped = (text: string) => wrapText(text, columns)
  const lines = [...linesOf(account, strings, wrapped)]
  if (account.outcome !== 'unchanged') {
    const { tokensBefore, tokensAfter } = account
    const sizes = view.closing(grouped(tokensBefore), grouped(tokensAfter), change(tokensBefore, tokensAfter))
    lines.push(...wrapped(requestCommands.beforeTrimming), paint('bold', sizes))
  }
  return `${lines.join('\n')}\n`
}

function linesOf(account: CompactAccount, strings: Strings, wrapped: (text: string) => readonly string[]): readonly string[] {
  const { requestCommands, turn, notices } = strings
  const { outcome, session } = account
  if (outcome === 'undone') return wrapped(requestCommands.undone(strings.view.messages(account.messages)))
  if (outcome === 'unchanged') {
    const isEmpty = account.reason === 'nothing-to-fold'
    return wrapped(isEmpty ? requestCommands.nothingToFold(account.keepRounds) : requestCommands.unchanged)
  }
  const { rounds, window, hasMore } = account
  const folded = wrapped(strings.command.sentence(turn.roundsFolded(account.messages, rounds.folded, rounds.kept)))
  const reads = grouped((window?.tokens ?? 0) - (window?.reserve ?? 0))
  const source = window === null ? '' : windowSource(window, strings.view)
  const more = [
    ...(window === null ? [] : wrapped(requestCommands.writerReads(cleanText(window.model ?? ''), reads, source))),
    ...(hasMore ? wrapped(requestCommands.moreToFold) : []),
  ]
  if (outcome === 'preview')
    return [
      ...account.summary.split('\n').map(escapeUnprintable),
      '',
      ...folded,
      ...(account.model === null ? [] : wrapped(requestCommands.previewedByCode(account.model))),
      ...more,
      ...(account.isSmaller ? [] : wrapped(notices.compaction_ineffective)),
      ...wrapped(requestCommands.previewed),
    ]
  const { from, handle, failure } = account
  return [
    ...folded,
    // If the model failed, the notices say what is kept.
    ...(failure === null || failure === 'summary_not_asked' ? wrapped(requestCommands.kept[account.kept]) : []),
    ...more,
    ...(from === null ? [] : wrapped(requestCommands.forked(session, from))),
    ...(handle === null ? [] : [...wrapped(requestCommands.howToRecall), `  plimsoll recall ${handle} --session ${session}`]),
    ...(from === null ? [...wrapped(requestCommands.howToUndo), `  plimsoll compact ${session} --undo`] : []),
  ]
}

/** Shows a model's progress with a summary, and problems afterwards. Code alone is too fast to show progress. */
export function followCompaction(
  io: CommandIo,
  model: string | null,
  config: Config,
  options: ColourOptions,
  { requestCommands }: Strings,
) {
  const shown = (text: string) => (io.stderr.isTerminal ? cutToWidth(text, (io.stderr.columns ?? 80) - 1) : text)
  const waiting = requestCommands.writing(model ?? '', config.compaction.timeout_seconds)
  const notices: string[] = []
  let progress: ReturnType<typeof startProgress> | null = null
  let start: CompactionStart | null = null
  let tokensBefore = 0
  const emit: Emit = ({ type, data }) => {
    if (type === 'compaction_start') {
      start = data
      if (data.writer === 'model') progress = startProgress(io.stderr, shown(waiting), 200)
    }
    if (type === 'compaction_progress') progress?.say(shown(`${requestCommands.written(grouped(data.written))} · ${waiting}`))
    if (type === 'compaction_end') {
      tokensBefore = data.tokensBefore
      progress?.end()
    }
    if (type === 'notification')
      notices.push(
        noticeText(data.code, data.message, config.locale) + (data.details === null ? '' : ` (${cleanText(data.details)})`),
      )
    if (type === 'error') notices.push(cleanText(data.message))
  }
  return {
    emit,
    /** Null if there was nothing to fold. */
    start: (): CompactionStart | null => start,
    tokensBefore: () => tokensBefore,
    end() {
      progress?.end()
      sayNotices(io, notices.splice(0), options)
    },
  }
}
