import { costOfTurn, type Usage } from '@plimsoll/core/bill'
import { countMessages, estimator } from '@plimsoll/core/text'
import { cacheLifetime, commonStart } from '../../model/prompt-cache.ts'
import type { AskContext } from '../ask-context.ts'
import type { BuiltRequest } from './build-request.ts'
import { lastView } from './last-view.ts'
import { costOfSession, pricesOf } from './session-cost.ts'

/** A request was not sent: the session would cost more than it may. */
export class CostLimitError extends Error {
  override readonly name = 'CostLimitError'
  /** In dollars: what the session has cost, what it may cost, and what the input of the request alone would; null where unknown. */
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
  const { mostDollars } = context
  if (mostDollars === undefined) return
  const { dollars: spent } = costOfSession(context.session, pricesOf(context))
  const next = costOfInput(context, built)
  if (next === null || spent + next > mostDollars) throw new CostLimitError(spent, mostDollars, next)
}

/** What the input of a request is expected to take: of what the provider has seen just now it is believed to have a copy. */
export function expectedInput(context: AskContext, { request, toolTokens }: BuiltRequest): Usage {
  const { tokens, estimate } = request.report.load
  const cacheRead = Math.min(tokens, Math.floor(tokens * cachedShare(context, request.messages, toolTokens, estimate)))
  return { input: tokens - cacheRead, cacheRead, cacheWrite: 0, output: 0 }
}

/** What that will cost, where what is new may be written to the provider's cache; null where nobody knows the price. */
function costOfInput(context: AskContext, built: BuiltRequest): number | null {
  const { price } = context.model
  if (price === null) return null
  const dearest = { ...price, input: Math.max(price.input, price.cacheWrite) }
  return costOfTurn(expectedInput(context, built), dearest)?.dollars ?? null
}

/** The share of a request that its provider should have cached: tools and messages that the last one began with. */
function cachedShare(
  { session, model, now }: AskContext,
  messages: BuiltRequest['request']['messages'],
  toolTokens: number,
  estimate: number,
): number {
  const last = lastView(session)
  if (last === null || last.model !== model.name || model.facts.hasPromptCache === false) return 0
  if (now() - last.at > cacheLifetime || estimate <= 0) return 0
  const common = messages.slice(0, commonStart(messages, last.messages))
  return common.length === 0 ? 0 : Math.min(1, (countMessages(common, estimator) + toolTokens) / estimate)
}

function money(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.01 ? 6 : 4)}`
}
