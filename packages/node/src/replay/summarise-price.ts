import type { PriceRow } from './bill/price-rows.ts'
import { sharesOf } from './needs/retention.ts'
import type { PriceSummary } from './replay-summary.ts'
import type { Bill, SessionRun } from './session-run.ts'
import { changeInterval, changeOf, median, quantile, share, sorted, sum } from './statistics.ts'

/** A run with that of the same session by `raw` and, where there is one, by `oracle`. */
export interface RunPair {
  readonly run: SessionRun
  readonly raw: SessionRun
  readonly oracle: SessionRun | undefined
}

/** Adds up what one policy set did to the bill at one price row, which is that of the bills at `index`. */
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
  const recalls = sum(bills, (one) => one.recalls)
  const priced = costs.filter((cost) => cost.base > 0)
  const changes = sorted(priced.map((cost) => cost.bill / cost.base - 1))
  const effectiveChanges = sorted(priced.map((cost) => cost.effective / cost.base - 1))
  const worst = priced.reduce<(typeof priced)[number] | null>(
    (most, cost) => (most === null || cost.bill / cost.base > most.bill / most.base ? cost : most),
    null,
  )
  const requests = sum(pairs, ({ run }) => run.requests)
  const tokens = sum(bills, (one) => one.promptTokens)
  const above = (place: 0 | 1 | 2) =>
    share(
      sum(bills, (one) => one.above[place]),
      requests,
    )
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
      read: sum(bills, (one) => one.read),
      write: sum(bills, (one) => one.write),
      fresh: sum(bills, (one) => one.fresh),
      output: sum(bills, (one) => one.output),
      summaries: sum(bills, (one) => one.summaries),
      keepAlive: sum(bills, (one) => one.keepAlive),
      recalls,
    },
    sensitivity: {
      '1': changeOf(bill + recalls, base),
      '2': changeOf(bill + 2 * recalls, base),
      '5': changeOf(bill + 5 * recalls, base),
    },
    retention: sharesOf(bills.map(({ retention }) => retention)),
    peakChange: changeOf(
      sum(bills, ({ peak }) => peak),
      sum(raws, ({ peak }) => peak),
    ),
    peak95Change: changeOf(
      sum(bills, ({ peak95 }) => peak95),
      sum(raws, ({ peak95 }) => peak95),
    ),
    tokensChange: changeOf(
      tokens,
      sum(raws, ({ promptTokens }) => promptTokens),
    ),
    hitRatio: share(
      sum(bills, ({ readTokens }) => readTokens),
      tokens,
    ),
    rewrittenTokens: sum(bills, ({ rewrittenTokens }) => rewrittenTokens),
    above: { '100k': above(0), '200k': above(1), '272k': above(2) },
    faultsPer100Requests:
      100 *
      share(
        sum(bills, ({ retention }) => retention.recalls),
        requests,
      ),
    thrash: share(
      sum(bills, ({ retention }) => retention.recalledAgain),
      sum(bills, ({ retention }) => retention.recalled),
    ),
    resultTokensRemoved: removedShare(bills),
  }
}

function removedShare(bills: readonly Bill[]): number {
  const all = sum(bills, ({ resultTokens }) => resultTokens)
  return all === 0 ? 0 : 1 - sum(bills, ({ resultTokensShown }) => resultTokensShown) / all
}

/** Over the sessions that the oracle ran as well. */
function regretOf(pairs: readonly RunPair[], index: number): number | null {
  let above = 0
  let most = 0
  for (const { run, raw, oracle } of pairs) {
    if (oracle === undefined) continue
    const best = effectiveOf(billAt(oracle, index))
    above += effectiveOf(billAt(run, index)) - best
    most += effectiveOf(billAt(raw, index)) - best
  }
  return most === 0 ? null : above / most
}

/** Everything paid but what is charged for getting things back. */
export function costOf({ read, write, fresh, output, summaries, keepAlive }: Bill): number {
  return read + write + fresh + output + summaries + keepAlive
}

function effectiveOf(bill: Bill): number {
  return costOf(bill) + bill.recalls
}

const nothing: Bill = {
  read: 0,
  write: 0,
  fresh: 0,
  output: 0,
  summaries: 0,
  keepAlive: 0,
  recalls: 0,
  readTokens: 0,
  promptTokens: 0,
  rewrittenTokens: 0,
  peak: 0,
  peak95: 0,
  above: [0, 0, 0],
  retention: {
    needs: 0,
    inView: 0,
    byHandle: 0,
    byQuery: 0,
    lost: 0,
    edits: 0,
    editsWhole: 0,
    recalls: 0,
    recalled: 0,
    recalledAgain: 0,
    classes: {},
  },
  resultTokens: 0,
  resultTokensShown: 0,
}

/** The bill of a run at a price row. */
export function billAt({ bills }: SessionRun, index: number): Bill {
  return bills[index] ?? nothing
}
