import { costOfTurn } from '@plimsoll/core/bill'
import type { Payment } from '../model/side-calls.ts'
import type { OpenSession } from '../session/session.ts'
import type { Emit, SideCall } from '../shared/event.ts'
import { costOfSession, type PriceOf } from './session-cost.ts'
import { sideUsageEntry } from './side-usage.ts'

/** Who pays for what models are asked beside a conversation. */
export interface PayingOptions {
  readonly session: OpenSession
  readonly emit: Emit
  /** The price of any model; always the same function. */
  readonly priceOf: PriceOf
  /** Dollars that the session may cost. Default: any amount. */
  readonly mostDollars?: number | null | undefined
}

/**
 * How calls of a model beside the conversation are paid for: what each took is written into the session and told, and none is made
 * that could cost more than the session may, as far as its tokens are known beforehand.
 */
export function payingFor(what: SideCall, model: string, options: PayingOptions): Required<Payment> {
  const { session, emit, priceOf, mostDollars = null } = options
  return {
    async onUsage({ usage, isEstimated, durationMs }) {
      await session.append([sideUsageEntry({ model, usage, what, isEstimated })])
      const { dollars, unpriced } = costOfSession(session, priceOf)
      const cost = costOfTurn(usage, priceOf(model))
      emit({ type: 'usage', data: { what, usage, cost, total: { dollars, unpriced }, firstMs: null, durationMs } })
    },
    mayAsk({ input, output }) {
      if (mostDollars === null) return true
      const cost = costOfTurn({ input, cacheRead: 0, cacheWrite: 0, output }, priceOf(model))
      // What has no price cannot be held to a limit.
      return cost !== null && costOfSession(session, priceOf).dollars + cost.dollars <= mostDollars
    },
  }
}
