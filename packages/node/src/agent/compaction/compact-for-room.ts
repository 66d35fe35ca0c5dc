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
import { compactSession } from './compact-session.ts'
import { previewSession } from './plan-session.ts'

type Built = Pick<BuiltRequest, 'config' | 'request'>

export type RoomReason =
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
    return configuredWriter({ config, current, live, environment, reasoning: model.reasoning, onUsage })
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
