import type { Config, SummaryWriter } from '@plimsoll/core'
import { ModelChoiceError } from '../model/model-choice-error.ts'
import { SummaryError } from '../model/summary-error.ts'
import type { LiveRequest } from '../model/summary-writer.ts'
import type { StoredSession } from '../session/session.ts'
import type { AskContext } from './ask-context.ts'
import { type CompactOutcome, compactSession } from './compact-session.ts'
import type { Emit } from './events.ts'
import { previewSession } from './preview-session.ts'

/** Why older rounds are folded before a request is sent. */
export type RoomReason =
  /** The window is nearly full. `live` is the last request, where a summary can continue it. */
  | { readonly kind: 'due'; readonly live: LiveRequest | null }
  /** The provider refused a request that it counted as so many tokens, and takes no more than `usable`. */
  | { readonly kind: 'refused'; readonly tokens: number; readonly usable: number }

/** Folds older rounds of a session to make room: as configured when it is due, and as many as it takes after a refusal. */
export async function compactForRoom(
  context: AskContext,
  config: Config,
  reason: RoomReason,
  signal: AbortSignal,
): Promise<CompactOutcome> {
  const { session, now } = context
  const force = reason.kind === 'refused'
  const outcome = await compactSession(session, {
    config,
    writer: await writerFor(context, config, reason.kind === 'due' ? reason.live : null),
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

/** A model that cannot be had must not stop the work: the summary then comes from the log, and the reason is told. */
export async function writerFor(context: AskContext, config: Config, live: LiveRequest | null): Promise<SummaryWriter | null> {
  const { model, environment, writer } = context
  try {
    if (writer !== undefined) return writer(config, live)
    const current = model.name === 'offline' ? null : model.name
    if (current === null && config.compaction.model === null) return null
    const { configuredWriter } = await import('../model/configured-writer.ts')
    return configuredWriter({ config, current, live, environment })
  } catch (error) {
    if (!(error instanceof ModelChoiceError)) throw error
    return () => Promise.reject(new SummaryError('summary_failed', error.message))
  }
}

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
