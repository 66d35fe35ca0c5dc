import { setTimeout as sleep } from 'node:timers/promises'
import { costOfTurn, promptTotal, type Usage } from '@plimsoll/core/bill'
import { countPart, estimator, mediaIn } from '@plimsoll/core/text'
import { silentOverflow } from '@plimsoll/core/wire'
import type { ModelCallError } from '../../model/model-client.ts'
import { type AskContext, notify } from '../agent.ts'
import { compactForRoom } from '../compaction/compact-session.ts'
import { type BuiltRequest, buildRequest } from '../request/build-request.ts'
import { liveRequest } from '../request/keep-alive.ts'
import { learnLimits } from '../request/learned-limits.ts'
import { type Asked, keepWithinLimit, type Sent, sendRequest } from '../request/send-request.ts'
import { costOfSession, pricesOf } from '../request/session-cost.ts'
import { modelError, overflowError, safeWords, TurnError } from './model-error.ts'
import { type Remedies, recover } from './recover.ts'

export type { Asked } from '../request/send-request.ts'

export interface Waiting {
  /** Waits in milliseconds, or until the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>
  readonly random: () => number
}

/**
 * Gets one answer of the model: builds the request, compacts older rounds if that is due, sends it, retries after temporary
 * errors, and changes it if the provider says what is wrong with it. Runs no tool, so nothing runs twice. Throws `TurnError`,
 * `CostLimitError` or the signal’s reason.
 */
export async function askModel(context: AskContext, signal: AbortSignal, waiting: Waiting = realWaiting): Promise<Asked> {
  const remedies: Remedies = { tried: new Set(), policies: null, maxOutputTokens: Number.POSITIVE_INFINITY }
  let built = await readyRequest(context, signal)
  let shown: BuiltRequest | null = null
  // How many of the latest answers could not be parsed in the same way.
  let misread: { readonly way: string | null; readonly alike: number } = { way: null, alike: 0 }
  for (let failures = 0; ; ) {
    signal.throwIfAborted()
    const { request, window, usable } = built
    const isNew = built !== shown
    if (isNew) context.emit({ type: 'view_built', data: { report: request.report, window, usable } })
    shown = built
    if (built.isOverLine) throw overLine(context, built, remedies)
    keepWithinLimit(context, built)
    if (isNew) context.trimLog?.decided(request.trims())
    const maxOutputTokens = Math.min(built.maxOutputTokens, remedies.maxOutputTokens)
    const sent = await sendRequest(context, built, maxOutputTokens, signal)
    if (sent.kind === 'answered') {
      context.trimLog?.accepted(request.trims())
      await accountFor(context, built, sent.asked, maxOutputTokens)
      return sent.asked
    }
    const { kind } = sent.error.failure
    // Errors about the request itself are permanent.
    if (sent.error.isTransient && (kind === 'rate_limit' || kind === 'other')) {
      failures += 1
      const way = sent.error.misread
      misread = { way, alike: way === null ? 0 : way === misread.way ? misread.alike + 1 : 1 }
      await waitFor(context, sent, { failures, alike: misread.alike }, remedies, waiting, signal)
    } else built = await recover(context, { built, error: sent.error, request: sent.request }, remedies, signal)
    if (sent.hasShown) notify(context.emit, 'answer_restarted', null)
  }
}

const realWaiting: Waiting = { wait: (ms, signal) => sleep(ms, undefined, { signal }), random: Math.random }

/** The next request, after older rounds were compacted at most once. */
async function readyRequest(context: AskContext, signal: AbortSignal): Promise<BuiltRequest> {
  const built = await buildRequest(context)
  if (!built.request.compactionDue) return built
  const outcome = await compactForRoom(context, built, { kind: 'due', live: await liveRequest(context) }, signal)
  return outcome.kind === 'compacted' ? buildRequest(context) : built
}

type FailedRequest = Extract<Sent, { readonly kind: 'failed' }>

/** Waits until the request may be sent again; throws if that would take too long, or was tried often enough. */
async function waitFor(
  context: AskContext,
  { error, request }: FailedRequest,
  { failures, alike }: { readonly failures: number; readonly alike: number },
  { tried }: Remedies,
  { wait, random }: Waiting,
  signal: AbortSignal,
): Promise<void> {
  const next = nextTry(error, failures, random, alike)
  if (next.kind === 'give-up') {
    const attempts = { tried: [...tried, `${failures - 1} retries`], tries: failures }
    const data = await modelError(context, error, { request, ...attempts, retryAfter: next.ms })
    throw new TurnError(data, { isTold: false, cause: error })
  }
  const seconds = Math.round(next.ms / 100) / 10
  notify(context.emit, 'retrying', `in ${seconds} s: ${safeWords(error.message, context.environment)}`)
  try {
    await wait(next.ms, signal)
  } catch (interrupted) {
    signal.throwIfAborted()
    throw interrupted
  }
}

function overLine(context: AskContext, built: BuiltRequest, { tried }: Remedies): TurnError {
  const unsent = { failure: null, upstream: null, request: null, requestId: null }
  const data = overflowError(context, built, { ...unsent, recovering: false, tried: [...tried, 'trim'] })
  context.emit({ type: 'error', data })
  context.trimLog?.unsent(built.request.trims())
  return new TurnError(data, { isTold: true })
}

/** Reports the usage of an answered request, and notices if the model silently dropped part of it. */
async function accountFor(context: AskContext, built: BuiltRequest, asked: Asked, maxOutputTokens: number): Promise<void> {
  const { emit, model, session } = context
  const { usage, firstMs, durationMs } = asked
  const cost = usage === null ? null : costOfTurn(usage, model.price)
  const { dollars, unpriced } = costOfSession(session, pricesOf(context))
  const reported = usage ?? { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  emit({ type: 'usage', data: { what: 'answer', usage: reported, cost, total: { dollars, unpriced }, firstMs, durationMs } })
  if (usage !== null) await noticeOverflow(context, built, { ...asked, usage }, maxOutputTokens)
}

async function noticeOverflow(
  { emit, model, session, config, isWindowSet = false }: AskContext,
  { request, limits, window }: BuiltRequest,
  { usage, answer }: Asked & { readonly usage: Usage },
  maxOutputTokens: number,
): Promise<void> {
  const { estimate } = request.report.load
  const prompt = promptTotal(usage)
  // The last measurement is of this request.
  const earlier = session.state().measurements.slice(0, -1)
  const counted = Math.max(0, ...earlier.flatMap((one) => (one.model === model.name ? [promptTotal(one.usage)] : [])))
  const believed = isWindowSet ? config.context_window : model.facts.window
  const media = prompt * 2 < estimate ? request.messages.flatMap(({ parts }) => parts.flatMap(mediaIn)) : []
  const found = silentOverflow({
    estimate,
    media: media.reduce((sum, part) => sum + countPart(part, estimator), 0),
    counted,
    usage,
    finish: answer.finish,
    maxOutputTokens,
    window: limits.isGuessed ? believed : (limits.window ?? believed),
  })
  if (found === null) return
  notify(emit, 'silent_overflow', `${estimate} → ${prompt}`)
  // The rest of a truncated prompt is known to fit. Otherwise the count itself makes the next compaction due.
  const fits = Math.max(prompt, counted)
  if (found === 'clipped' && fits < window) await learnLimits(session, model.name, { window: fits, isGuessed: true })
}

export type NextTry =
  | { readonly kind: 'wait'; readonly ms: number }
  /** `ms` is what the provider asks for, if it does. */
  | { readonly kind: 'give-up'; readonly ms: number | null }

/**
 * When to retry after the `failures`-th failure in a row: after 1, 2, 4, 8 and 16 seconds, a fifth more or less by chance, or
 * when the provider says. Gives up if that is more than a minute, or after `alike` answers that could not be parsed in the same
 * way.
 */
export function nextTry(
  { isTransient, retryAfter }: Pick<ModelCallError, 'isTransient' | 'retryAfter'>,
  failures: number,
  random: () => number,
  alike = 0,
): NextTry {
  const asked = retryAfter !== null && Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : null
  const isOften = failures > maxRetries || alike >= maxAlike
  if (!isTransient || isOften || (asked ?? 0) > maxWait) return { kind: 'give-up', ms: asked }
  // Many clients fail at the same moment, and should not retry at the same moment.
  return { kind: 'wait', ms: asked ?? Math.round(1000 * 2 ** (failures - 1) * (0.8 + 0.4 * random())) }
}

const maxRetries = 5
/** Each such answer is billed. */
const maxAlike = 2
const maxWait = 60_000
