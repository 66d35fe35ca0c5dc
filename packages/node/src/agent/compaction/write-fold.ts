import { applyEdits, type Facts } from '@plimsoll/core'
import { acceptSummary, foldLine, foldSegment, type Segment, type SummaryWriter, writeSummary } from '@plimsoll/core/compaction'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { Config, FoldEdit } from '@plimsoll/core/policies'
import { transcriptHandle } from '@plimsoll/core/session'
import { countMessage, countMessages, estimator } from '@plimsoll/core/text'
import { describeFailure } from '../../model/model-failure.ts'
import { SummaryError } from '../../model/summary-writer.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { TimeLimitError, within } from '../../tools/work-limits.ts'
import { noticePolicy } from './compaction-history.ts'
import type { PlannedSegment, PlanSessionOptions } from './plan-session.ts'

/** What a fold is written with. */
export interface WriteFoldOptions {
  /** Null writes an outline from the log. */
  readonly writer: SummaryWriter | null
  /** Why the writer is not to be asked, where that is so. */
  readonly refusal: SummaryError | null
  readonly config: Config
  readonly facts: Facts
  readonly focus: string | undefined
  readonly progress: (written: number) => void
  readonly cancel: AbortSignal | null
}

/** A fold, and how it came to be. */
export interface WrittenFold {
  /** Null when nothing smaller than the messages themselves could be written. */
  readonly fold: FoldEdit | null
  readonly kept: 'summary' | 'outline' | 'notice'
  /** Why there is no summary by the model that was to write it. */
  readonly failure: SummaryError | null
}

/**
 * Writes what will stand in the place of a segment: the writer's summary once it has passed its check, else an outline from the log
 * or, where that is not wanted, the mere notice. Fails only when it was cancelled.
 */
export async function writeFold(segment: Segment, options: WriteFoldOptions): Promise<WrittenFold> {
  const { writer, facts, config } = options
  if (writer === null) return { fold: outline(segment, options), kept: 'outline', failure: null }
  try {
    const fold = await summarise(segment, writer, options)
    return { fold, kept: 'summary', failure: null }
  } catch (error) {
    options.cancel?.throwIfAborted()
    const failure = failureOf(error)
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
  longer: new SummaryError('summary_longer', 'the summary is not shorter than what it stands for'),
  'error-text': new SummaryError('summary_error_text', 'the text is an error, not a summary'),
  'no-template': new SummaryError('summary_no_template', 'the text does not have the form of a summary'),
}

function failureOf(error: unknown): SummaryError {
  if (error instanceof SummaryError) return error
  const code = error instanceof TimeLimitError ? 'summary_timed_out' : 'summary_failed'
  return new SummaryError(code, describeFailure(error))
}

function outline(segment: Segment, { facts, focus }: WriteFoldOptions): FoldEdit | null {
  return foldSegment(segment, writeSummary(segment, facts, focus === undefined ? {} : { focus }), facts)
}

/** The model reads it, so it is the same whatever language people read. */
function noticeFold(segment: Segment, { code }: SummaryError, facts: Facts): FoldEdit | null {
  const handle = transcriptHandle(segment.messages)
  // Whom to ask, and how often, is no business of the model.
  const reason = stringsFor('en').notices[code === 'summary_not_asked' ? 'summary_failed' : code]
  const told = code === 'summary_timed_out' ? reason : reason.replace(/\.$/, ', keeping recent history only.')
  const text = `${told}\n${foldLine(segment.messages.length, handle)}`
  const fold = foldSegment(segment, text, facts)
  return fold === null ? null : { ...fold, policy: noticePolicy }
}

/** What a fold does to a conversation. */
interface FoldEffect {
  readonly report: ReportedEdit
  /** The notices whose rounds are folded now. */
  readonly withdraw: readonly string[]
  /** Tokens of the whole conversation with it. */
  readonly tokensAfter: number
}

/** What a fold does to the conversation it was planned on; null when that does not become smaller. */
export function foldEffect(
  fold: FoldEdit,
  kept: WrittenFold['kept'],
  { state, unfolded, segment }: PlannedSegment,
  { tokens = estimator, force = false }: Pick<PlanSessionOptions, 'tokens' | 'force'>,
): FoldEffect | null {
  const folded = new Set(segment.messages.map(({ id }) => id))
  const isReplaced = ({ first, last }: FoldEdit) => folded.has(first) || folded.has(last)
  const replaced = unfolded.notices.filter(isReplaced)
  const standing = unfolded.notices.filter((notice) => !isReplaced(notice))
  const tokensBefore = countMessages(state.messages, tokens)
  const tokensAfter = countMessages(applyEdits(unfolded.messages, [fold, ...standing]), tokens)
  // A summary is larger than the notice it replaces, which is what a person wants who asks for one after all.
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
