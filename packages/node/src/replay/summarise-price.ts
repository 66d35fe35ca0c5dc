import type { PriceRow } from './bill/price-rows.ts'
import { sharesOf } from './needs/retention.ts'
import type { PriceSummary } from './replay-summary.ts'
import type { Bill, SessionRun } from './session-run.ts'
import { changeInterval, changeOf, median, quantile, share, sorted, sum } from './statistics.ts'

/** A run with that of the same session by `raw` and, if there is one, by `oracle`. */
export interface RunPair {
  readonly run: SessionRun
  readonly raw: SessionRun
  readonly oracle: SessionRun | undefined
}

/** Adds up the bills of one policy set at the price row of this index. */
export function summarisePrice(row: PriceRow, index: number, pairs: readonly RunPair[]): PriceSummary {
  const bills = pairs.map(({ run }) => billAt(run, index))
  const raws = pairs.map(({ raw }) => billAt(raw, index))
  const costs = pairs.map(({ run, raw }) => {
    const bill = billAt(run, index)
    const base = costOf(billAt(raw, index))
    return { session: run.session, base, bill: costOf(bill), effective: costOf(bill) + bill.recalls }
  })
  const base = sum(costs, (cost) => cost.base)
  const bill = sum(costs, (cost) => cost.bill)
  const effective = sum(costs, (cost) => cost.effective)
  const total = (key: BillNumber) => sum(bills, (one) => one[key])
  const changeIn = (key: BillNumber) =>
    changeOf(
      total(key),
      sum(raws, (one) => one[key]),
    )
  const counted = (key: 'recalls' | 'recalled' | 'recalledAgain') => sum(bills, ({ retention }) => retention[key])
  const recalls = total('recalls')
  const priced = costs.filter((cost) => cost.base > 0)
  const changes = sorted(priced.map((cost) => cost.bill / cost.base - 1))
  const effectiveChanges = sorted(priced.map((cost) => cost.effective / cost.base - 1))
  const worst = priced.reduce<(typeof priced)[number] | null>(
    (max, cost) => (max === null || cost.bill / cost.base > max.bill / max.base ? cost : max),
    null,
  )
  const requests = sum(pairs, ({ run }) => run.requests)
  const above = (place: 0 | 1 | 2) => sum(bills, (one) => one.above[place]) / Math.max(1, requests)
  return {
    model: row.name,
    cachedReadMultiple: row.read / row.input,
    writeMultiple: row.write / row.input,
    bill,
    change: changeOf(bill, base),
    effective,
    effectiveChange: changeOf(effective, base),
    worstSessionChange: worst === null ? 0 : worst.bill / worst.base - 1,
    worstSession: worst?.session ?? null,
    medianChange: median(changes),
    medianEffectiveChange: median(effectiveChanges),
    worstDecileChange: quantile(changes, 0.9),
    worstDecileEffectiveChange: quantile(effectiveChanges, 0.9),
    changeInterval: changeInterval(costs.map((cost) => ({ cost: cost.bill, base: cost.base }))),
    effectiveChangeInterval: changeInterval(costs.map((cost) => ({ cost: cost.effective, base: cost.base }))),
    regret: regretOf(pairs, index),
    split: {
      read: total('read'),
      write: total('write'),
      fresh: total('fresh'),
      output: total('output'),
      summaries: total('summaries'),
      keepAlive: total('keepAlive'),
      recalls,
    },
    sensitivity: {
      '1': changeOf(bill + recalls, base),
      '2': changeOf(bill + 2 * recalls, base),
      '5': changeOf(bill + 5 * recalls, base),
    },
    retention: sharesOf(bills.map(({ retention }) => retention)),
    peakChange: changeIn('peak'),
    peak95Change: changeIn('peak95'),
    tokensChange: changeIn('promptTokens'),
    hitRatio: share(total('readTokens'), total('promptTokens')),
    rewrittenTokens: total('rewrittenTokens'),
    above: { '100k': above(0), '200k': above(1), '272k': above(2) },
    faultsPer100Requests: 100 * share(counted('recalls'), requests),
    thrash: share(counted('recalledAgain'), counted('recalled')),
    resultTokensRemoved: total('resultTokens') === 0 ? 0 : 1 - total('resultTokensShown') / total('resultTokens'),
  }
}

type BillNumber = Exclude<keyof Bill, 'above' | 'retention'>

function regretOf(pairs: readonly RunPair[], index: number): number | null {
  let above = 0
  let max = 0
  for (const { run, raw, oracle } of pairs) {
    if (oracle === undefined) continue
    const best = effectiveOf(billAt(oracle, index))
    above += effectiveOf(billAt(run, index)) - best
    max += effectiveOf(billAt(raw, index)) - best
  }
  return max === 0 ? null : above / max
}

/** All costs except recalls. */
export function costOf({ read, write, fresh, output, summaries, keepAlive }: Bill): number {
  return read + write + fresh + output + summaries + keepAlive
}

function effectiveOf(bill: Bill): number {
  return costOf(bill) + bill.recalls
}

export function billAt({ bills }: SessionRun, index: number): Bill {
  return bills[index] as Bill
}
