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
import { cleanText } from '../terminal/clean-text.ts'
import { change, grouped } from '../terminal/format.ts'
import { startProgress } from '../terminal/progress.ts'
import type { ColourOptions, Screen } from '../terminal/screen.ts'
import { cutToWidth, wrapText } from '../terminal/text-width.ts'
import type { Place } from './compact-command.ts'
import { type WindowInForce, windowSource } from './view-options.ts'

/** The result of `plimsoll compact`, as `--json` prints it. Tokens are those of the whole conversation. */
export type CompactAccount = CompactedAccount | UnchangedAccount | PreviewAccount | UndoneAccount

export interface CompactedAccount extends Place {
  readonly outcome: 'compacted'
  readonly kept: Compacted['kept']
  readonly messages: number
  readonly rounds: Segment['rounds']
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly fold: string
  /** Why the model did not write a summary. */
  readonly failure: NoticeCode | null
  /** The window of the model that writes the summary; null if code alone does. */
  readonly window: WindowInForce | null
}

export interface UnchangedAccount {
  readonly outcome: 'unchanged'
  readonly session: string
  readonly reason: Unchanged['reason']
  readonly keepRounds: number
}

export interface PreviewAccount {
  readonly outcome: 'preview'
  readonly session: string
  readonly messages: number
  readonly rounds: Segment['rounds']
  /** Whether more rounds than asked for would stay, for another compaction. */
  readonly hasMore: boolean
  /** Whether the conversation would get smaller; if not, nothing would be done. */
  readonly isSmaller: boolean
  readonly foldedTokens: number
  readonly summaryTokens: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Null if code alone writes. */
  readonly model: string | null
  readonly window: WindowInForce | null
  readonly summary: string
}

export function previewAccount(
  session: string,
  { segment, text, fold, foldedTokens, summaryTokens, tokensBefore, tokensAfter }: NonNullable<ReturnType<typeof previewSession>>,
  keepRounds: number,
  writer: Pick<PreviewAccount, 'model' | 'window'>,
): PreviewAccount {
  return {
    outcome: 'preview',
    session,
    messages: segment.messages.length,
    rounds: segment.rounds,
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

export interface UndoneAccount {
  readonly outcome: 'undone'
  readonly session: string
  readonly fold: string
  readonly messages: number
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export function compactScreen(account: CompactAccount, strings: Strings, { columns, paint }: Screen): string {
  const lines = linesOf(account, strings)
  const texts = lines.flatMap(({ text, isWhole }) => (isWhole ? [text] : wrapText(text, columns)))
  const sizes =
    account.outcome === 'unchanged'
      ? []
      : [
          ...wrapText(strings.requestCommands.beforeTrimming, columns),
          paint('bold', sizesText(account.tokensBefore, account.tokensAfter, strings)),
        ]
  return `${[...texts, ...sizes].join('\n')}\n`
}

interface Line {
  readonly text: string
  /** Never broken: a line of a summary, or a command to be copied. */
  readonly isWhole: boolean
}

function linesOf(account: CompactAccount, strings: Strings): readonly Line[] {
  const { requestCommands, turn, notices } = strings
  switch (account.outcome) {
    case 'compacted': {
      const { session, from, handle, rounds } = account
      return [
        line(strings.command.sentence(turn.roundsFolded(account.messages, rounds.folded, rounds.kept))),
        // If a model was asked in vain, the notices say what is kept.
        ...(account.failure === null || account.failure === 'summary_not_asked'
          ? [line(requestCommands.kept[account.kept])]
          : []),
        ...readingLines(account.window, strings),
        ...(account.hasMore ? [line(requestCommands.moreToFold)] : []),
        ...(from === null ? [] : [line(requestCommands.forked(session, from))]),
        ...(handle === null ? [] : [line(requestCommands.howToRecall), raw(`  plimsoll recall ${handle} --session ${session}`)]),
        ...(from === null ? [line(requestCommands.howToUndo), raw(`  plimsoll compact ${session} --undo`)] : []),
      ]
    }
    case 'unchanged':
      return [
        line(
          account.reason === 'nothing-to-fold' ? requestCommands.nothingToFold(account.keepRounds) : requestCommands.unchanged,
        ),
      ]
    case 'preview': {
      const { messages, rounds, model } = account
      return [
        ...account.summary.split('\n').map((text) => raw(escapeUnprintable(text))),
        raw(''),
        line(strings.command.sentence(turn.roundsFolded(messages, rounds.folded, rounds.kept))),
        ...(model === null ? [] : [line(requestCommands.previewedByCode(model))]),
        ...readingLines(account.window, strings),
        ...(account.hasMore ? [line(requestCommands.moreToFold)] : []),
        ...(account.isSmaller ? [] : [line(notices.compaction_ineffective)]),
        line(requestCommands.previewed),
      ]
    }
    case 'undone':
      return [line(requestCommands.undone(strings.view.messages(account.messages)))]
  }
}

function readingLines(window: WindowInForce | null, { view, requestCommands }: Strings): readonly Line[] {
  if (window === null) return []
  const tokens = grouped(window.tokens - window.reserve)
  return [line(requestCommands.writerReads(cleanText(window.model ?? ''), tokens, windowSource(window, view)))]
}

function line(text: string): Line {
  return { text, isWhole: false }
}

function raw(text: string): Line {
  return { text, isWhole: true }
}

function sizesText(before: number, after: number, { view }: Strings): string {
  return view.closing(grouped(before), grouped(after), change(before, after))
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
