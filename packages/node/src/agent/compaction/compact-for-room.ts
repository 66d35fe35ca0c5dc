import type { SummaryWriter } from '@plimsoll/core/compaction'
import { type Config, outputReserve } from '@plimsoll/core/policies'
import { countMessages, estimator } from '@plimsoll/core/text'
import { offlineProvider } from '../../model/model-knowledge.ts'
import { ModelChoiceError } from '../../model/server-access.ts'
import { type LiveRequest, SummaryError } from '../../model/summary-writer.ts'
import type { StoredSession } from '../../session/session.ts'
import type { Emit } from '../../shared/event.ts'
import { type AskContext, notify } from '../ask-context.ts'
import type { BuiltRequest } from '../request/build-request.ts'
import { payingFor, pricesOf } from '../request/session-cost.ts'
import { type CompactOutcome, compactSession } from './compact-session.ts'
import { previewSession } from './plan-session.ts'

/** Why older rounds are folded before a request is sent. */
export type RoomReason =
  /** The window is nearly full. `live` is the last request, where a summary can continue it. */
  | { readonly kind: 'due'; readonly live: LiveRequest | null }
  /** The provider refused a request that it counted as so many tokens, and takes no more than `usable`. */
  | { readonly kind: 'refused'; readonly tokens: number; readonly usable: number }

/** Folds older rounds of a session to make room: as configured when it is due, and as many as it takes after a refusal. */
export async function compactForRoom(
  context: AskContext,
  built: Pick<BuiltRequest, 'config' | 'request'>,
  reason: RoomReason,
  signal: AbortSignal,
): Promise<CompactOutcome> {
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
    ...(reason.kind === 'refused' ? { keepRounds: roomyRounds(session, config, reason) } : {}),
  })
  if (outcome.kind === 'cancelled') signal.throwIfAborted()
  if (outcome.kind === 'compacted') toldStopped.delete(session)
  return outcome
}

/**
 * Who writes the summaries of a session. A model that cannot be had, or cannot be paid for, must not stop the work: the summary then
 * comes from the log, and the reason is told.
 */
export async function writerFor(
  context: AskContext,
  built: Pick<BuiltRequest, 'config' | 'request'>,
  live: LiveRequest | null,
): Promise<SummaryWriter | null> {
  const { model, environment, writer } = context
  const { config } = built
  const current = model.provider === offlineProvider ? null : model.name
  const name = config.compaction.model ?? current
  if (writer === undefined && name === null) return null
  const { onUsage, mayAsk } = payingFor('summary', name ?? model.name, { ...context, priceOf: pricesOf(context) })
  if (!mayAsk(mostTokens(context, built))) {
    tellDear(context)
    return null
  }
  try {
    if (writer !== undefined) return writer(config, live, { onUsage })
    const { configuredWriter } = await import('../../model/side-calls.ts')
    return configuredWriter({ config, current, live, environment, reasoning: model.reasoning, onUsage })
  } catch (error) {
    if (!(error instanceof ModelChoiceError)) throw error
    return () => Promise.reject(new SummaryError('summary_failed', error.message))
  }
}

/** What a summary can take at most, which is asked for twice where the first answer is none. */
function mostTokens({ session }: AskContext, { config, request }: Pick<BuiltRequest, 'config' | 'request'>) {
  const reserve = outputReserve(config)
  // A summary is written from what was said, of which the request may show less; the estimate may be off by a third.
  const said = countMessages(session.state().messages, estimator) * request.report.load.factor * 1.3
  const input = Math.min(config.context_window - reserve, Math.ceil(Math.max(said, request.report.load.high)) + promptTokens)
  return { input: input * 2, output: reserve * 2 }
}

/** What a model is told about how to write a summary. */
const promptTokens = 2000

function tellDear({ session, emit }: AskContext): void {
  if (toldDear.has(session)) return
  toldDear.add(session)
  notify(emit, 'summary_too_dear', null)
}

const toldDear = new WeakSet<StoredSession>()

/** The most rounds that can be kept so that the request fits with room to spare, or as few as there can be. */
function roomyRounds(
  session: StoredSession,
  config: Config,
  { tokens, usable }: Extract<RoomReason, { readonly kind: 'refused' }>,
): number {
  for (let keepRounds = Math.max(1, config.compaction.keep_rounds); keepRounds > 1; keepRounds = Math.floor(keepRounds / 2)) {
    const preview = previewSession(session, { config, keepRounds, force: true })
    if (preview === null || preview.fold === null) continue
    // What policies trim is trimmed before and after, so the share that is left is about the same.
    if ((tokens * preview.tokensAfter) / Math.max(1, preview.tokensBefore) <= usable * 0.8) return keepRounds
  }
  return 1
}

/** That no compaction is tried any more is told once, not at every request. */
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
