import { setTimeout as sleep } from 'node:timers/promises'
import type { Message } from '@plimsoll/core'
import { costOfTurn, promptTotal, type Usage } from '@plimsoll/core/bill'
import { countPart, estimator, mediaIn } from '@plimsoll/core/text'
import { silentOverflow } from '@plimsoll/core/wire'
import type { ModelCallError } from '../../model/model-client.ts'
import { type AskContext, notify } from '../ask-context.ts'
import { compactForRoom } from '../compaction/compact-for-room.ts'
import { type BuiltRequest, buildRequest } from '../request/build-request.ts'
import { keepWithinLimit } from '../request/cost-limit.ts'
import { liveRequest } from '../request/last-view.ts'
import { learnLimits } from '../request/learned-limits.ts'
import { type Asked, type Sent, sendRequest } from '../request/send-request.ts'
import { costOfSession, pricesOf } from '../request/session-cost.ts'
import { modelError, safeWords, TurnError } from './model-error.ts'
import { overflowError } from './overflow-error.ts'
import { type Remedies, recover } from './recover.ts'

export type { Asked } from '../request/send-request.ts'

/** How waiting is done. */
export interface Waiting {
  /** Waits so many milliseconds, or until the signal fires. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** A number from 0 to 1. */
  readonly random: () => number
}

/**
 * Gets one answer of the model: builds the request, folds older rounds where that is due, sends it, waits and sends it again where the
 * trouble passes, and mends it where the provider says what is wrong with it. Runs no tool, so nothing is ever run twice. Throws
 * `TurnError` for what cannot be mended, `CostLimitError` for what the session cannot pay, or the signal's reason.
 */
export async function askModel(context: AskContext, signal: AbortSignal, waiting: Waiting = realWaiting): Promise<Asked> {
  const remedies: Remedies = { tried: new Set(), policies: null, maxOutputTokens: Number.POSITIVE_INFINITY }
  let built = await readyRequest(context, signal)
  let shown: BuiltRequest | null = null
  let misread: Misread = { way: null, alike: 0 }
  for (let failures = 0; ; ) {
    signal.throwIfAborted()
    if (built !== shown) showView(context, built)
    shown = built
    if (built.isOverLine) throw overLine(context, built, remedies)
    keepWithinLimit(context, built)
    const maxOutputTokens = Math.min(built.maxOutputTokens, remedies.maxOutputTokens)
    const sent = await sendRequest(context, built, maxOutputTokens, signal)
    if (sent.kind === 'answered') {
      await accountFor(context, built, sent.asked, maxOutputTokens)
      return sent.asked
    }
    if (passes(sent)) {
      failures += 1
      misread = misreadAgain(misread, sent.error.misread)
      await waitFor(context, sent, { failures, alike: misread.alike }, remedies, waiting, signal)
    } else built = await recover(context, { built, error: sent.error, request: sent.request }, remedies, signal)
    if (sent.hasShown) notify(context.emit, 'answer_restarted', null)
  }
}

const realWaiting: Waiting = {
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
  random: Math.random,
}

/** The next request, after older rounds were folded where that is due: once, whatever comes of it. */
async function readyRequest(context: AskContext, signal: AbortSignal): Promise<BuiltRequest> {
  const built = await buildRequest(context)
  if (!built.request.compactionDue) return built
  const outcome = await compactForRoom(context, built, { kind: 'due', live: await liveRequest(context) }, signal)
  return outcome.kind === 'compacted' ? buildRequest(context) : built
}

function showView({ emit }: AskContext, { request, window, usable }: BuiltRequest): void {
  emit({ type: 'view_built', data: { report: request.report, window, usable } })
}

/** Whether the same request may succeed a little later. What the provider says about the request itself does not pass. */
function passes({ error }: FailedRequest): boolean {
  const { kind } = error.failure
  return error.isTransient && (kind === 'rate_limit' || kind === 'other')
}

/** How many of the latest answers could not be understood in one and the same way. */
interface Misread {
  readonly way: string | null
  readonly alike: number
}

function misreadAgain({ way: before, alike }: Misread, way: string | null): Misread {
  if (way === null) return { way, alike: 0 }
  return { way, alike: way === before ? alike + 1 : 1 }
}

type FailedRequest = Extract<Sent, { readonly kind: 'failed' }>

/** Waits until the request may be sent again; throws where that would take too long, or was tried often enough. */
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
    const data = await modelError(context, error, {
      request,
      tried: [...tried, `${failures - 1} retries`],
      tries: failures,
      retryAfter: next.ms,
    })
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

/** A request that would be refused is not sent. */
function overLine(context: AskContext, built: BuiltRequest, { tried }: Remedies): TurnError {
  const data = overflowError(context, built, {
    failure: null,
    recovering: false,
    tried: [...tried, 'trim'],
    upstream: null,
    request: null,
    requestId: null,
  })
  context.emit({ type: 'error', data })
  return new TurnError(data, { isTold: true })
}

/** Tells what an answered request took, and notices where the model did not read all of it though nobody said so. */
async function accountFor(context: AskContext, built: BuiltRequest, asked: Asked, maxOutputTokens: number): Promise<void> {
  const { emit, model, session } = context
  const { usage, firstMs, durationMs } = asked
  const cost = usage === null ? null : costOfTurn(usage, model.price)
  const { dollars, unpriced } = costOfSession(session, pricesOf(context))
  const total = { dollars, unpriced }
  emit({ type: 'usage', data: { what: 'answer', usage: usage ?? nothing, cost, total, firstMs, durationMs } })
  if (usage !== null) await noticeOverflow(context, built, { ...asked, usage }, maxOutputTokens)
}

const nothing: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }

async function noticeOverflow(
  { emit, model, session, config, isWindowSet = false }: AskContext,
  { request, limits, window }: BuiltRequest,
  { usage, answer }: Asked & { readonly usage: Usage },
  maxOutputTokens: number,
): Promise<void> {
  const { estimate } = request.report.load
  const prompt = promptTotal(usage)
  // The last measurement is this request's own.
  const earlier = session.state().measurements.slice(0, -1)
  const counted = Math.max(0, ...earlier.flatMap((one) => (one.model === model.name ? [promptTotal(one.usage)] : [])))
  const believed = isWindowSet ? config.context_window : model.facts.window
  const found = silentOverflow({
    estimate,
    media: prompt * 2 < estimate ? mediaTokens(request.messages) : 0,
    counted,
    usage,
    finish: answer.finish,
    maxOutputTokens,
    window: limits.isGuessed ? believed : (limits.window ?? believed),
  })
  if (found === null) return
  notify(emit, 'silent_overflow', `${estimate} → ${prompt}`)
  // What is left of a prompt that was cut is known to fit. Otherwise the count itself makes the next request due.
  const fits = Math.max(prompt, counted)
  if (found === 'clipped' && fits < window) await learnLimits(session, model.name, { window: fits, isGuessed: true })
}

function mediaTokens(messages: readonly Message[]): number {
  const media = messages.flatMap(({ parts }) => parts.flatMap(mediaIn))
  return media.reduce((sum, part) => sum + countPart(part, estimator), 0)
}

/** What becomes of a request that failed for reasons that pass. */
export type NextTry =
  /** It is sent again after so many milliseconds. */
  | { readonly kind: 'wait'; readonly ms: number }
  /** It is not; where the provider says when it may be, that is so many milliseconds away. */
  | { readonly kind: 'give-up'; readonly ms: number | null }

/**
 * When to ask again after the `failures`-th failure in a row: after 1, 2, 4, 8 and 16 seconds, a fifth more or less by chance, or when
 * the provider says. Who says more than a minute is not waited for, nor is a third answer that nobody understands: `alike` of the
 * latest failures are answers that could not be understood in the same way. `random` gives numbers from 0 to 1.
 */
export function nextTry(
  { isTransient, retryAfter }: Pick<ModelCallError, 'isTransient' | 'retryAfter'>,
  failures: number,
  random: () => number,
  alike = 0,
): NextTry {
  const asked = retryAfter !== null && Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : null
  const isOften = failures > mostRetries || alike >= mostAlike
  if (!isTransient || isOften || (asked ?? 0) > longestWait) return { kind: 'give-up', ms: asked }
  // Many clients were refused at the same moment; they should not all come back at the same moment.
  return { kind: 'wait', ms: asked ?? Math.round(1000 * 2 ** (failures - 1) * (0.8 + 0.4 * random())) }
}

/** How often a request is sent again. */
const mostRetries = 5
/** How many answers that cannot be understood are paid for. */
const mostAlike = 2
const longestWait = 60_000
