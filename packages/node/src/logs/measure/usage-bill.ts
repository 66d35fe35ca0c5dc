import { costOfTurn, knownPrices, priceOf, promptTotal, sumCosts, type Usage } from '@plimsoll/core/bill'
import type { ReadSession, ReportedUsage } from '../log-reader.ts'
import type { SessionMeasure } from './measure-session.ts'

export interface UsageSum extends Usage {
  readonly requests: number
  /** The share of the prompts that was read from a cache; null if nothing was sent. */
  readonly hitRatio: number | null
}

/** Counts each answer once, by its time and usage: a session that was split, resumed or archived is in several logs. */
export function createBill() {
  const whole = createBillSum()
  const known = new Set<string>()
  let repeated = 0
  return {
    whole,
    /** Adds the cost of a session's answers to the total and to `own`; returns how many answers were counted before. */
    add({ usages, model }: ReadSession, { times }: SessionMeasure, own: BillSum): number {
      let before = 0
      for (const reported of usages) {
        const at = times.get(reported.after)
        const { input, cacheRead, cacheWrite, output } = reported.usage
        const key = at === undefined ? null : [at, input, cacheRead, cacheWrite, output].join()
        if (key !== null && known.has(key)) before += 1
        else for (const sum of [whole, own]) sum.add(reported, model ?? null)
        if (key !== null) known.add(key)
      }
      repeated += before
      return before
    },
    repeated: () => repeated,
  }
}

type BillSum = ReturnType<typeof createBillSum>
export type Money = ReturnType<BillSum['money']>

export function createBillSum() {
  const sum = { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  const models = new Map<string | null, { requests: number; cost: ReturnType<typeof sumCosts> }>()
  return {
    add({ usage, model: own }: ReportedUsage, sessionModel: string | null) {
      const named = (own ?? sessionModel)?.slice(0, 200) ?? null
      // A hostile log may name any number of models.
      const model = models.size < 500 || models.has(named) ? named : null
      sum.requests += 1
      sum.input += usage.input
      sum.cacheRead += usage.cacheRead
      sum.cacheWrite += usage.cacheWrite
      sum.output += usage.output
      const known = models.get(model) ?? { requests: 0, cost: sumCosts([]) }
      const cost = costOfTurn(usage, model === null ? null : priceFor(model))
      const { unpriced } = known.cost
      const added = sumCosts(cost === null ? [known.cost, null] : [known.cost, cost])
      models.set(model, { requests: known.requests + 1, cost: { ...added, unpriced: unpriced + added.unpriced } })
    },
    usage: (): UsageSum | null => {
      const prompt = promptTotal(sum)
      return sum.requests === 0 ? null : { ...sum, hitRatio: prompt === 0 ? null : sum.cacheRead / prompt }
    },
    money() {
      const rows = [...models].map(([model, { requests, cost }]) => ({
        model,
        requests,
        dollars: cost.unpriced === requests ? null : cost.dollars,
      }))
      const priced = rows.some(({ dollars }) => dollars !== null)
      const { dollars, parts } = sumCosts([...models.values()].map(({ cost }) => cost))
      const unpriced = [...models.values()].reduce((count, { cost }) => count + cost.unpriced, 0)
      return {
        dollars: priced ? dollars : null,
        parts,
        unpriced,
        priceDate: knownPrices.date,
        models: rows.toSorted((a, b) => (b.dollars ?? -1) - (a.dollars ?? -1) || b.requests - a.requests),
      }
    },
  }
}

const prices = new Map<string, ReturnType<typeof priceOf>>()

function priceFor(model: string): ReturnType<typeof priceOf> {
  const known = prices.get(model)
  if (known !== undefined) return known
  const price = priceOf(model)
  if (prices.size < 1000) prices.set(model, price)
  return price
}
