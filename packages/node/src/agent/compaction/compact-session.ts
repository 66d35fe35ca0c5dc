import { compactionBreaker, type SummaryWriter } from '@plimsoll/core/compaction'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { type Config, type FoldEdit, outputReserve } from '@plimsoll/core/policies'
import type { NewEntry } from '@plimsoll/core/session'
import { countMessages, estimator } from '@plimsoll/core/text'
import { offlineProvider } from '../../model/model-knowledge.ts'
import { ModelChoiceError } from '../../model/server-access.ts'
import { type LiveRequest, SummaryError } from '../../model/summary-writer.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { Emit } from '../../shared/event.ts'
import { type AskContext, notify } from '../agent.ts'
import type { BuiltRequest } from '../request/build-request.ts'
import { payingFor, pricesOf } from '../request/session-cost.ts'
import { compactionNote, pastCompactions, withoutNotices } from './compaction-history.ts'
import {
  foldEffect,
  noticeFold,
  type PlannedSegment,
  type PlanSessionOptions,
  planSession,
  previewSession,
  type WrittenFold,
  writeFold,
} from './plan-session.ts'

export interface CompactOptions extends PlanSessionOptions {
  /** Null writes the summary from the log. */
  readonly writer: SummaryWriter | null
  readonly emit: Emit
  readonly focus?: string | undefined
  /** Cancels it and leaves the session unchanged. */
  readonly signal?: AbortSignal | undefined
}

export type CompactOutcome = Compacted | Unchanged | { readonly kind: 'cancelled' }

export interface Compacted {
  readonly kind: 'compacted'
  readonly kept: WrittenFold['kept']
  readonly fold: FoldEdit
  readonly report: ReportedEdit
  readonly tokensAfter: number
  readonly failure: SummaryError | null
}

export interface Unchanged {
  readonly kind: 'unchanged'
  readonly reason: 'nothing-to-fold' | 'not-smaller' | 'stopped' | 'session-changed'
  readonly failure: SummaryError | null
}

/** Folds older rounds into a summary: complete rounds, checked, strictly smaller, in one durable write, or not at all. */
export async function compactSession(session: OpenSession, options: CompactOptions): Promise<CompactOutcome> {
  const { writer, emit, tokens = estimator, force = false } = options
  const planned = planSession(session, options)
  if (planned === null) return { kind: 'unchanged', reason: 'nothing-to-fold', failure: null }
  const { state, segment } = planned
  const breaker = force ? { open: false, refusal: null } : breakerOf(session, state.leaf)
  if (breaker.open) {
    notify(emit, 'compaction_stopped', null)
    return { kind: 'unchanged', reason: 'stopped', failure: null }
  }

  emit({
    type: 'compaction_start',
    data: {
      rounds: segment.rounds,
      messages: segment.messages.length,
      tokens: countMessages(segment.messages, tokens),
      writer: writer === null || breaker.refusal !== null ? 'outline' : 'model',
    },
  })
  let outcome: CompactOutcome | null = null
  try {
    outcome = await foldPlanned(session, planned, breaker.refusal, options)
  } finally {
    const tokensBefore = countMessages(state.messages, tokens)
    const { kept, tokensAfter } = outcome?.kind === 'compacted' ? outcome : { kept: null, tokensAfter: tokensBefore }
    // Without an outcome, the log could not be written.
    emit({ type: 'compaction_end', data: { outcome: outcome?.kind ?? 'unchanged', kept, tokensBefore, tokensAfter } })
  }
  tell(emit, outcome)
  return outcome
}

async function foldPlanned(
  session: OpenSession,
  planned: PlannedSegment,
  refusal: SummaryError | null,
  options: CompactOptions,
): Promise<CompactOutcome> {
  const { config, writer, emit, focus, signal } = options
  const progress = inSteps((written) => emit({ type: 'compaction_progress', data: { written } }))
  let written: WrittenFold
  try {
    const cancel = signal ?? null
    written = await writeFold(planned.segment, { writer, refusal, config, facts: planned.facts, focus, progress, cancel })
    signal?.throwIfAborted()
  } catch (error) {
    if (signal?.aborted === true) return { kind: 'cancelled' }
    throw error
  }
  const { failure } = written
  if (!stillThere(session, planned)) return { kind: 'unchanged', reason: 'session-changed', failure }
  const asked = writer === null || refusal !== null ? 'not-asked' : failure === null ? 'succeeded' : 'failed'
  const failed: readonly NewEntry[] =
    failure === null || refusal !== null ? [] : [{ type: 'failure', kind: failure.code, message: failure.message }]
  const made = smallerFold(written, planned, options)
  if (made === null) {
    await session.append([...failed, noteEntry({ writer: asked, effective: false })])
    return { kind: 'unchanged', reason: 'not-smaller', failure }
  }
  const { fold, kept, report, withdraw, tokensAfter } = made
  await session.append([
    ...failed,
    // In a separate entry first, so that the log shows the messages of the new fold in the state before it.
    ...(withdraw.length === 0 ? [] : [{ type: 'edits' as const, withdraw }]),
    { type: 'edits', apply: [fold], report: [report] },
    noteEntry({ writer: asked, effective: true, kept, fold: fold.id }),
  ])
  return { kind: 'compacted', kept, fold, report, tokensAfter, failure }
}

/** The fold and its effect. After a timeout without a smaller outline, the specification drops the older rounds and says so. */
function smallerFold(
  written: WrittenFold,
  planned: PlannedSegment,
  options: CompactOptions,
): (Pick<Compacted, 'fold' | 'kept'> & NonNullable<ReturnType<typeof foldEffect>>) | null {
  const { fold, kept, failure } = written
  const effect = fold === null ? null : foldEffect(fold, kept, planned, options)
  if (fold !== null && effect !== null) return { fold, kept, ...effect }
  if (kept === 'notice' || failure?.code !== 'summary_timed_out') return null
  const notice = noticeFold(planned.segment, failure, planned.facts)
  return smallerFold({ fold: notice, kept: 'notice', failure }, planned, options)
}

/** Whether the branch still has the folded messages: the user may have rewound while the summary was written. */
function stillThere(session: OpenSession, { state, segment }: PlannedSegment): boolean {
  const now = session.state()
  if (now.leaf === state.leaf) return true
  const { messages } = withoutNotices(session, now)
  const start = messages.findIndex(({ id }) => id === segment.messages[0]?.id)
  return start >= 0 && segment.messages.every(({ id }, index) => messages[start + index]?.id === id)
}

function noteEntry(data: Readonly<Record<string, unknown>>): NewEntry {
  return { type: 'note', code: compactionNote, data }
}

function tell(emit: Emit, outcome: CompactOutcome): void {
  if (outcome.kind === 'compacted' && outcome.failure !== null) {
    const { code, message } = outcome.failure
    // The specification fixes this notice.
    notify(emit, code, code === 'summary_timed_out' ? null : message)
    // If no model was asked, the outline was planned.
    if (outcome.kept === 'outline' && code !== 'summary_not_asked') notify(emit, 'outline_kept', null)
    if (outcome.kept === 'notice' && code !== 'summary_timed_out') notify(emit, 'recent_kept', null)
  }
  if (outcome.kind === 'unchanged' && outcome.reason === 'not-smaller')
    notify(emit, 'compaction_ineffective', outcome.failure?.message ?? null)
}

/** Reports a count in visible steps instead of single letters. */
function inSteps(report: (written: number) => void): (written: number) => void {
  let last = 0
  return (written) => {
    if (written < last + 200) return
    last = written
    report(written)
  }
}

/** Derives from the log whether compacting, and asking a model for it, still makes sense. A success resets the count. */
function breakerOf(session: StoredSession, leaf: string) {
  const past = pastCompactions(session, leaf)
  const asked = past.filter(({ writer }) => writer !== 'not-asked')
  const effects = compactionBreaker(past.map(({ effective }) => (effective ? 'success' : 'ineffective')))
  const answers = compactionBreaker(asked.map(({ writer }) => (writer === 'succeeded' ? 'success' : 'failed')))
  return {
    open: effects.stopped,
    // An outline still works.
    refusal: answers.stopped ? new SummaryError('summary_not_asked', 'the model has failed too often') : null,
  }
}

type Built = Pick<BuiltRequest, 'config' | 'request'>

type RoomReason =
  /** The window is nearly full. `live` is the last request, if a summary can continue it. */
  | { readonly kind: 'due'; readonly live: LiveRequest | null }
  /** The provider counted `tokens` in a rejected request, and takes at most `usable`. */
  | { readonly kind: 'refused'; readonly tokens: number; readonly usable: number }

/** Compacts older rounds to make room: as configured if it is due, and as many as needed after an error. */
export async function compactForRoom(context: AskContext, built: Built, reason: RoomReason, signal: AbortSignal) {
  const { session, now } = context
  const { config } = built
  const force = reason.kind === 'refused'
  const outcome = await compactSession(session, {
    config,
    writer: await writerFor(context, built, reason.kind === 'due' ? reason.live : null),
    emit: once(session, context.emit),
    now: now(),
    force,
    signal,
    ...(reason.kind === 'refused' ? { keepRounds: roomyRounds(session, config, reason.tokens, reason.usable) } : {}),
  })
  if (outcome.kind === 'cancelled') signal.throwIfAborted()
  if (outcome.kind === 'compacted') toldStopped.delete(session)
  return outcome
}

/** A model that cannot be called, or is too expensive, must not stop the work: the summary then comes from the log. */
export async function writerFor(context: AskContext, built: Built, live: LiveRequest | null): Promise<SummaryWriter | null> {
  const { model, environment, writer } = context
  const { config } = built
  const current = model.provider === offlineProvider ? null : model.name
  const name = config.compaction.model ?? current
  if (writer === undefined && name === null) return null
  const { onUsage, mayAsk } = payingFor('summary', name ?? model.name, { ...context, priceOf: pricesOf(context) })
  if (!mayAsk(maxTokens(context, built))) {
    if (!toldDear.has(context.session)) notify(context.emit, 'summary_too_dear', null)
    toldDear.add(context.session)
    return null
  }
  try {
    if (writer !== undefined) return writer(config, live, { onUsage })
    const { configuredWriter } = await import('../../model/side-calls.ts')
    const prompt = context.prompts?.summary
    return configuredWriter({ config, current, live, environment, reasoning: model.reasoning, prompt, onUsage })
  } catch (error) {
    if (!(error instanceof ModelChoiceError)) throw error
    return () => Promise.reject(new SummaryError('summary_failed', error.message))
  }
}

/** The maximum for a summary, twice because of a possible second request. */
function maxTokens({ session }: AskContext, { config, request }: Built) {
  const reserve = outputReserve(config)
  // Summaries are written from the original messages, which may be longer than the request; the estimate may be off by a third.
  const said = countMessages(session.state().messages, estimator) * request.report.load.factor * 1.3
  const input = Math.min(config.context_window - reserve, Math.ceil(Math.max(said, request.report.load.high)) + 2000)
  return { input: input * 2, output: reserve * 2 }
}

const toldDear = new WeakSet<StoredSession>()

function roomyRounds(session: StoredSession, config: Config, tokens: number, usable: number): number {
  for (let keepRounds = Math.max(1, config.compaction.keep_rounds); keepRounds > 1; keepRounds = Math.floor(keepRounds / 2)) {
    const preview = previewSession(session, { config, keepRounds, force: true })
    if (preview === null || preview.fold === null) continue
    // Policies trim before and after, so the remaining share is about the same.
    if ((tokens * preview.tokensAfter) / Math.max(1, preview.tokensBefore) <= usable * 0.8) return keepRounds
  }
  return 1
}

function once(session: StoredSession, emit: Emit): Emit {
  return (event) => {
    if (event.type === 'notification' && event.data.code === 'compaction_stopped') {
      if (toldStopped.has(session)) return
      toldStopped.add(session)
    }
    emit(event)
  }
}

const toldStopped = new WeakSet<StoredSession>()
