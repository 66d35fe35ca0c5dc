import { setTimeout as sleep } from 'node:timers/promises'
import { accountFor } from './account-for.ts'
import type { AskContext } from './ask-context.ts'
import { type BuiltRequest, buildRequest } from './build-request.ts'
import { compactForRoom } from './compact-for-room.ts'
import { keepWithinLimit } from './cost-limit.ts'
import { liveRequest } from './live-request.ts'
import { modelError } from './model-error.ts'
import { notify } from './notify.ts'
import { overflowError } from './overflow-error.ts'
import { type Remedies, recover } from './recover.ts'
import { nextTry } from './retry-schedule.ts'
import { safeWords } from './safe-words.ts'
import { type Asked, type Sent, sendRequest } from './send-request.ts'
import { TurnError } from './turn-error.ts'

export type { Asked } from './send-request.ts'

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
