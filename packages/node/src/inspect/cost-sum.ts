import { costOfTurn, type Price, type Usage, usageTotal } from '@plimsoll/core/bill'
import type { InspectedCost } from '../shared/inspection/inspection.ts'

/** What a session has cost, while its entries are read. */
export interface CostSum {
  readonly asked: (request: string, model: string) => void
  readonly answered: (request: string, usage: Usage) => void
  /** What was asked of a model beside the conversation. */
  readonly beside: (model: string, usage: Usage) => void
  readonly sum: () => InspectedCost
}

/** A session that has cost nothing. What was wound back was paid for too. */
export function createCostSum(priceOf: (model: string) => Price | null): CostSum {
  const models = new Map<string, string>()
  let dollars = 0
  let unpriced = 0
  const add = (model: string | undefined, usage: Usage) => {
    // A provider that said nothing about usage is written down with zeros, and was hardly free.
    const cost = model !== undefined && usageTotal(usage) > 0 ? costOfTurn(usage, priceOf(model)) : null
    dollars += cost?.dollars ?? 0
    unpriced += cost === null ? 1 : 0
  }
  return {
    asked: (request, model) => models.set(request, model),
    answered(request, usage) {
      add(models.get(request), usage)
      models.delete(request)
    },
    beside: add,
    sum: () => ({ dollars, unpriced }),
  }
}
