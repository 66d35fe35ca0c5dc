import { estimateTokens } from '@plimsoll/core'
import { costOfTurn, normaliseUsage, type Usage } from '@plimsoll/core/bill'
import { countMessages, estimator } from '@plimsoll/core/text'
import { type ModelAnswer, ModelCallError } from '../../model/model-client.ts'
import { commonStart, stableBreakpoints, cacheLifetime as usualLifetime } from '../../model/prompt-cache.ts'
import type { AskContext } from '../agent.ts'
import { safeWords } from '../turn/model-error.ts'
import type { BuiltRequest } from './build-request.ts'
import { newTokensPrice, writtenFor } from './cache-lifetime.ts'
import { lastView, rememberView } from './keep-alive.ts'
import { recordRequest, recordUsage } from './record-request.ts'
import { costOfSession, pricesOf, sideUsageEntry } from './session-cost.ts'

export interface Asked {
  readonly answer: ModelAnswer
  readonly request: string
  /** Null if the provider reported none. */
  readonly usage: Usage | null
  readonly firstMs: number | null
  readonly durationMs: number
}

export type Sent =
  | { readonly kind: 'answered'; readonly asked: Asked }
  | {
      readonly kind: 'failed'
      readonly error: ModelCallError
      readonly request: string
      readonly hasShown: boolean
    }

/** Stores a request, sends it once, and stores its outcome. Reports pieces of the answer as they arrive. */
export async function sendRequest(
  context: AskContext,
  built: BuiltRequest,
  maxOutputTokens: number,
  signal: AbortSignal,
): Promise<Sent> {
  const { session, model, tools, emit, now, cacheLifetime = null } = context
  const { messages } = built.request
  const before = lastView(session)
  const request = await recordRequest(session, built.request, {
    model: model.name,
    parameters: {
      maxOutputTokens,
      ...(model.reasoning == null ? {} : { reasoning: model.reasoning }),
      ...(cacheLifetime === null ? {} : { cacheLifetime }),
    },
    tools: built.toolsHandle,
    servers: built.servers,
  })
  signal.throwIfAborted()
  const start = now()
  let first: number | null = null
  let hasShown = false
  let written = ''
  try {
    const waiting = built.request.report.waiting.map(({ message }) => message)
    const breakpoints = stableBreakpoints(messages, before?.model === model.name ? before.messages : null, waiting)
    const answer = await model.call(
      { messages, tools, maxOutputTokens, breakpoints, cacheLifetime, signal },
      ({ type, text }) => {
        first ??= now()
        written += text
        if (type === 'tool-input' || text === '') return
        hasShown = true
        emit({ type: type === 'text' ? 'text_delta' : 'reasoning_delta', data: { text } })
      },
    )
    const durationMs = now() - start
    written = ''
    const usage = writtenFor(cacheLifetime, normaliseUsage(answer.usage))
    await recordUsage(session, request, usage)
    const { last, released } = built.request
    rememberView(session, { model: model.name, messages, tools, breakpoints, last, usage, released, at: now() })
    return { kind: 'answered', asked: { answer, request, usage, firstMs: first === null ? null : first - start, durationMs } }
  } catch (error) {
    if (written !== '') {
      // The provider bills an interrupted answer, but reports no usage.
      const usage = { ...expectedInput(context, built), output: estimateTokens(written) }
      await session.append([sideUsageEntry({ model: model.name, usage, what: 'broken-off', isEstimated: true })])
    }
    signal.throwIfAborted()
    if (!(error instanceof ModelCallError)) throw error
    const message = safeWords(error.message, context.environment)
    await session.append([{ type: 'failure', kind: error.failure.kind, message, request }])
    return { kind: 'failed', error, request, hasShown }
  }
}

export class CostLimitError extends Error {
  override readonly name = 'CostLimitError'
  /** In dollars. `next` is the cost of the request’s input alone; null if unknown. */
  readonly spent: number
  readonly limit: number
  readonly next: number | null

  constructor(spent: number, limit: number, next: number | null) {
    super(`spent ${money(spent)} + next ${next === null ? '?' : money(next)} > limit ${money(limit)}`)
    this.spent = spent
    this.limit = limit
    this.next = next
  }
}

/** Throws `CostLimitError` for a request whose input alone would cost more than the session has left. */
export function keepWithinLimit(context: AskContext, built: BuiltRequest): void {
  const { maxDollars } = context
  if (maxDollars === undefined) return
  const { dollars: spent } = costOfSession(context.session, pricesOf(context))
  const next = costOfInput(context, built)
  if (next === null || spent + next > maxDollars) throw new CostLimitError(spent, maxDollars, next)
}

/** The expected input of a request: the part that the provider has seen just now should be cached. */
function expectedInput(context: AskContext, { request, toolTokens }: BuiltRequest): Usage {
  const { session, model, now } = context
  const { tokens, estimate } = request.report.load
  const last = lastView(session)
  const lifetime = context.cacheLifetime === '1h' ? hour : usualLifetime
  const isCached = last?.model === model.name && model.facts.hasPromptCache !== false && now() - last.at <= lifetime
  // Tools and messages that the last request started with.
  const common = isCached ? request.messages.slice(0, commonStart(request.messages, last.messages)) : []
  const isEmpty = common.length === 0 || estimate <= 0
  const share = isEmpty ? 0 : Math.min(1, (countMessages(common, estimator) + toolTokens) / estimate)
  const cacheRead = Math.min(tokens, Math.floor(tokens * share))
  return { input: tokens - cacheRead, cacheRead, cacheWrite: 0, output: 0 }
}

const hour = 3_600_000

/** The cost if everything new is written to the cache; null if the price is unknown. */
function costOfInput(context: AskContext, built: BuiltRequest): number | null {
  const { price } = context.model
  if (price === null) return null
  const highestPrice = { ...price, input: newTokensPrice(price, context.cacheLifetime) }
  return costOfTurn(expectedInput(context, built), highestPrice)?.dollars ?? null
}

function money(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.01 ? 6 : 4)}`
}
