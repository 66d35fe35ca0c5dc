import type { ToolKind } from '@plimsoll/core/policies'
import type { ReadProblem } from '../../files/problem.ts'
import { isoTime } from '../../files/time-and-size.ts'
import type { OwnPrices } from '../../model/price-of-model.ts'
import type { OverviewCategory } from '../../strings/english/replay.ts'
import type { FoundLog } from '../find-logs.ts'
import { type BillSpan, type BreakdownBy, createBreakdown, isWithin } from './breakdown.ts'
import { type CacheLoss, cacheLosses } from './cache-losses.ts'
import { type Carried, carryingCost } from './carried.ts'
import { createLogRows } from './log-rows.ts'
import type { LogMeasure } from './measure-log.ts'
import {
  type AnswerUsage,
  type BigResult,
  type CostOrigin,
  createBill,
  createBillSum,
  createPrices,
  maxBiggest,
  type ReadFile,
  type SessionMeasure,
  type UsageSum,
} from './measure-session.ts'
import { createSpendingSum } from './spending-sum.ts'

export interface AgentRow extends CostOrigin {
  readonly agent: string
  readonly sessions: number
  readonly requests: number
  readonly tokens: number
  readonly usage: UsageSum | null
  readonly dollars: number | null
  readonly unpriced: number
}

/** The session that a row is about. */
export interface InSession {
  readonly agent: string
  readonly session: string | null
  readonly title: string | null
  readonly file: string
}

/** `dollars` is what carrying it cost, by `carryingCost`; null if the price of the session's model is unknown. */
export type BiggestRow = BigResult & InSession & { readonly dollars: number | null }
export type RepeatedRow = Omit<ReadFile, 'file'> & InSession & { readonly path: string; readonly dollars: number | null }
export type LossRow = Omit<CacheLoss, 'at'> & InSession & { readonly at: string | null }

export interface UnreadableRow {
  readonly agent: string
  readonly file: string
  readonly trouble: ReadProblem
}

export type Overview = ReturnType<ReturnType<typeof createOverview>['finish']>

/** Which answers the bill counts, and what its rows stand for. Default: all of them, and no rows. */
export interface ShownBill extends Partial<BillSpan> {
  readonly by?: BreakdownBy | null
  /** For what was spent lately. Default: the present. */
  readonly now?: number
  /** The user's own prices. Default: none. */
  readonly prices?: OwnPrices
  /** Whether to add up each log as well. Default: no. */
  readonly byLog?: boolean
}

/** Adds up what logs hold and cost. Answers that are in several logs count for the first of them, so the order matters. */
export function createOverview({
  by = null,
  since = null,
  until = null,
  now = Date.now(),
  prices = {},
  byLog = false,
}: ShownBill = {}) {
  const agents = new Map<string, ReturnType<typeof newSum>>()
  const tokens = { system: 0, user: 0, assistant: 0, reasoning: 0, calls: 0, results: 0, images: 0, summaries: 0 }
  const dollars: Partial<Record<OverviewCategory, number>> = {}
  const results = new Map<ToolKind, PricedAmount>()
  const reads = { reads: 0, again: newAmount(), same: newAmount() }
  const losses = { pause: newAmount(), model: newAmount(), change: newAmount() }
  const unreadable: UnreadableRow[] = []
  const skipped = { lines: 0, files: 0 }
  const badUsages = { answers: 0, sessions: 0 }
  let first: number | null = null
  let last: number | null = null
  const bill = createBill(prices)
  const priceFor = createPrices(prices)
  const breakdown = by === null ? null : createBreakdown(by)
  const logRows = byLog ? createLogRows() : null
  const spending = createSpendingSum(now, prices)
  const isLimited = since !== null || until !== null
  let biggest: readonly BiggestRow[] = []
  let repeated: readonly RepeatedRow[] = []
  let lost: readonly LossRow[] = []
  const newest: { readonly file: string; readonly last: number; readonly requests: number }[] = []
  let compactions = 0
  let copies = 0
  let bytes = 0
  let files = 0

  function addSession(found: FoundLog, measure: SessionMeasure): void {
    const { agent, path: file } = found
    spending.add(measure, agent)
    const sum = agents.get(agent) ?? newSum(agent)
    const answers = isLimited ? measure.answers.filter((answer) => isWithin(answer, { since, until })) : measure.answers
    if (isLimited && answers.length === 0) return
    const { models, ownAnswers } = measure
    const ownLosses = cacheLosses(measure.answers, ownAnswers, ([at, model]) => priceFor(models[model] ?? null, at))
    const losing = new Set(ownLosses.map(({ answer }) => answer))
    const counted = new Set<AnswerUsage>()
    const ownSums = logRows === null ? [sum.bill] : [sum.bill, logRows.sumFor(found, measure)]
    const before = bill.add({ ...measure, answers }, (answer, model) => {
      if (losing.size > 0 && losing.has(answer)) counted.add(answer)
      return breakdown === null ? ownSums : [...ownSums, breakdown.sumFor(answer, model, measure, file)]
    })
    if (before > 0 && before === answers.length) {
      copies += 1
      return
    }
    if (measure.badUsages > 0) {
      badUsages.answers += measure.badUsages
      badUsages.sessions += 1
    }
    agents.set(agent, sum)
    sum.sessions += 1
    sum.requests += (isLimited ? answers.length : measure.requests) - before
    if (measure.last !== null) newest.push({ file, last: measure.last, requests: measure.requests })
    const row = { agent, session: measure.id, title: measure.title, file }
    addCosts(measure, row)
    addLosses(
      ownLosses.filter(({ answer }) => counted.has(answer)),
      row,
    )
    compactions += measure.compactions
    for (const [category, count] of Object.entries(measure.tokens) as [OverviewCategory, number][]) {
      tokens[category] += count
      sum.tokens += count
    }
    if (measure.first !== null) first = Math.min(first ?? measure.first, measure.first)
    if (measure.last !== null) last = Math.max(last ?? measure.last, measure.last)
  }

  function addCosts(measure: SessionMeasure, row: InSession): void {
    const price = priceFor(mainModel(measure), measure.last)
    const cost = (carried: Carried) => carryingCost(carried, price)
    for (const [category, carried] of Object.entries(measure.carried) as [OverviewCategory, Carried][])
      if (price !== null) dollars[category] = (dollars[category] ?? 0) + (cost(carried) ?? 0)
    for (const { kind, ...amount } of measure.results) {
      const known = results.get(kind) ?? newAmount()
      addAmount(known, amount, cost(amount))
      results.set(kind, known)
    }
    reads.reads += measure.reads.reads
    addAmount(reads.again, measure.reads.again, cost(measure.reads.again))
    addAmount(reads.same, measure.reads.same, cost(measure.reads.same))
    biggest = costliest(
      biggest,
      measure.biggest.map((big) => ({ ...big, ...row, dollars: cost(big) })),
    )
    repeated = costliest(
      repeated,
      measure.reads.files.map(({ file: path, ...read }) => ({ path, ...read, ...row, dollars: cost(read) })),
    )
  }

  function addLosses(found: ReturnType<typeof cacheLosses>, row: InSession): void {
    for (const { cause, tokens: count, dollars: cost } of found) addAmount(losses[cause], { count: 1, tokens: count }, cost)
    const rows = found.map(({ at, pauseSeconds, cause, tokens: count, dollars: cost }) => {
      return { at: isoTime(at ?? undefined), pauseSeconds, cause, tokens: count, dollars: cost, ...row }
    })
    if (rows.length > 0) lost = costliest(lost, rows)
  }

  return {
    add(found: FoundLog, { sessions, skippedLines }: LogMeasure) {
      files += 1
      bytes += found.bytes
      if (skippedLines > 0) {
        skipped.lines += skippedLines
        skipped.files += 1
      }
      for (const session of sessions) addSession(found, session)
    },
    addUnreadable: (row: UnreadableRow) => void unreadable.push(row),
    finish() {
      const rows = [...agents.values()]
        .map(({ bill: own, ...row }) => {
          const { dollars: cost, unpriced, basis, recordedDollars } = own.money()
          return { ...row, usage: own.usage(), dollars: cost, unpriced, basis, recordedDollars }
        })
        .toSorted((a, b) => (b.dollars ?? 0) - (a.dollars ?? 0) || b.requests - a.requests || (a.agent < b.agent ? -1 : 1))
      return {
        sessions: sumOf(rows, ({ sessions }) => sessions),
        requests: sumOf(rows, ({ requests }) => requests),
        bytes,
        files,
        first: isoTime(first ?? undefined),
        last: isoTime(last ?? undefined),
        compactions,
        agents: rows,
        tokens: { ...tokens, total: sumOf(Object.values(tokens), (count) => count) },
        // What carrying these tokens cost, by the same names; only those of sessions with a known price.
        dollars,
        results: [...results].map(([kind, amount]) => ({ kind, ...amount })).toSorted(byDollars),
        reads: { ...reads, files: repeated },
        biggest,
        cacheLosses: { ...losses, rows: lost },
        newest: newest.toSorted((a, b) => b.last - a.last),
        usage: bill.whole.usage(),
        // Answers that were not counted because another log has them too, and sessions with only such answers.
        repeatedAnswers: bill.repeated(),
        copies,
        money: bill.whole.money(),
        breakdown: breakdown?.finish() ?? null,
        ...(logRows === null ? {} : { logs: logRows.finish() }),
        // Of all logs, whatever the limits.
        spending: spending.finish(),
        unreadable,
        skipped,
        // Answers whose usage cannot be, and that are in no sum.
        badUsages,
      }
    },
  }
}

function newSum(agent: string) {
  return { agent, sessions: 0, requests: 0, tokens: 0, bill: createBillSum() }
}

export interface PricedAmount {
  count: number
  tokens: number
  dollars: number | null
}

function newAmount(): PricedAmount {
  return { count: 0, tokens: 0, dollars: null }
}

function addAmount(sum: PricedAmount, { count, tokens }: Pick<PricedAmount, 'count' | 'tokens'>, dollars: number | null): void {
  sum.count += count
  sum.tokens += tokens
  if (dollars !== null && count > 0) sum.dollars = (sum.dollars ?? 0) + dollars
}

/** The model with the most answers of a session. */
function mainModel({ models, answers }: SessionMeasure): string | null {
  if (models.length < 2) return models[0] ?? null
  const counts = new Map<number, number>()
  for (const [, model] of answers) counts.set(model, (counts.get(model) ?? 0) + 1)
  const [main] = [...counts].toSorted((a, b) => b[1] - a[1])
  return main === undefined ? null : (models[main[0]] ?? null)
}

type Weighed = { readonly dollars: number | null; readonly tokens: number }

/** Those that cost most; rows without a price come last, by their tokens. */
function costliest<Row extends Weighed>(rows: readonly Row[], more: readonly Row[]): readonly Row[] {
  return [...rows, ...more].toSorted(byDollars).slice(0, maxBiggest)
}

function byDollars(a: Weighed, b: Weighed): number {
  return (b.dollars ?? -1) - (a.dollars ?? -1) || b.tokens - a.tokens
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
