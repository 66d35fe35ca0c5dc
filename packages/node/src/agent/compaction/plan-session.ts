import { applyEdits, type Facts, type Tokenizer } from '@plimsoll/core'
import {
  acceptSummary,
  foldLine,
  foldSegment,
  planCompaction,
  roundsOf,
  type Segment,
  type SummaryWriter,
  writeSummary,
} from '@plimsoll/core/compaction'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { Config, FoldEdit } from '@plimsoll/core/policies'
import { transcriptHandle } from '@plimsoll/core/session'
import { countMessage, countMessages, estimator, modelStringsIn } from '@plimsoll/core/text'
import { describeFailure } from '../../model/model-client.ts'
import { SummaryError } from '../../model/summary-writer.ts'
import type { StoredSession } from '../../session/session.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { TimeLimitError, within } from '../../tools/work-limits.ts'
import { noticePolicy, withoutNotices } from './compaction-history.ts'

export interface PlanSessionOptions {
  readonly config: Config
  /** How many of the latest rounds stay. Default: as configured. */
  readonly keepRounds?: number | undefined
  /** Whether the user asked for it: then neither a short conversation nor earlier failures prevent it. Default: false. */
  readonly force?: boolean | undefined
  readonly now?: number | undefined
  readonly tokens?: Tokenizer | undefined
}

export type PlannedSegment = NonNullable<ReturnType<typeof planSession>>

/** The rounds of a session to fold now, or null. Rounds behind a mere notice count as not folded. */
export function planSession(session: StoredSession, options: PlanSessionOptions) {
  const { config, force = false } = options
  const state = session.state()
  const unfolded = withoutNotices(session, state)
  const segment = planCompaction(unfolded.messages, {
    keepRounds: options.keepRounds ?? config.compaction.keep_rounds,
    minMessages: force ? 0 : config.compaction.min_messages,
    pins: state.pins,
  })
  const { now, tokens } = options
  const facts: Facts = {
    config,
    pins: state.pins,
    ...(now === undefined ? {} : { now }),
    ...(tokens === undefined ? {} : { tokens }),
    strings: modelStringsIn(state.header.strings),
    ...(state.header.root === undefined ? {} : { root: state.header.root }),
  }
  return segment === null ? null : { state, unfolded, segment, facts }
}

type PreviewOptions = PlanSessionOptions & { readonly focus?: string | undefined }

/** Plans the compaction of a session without a model; null if there is nothing to fold. Changes nothing. */
export function previewSession(session: StoredSession, options: PreviewOptions) {
  const { focus, tokens = estimator } = options
  const planned = planSession(session, options)
  if (planned === null) return null
  const { state, segment, facts } = planned
  const text = writeSummary(segment, facts, focus === undefined ? {} : { focus })
  const written = foldSegment(segment, text, facts)
  const effect = written === null ? null : foldEffect(written, 'outline', planned, options)
  const fold = effect === null ? null : written
  const tokensBefore = countMessages(state.messages, tokens)
  return {
    segment,
    text,
    fold,
    foldedTokens: countMessages(segment.messages, tokens),
    summaryTokens: fold === null || fold.into === null ? tokens.count(text) : countMessage(fold.into, tokens),
    tokensBefore,
    tokensAfter: effect?.tokensAfter ?? tokensBefore,
  }
}

/** The usual number of rounds, or half of them if nothing could be folded otherwise; null if there is nothing either way. */
export function roundsToKeep(session: StoredSession, options: Pick<PreviewOptions, 'config' | 'now' | 'focus'>): number | null {
  const usual = options.config.compaction.keep_rounds
  const fewer = Math.max(1, Math.floor(Math.min(roundsOf(session.state().messages).length, usual) / 2))
  const isEnough = (keepRounds: number) => previewSession(session, { ...options, keepRounds, force: true }) !== null
  return [usual, fewer].find(isEnough) ?? null
}

interface WriteFoldOptions {
  /** Null writes an outline from the log. */
  readonly writer: SummaryWriter | null
  /** Why not to call the writer; null to call it. */
  readonly refusal: SummaryError | null
  readonly config: Config
  readonly facts: Facts
  readonly focus: string | undefined
  readonly progress: (written: number) => void
  readonly cancel: AbortSignal | null
}

export interface WrittenFold {
  /** Null if nothing smaller than the messages could be written. */
  readonly fold: FoldEdit | null
  readonly kept: 'summary' | 'outline' | 'notice'
  readonly failure: SummaryError | null
}

/** The checked summary of the writer, else an outline or a mere notice. Fails only when it was cancelled. */
export async function writeFold(segment: Segment, options: WriteFoldOptions): Promise<WrittenFold> {
  const { writer, facts, config } = options
  if (writer === null) return { fold: outline(segment, options), kept: 'outline', failure: null }
  try {
    const fold = await summarise(segment, writer, options)
    return { fold, kept: 'summary', failure: null }
  } catch (error) {
    options.cancel?.throwIfAborted()
    const code = error instanceof TimeLimitError ? 'summary_timed_out' : 'summary_failed'
    const failure = error instanceof SummaryError ? error : new SummaryError(code, describeFailure(error))
    return config.compaction.fallback === 'none'
      ? { fold: noticeFold(segment, failure, facts), kept: 'notice', failure }
      : { fold: outline(segment, options), kept: 'outline', failure }
  }
}

async function summarise(segment: Segment, writer: SummaryWriter, options: WriteFoldOptions): Promise<FoldEdit> {
  const { refusal, config, facts, focus, progress, cancel } = options
  if (refusal !== null) throw refusal
  const text = await within(config.compaction.timeout_seconds * 1000, cancel ?? new AbortController().signal, (signal) =>
    writer(segment, { signal, progress, ...(focus === undefined ? {} : { focus }) }),
  )
  const checked = acceptSummary(text, segment, facts)
  if ('rejected' in checked) throw rejections[checked.rejected]
  const fold = foldSegment(segment, checked.accepted, facts)
  if (fold === null) throw rejections.longer
  return fold
}

const rejections = {
  empty: new SummaryError('summary_empty', 'the summary is empty'),
  longer: new SummaryError('summary_longer', 'the summary is not shorter than the original'),
  'error-text': new SummaryError('summary_error_text', 'the text is an error message, not a summary'),
  'no-template': new SummaryError('summary_no_template', 'the text does not have the form of a summary'),
}

function outline(segment: Segment, { facts, focus }: WriteFoldOptions): FoldEdit | null {
  return foldSegment(segment, writeSummary(segment, facts, focus === undefined ? {} : { focus }), facts)
}

/** For the model, so independent of the user’s language. */
export function noticeFold(segment: Segment, { code }: SummaryError, facts: Facts): FoldEdit | null {
  const handle = transcriptHandle(segment.messages)
  // The model need not know that no model was asked.
  const reason = stringsFor('en').notices[code === 'summary_not_asked' ? 'summary_failed' : code]
  const told = code === 'summary_timed_out' ? reason : reason.replace(/\.$/, ', keeping recent history only.')
  const text = `${told}\n${foldLine(segment.messages.length, handle)}`
  const fold = foldSegment(segment, text, facts)
  return fold === null ? null : { ...fold, policy: noticePolicy }
}

/** The effect of a fold on the conversation; null if that does not become smaller. */
export function foldEffect(
  fold: FoldEdit,
  kept: WrittenFold['kept'],
  { state, unfolded, segment }: PlannedSegment,
  { tokens = estimator, force = false }: Pick<PlanSessionOptions, 'tokens' | 'force'>,
) {
  const folded = new Set(segment.messages.map(({ id }) => id))
  const isReplaced = ({ first, last }: FoldEdit) => folded.has(first) || folded.has(last)
  const replaced = unfolded.notices.filter(isReplaced)
  const standing = unfolded.notices.filter((notice) => !isReplaced(notice))
  const tokensBefore = countMessages(state.messages, tokens)
  const tokensAfter = countMessages(applyEdits(unfolded.messages, [fold, ...standing]), tokens)
  // A summary is larger than the notice it replaces, but a user who asks for one wants it.
  if (tokensAfter >= tokensBefore && !(force && kept !== 'notice')) return null
  const sent = replaced.find(({ into }) => into?.id === state.sent)?.last ?? state.sent
  const indexOf = (id: string | null) => unfolded.messages.findIndex((message) => message.id === id)
  const report: ReportedEdit = {
    id: fold.id,
    policy: fold.policy,
    kind: 'fold',
    message: fold.first,
    part: 0,
    tool: null,
    tokensBefore: countMessages(segment.messages, tokens),
    tokensAfter: fold.into === null ? 0 : countMessage(fold.into, tokens),
    why: fold.why,
    cache: indexOf(sent) >= indexOf(fold.first) ? 'rewrite' : 'free',
  }
  return { report, withdraw: replaced.map(({ id }) => id), tokensAfter }
}
