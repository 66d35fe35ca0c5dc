import type { ToolKind } from '@plimsoll/core/policies'
import type { ReadProblem } from '../../files/problem.ts'
import { isoTime } from '../../files/time-and-size.ts'
import type { OwnPrices } from '../../model/price-of-model.ts'
import type { OverviewCategory } from '../../strings/english/replay.ts'
import type { FoundLog } from '../find-logs.ts'
import { type BillSpan, type BreakdownBy, createBreakdown, isWithin } from './breakdown.ts'
import type { LogMeasure } from './measure-log.ts'
import {
  addAmount,
  type BigResult,
  createBill,
  createBillSum,
  maxBiggest,
  type SessionMeasure,
  type UsageSum,
} from './measure-session.ts'
import { createSpendingSum } from './spending-sum.ts'

export interface AgentRow {
  readonly agent: string
  readonly sessions: number
  readonly requests: number
  readonly tokens: number
  readonly usage: UsageSum | null
  readonly dollars: number | null
  readonly unpriced: number
}

export interface BiggestRow extends BigResult {
  readonly agent: string
  readonly session: string | null
  readonly title: string | null
  readonly file: string
}

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
}

/** Adds up what logs hold and cost. Answers that are in several logs count for the first of them, so the order matters. */
export function createOverview({ by = null, since = null, until = null, now = Date.now(), prices = {} }: ShownBill = {}) {
  const agents = new Map<string, ReturnType<typeof newSum>>()
  const tokens = { system: 0, user: 0, assistant: 0, reasoning: 0, calls: 0, results: 0, images: 0, summaries: 0 }
  const results = new Map<ToolKind, { count: number; tokens: number }>()
  const reads = { reads: 0, again: { count: 0, tokens: 0 }, same: { count: 0, tokens: 0 } }
  const unreadable: UnreadableRow[] = []
  const skipped = { lines: 0, files: 0 }
  let first: number | null = null
  let last: number | null = null
  const bill = createBill(prices)
  const breakdown = by === null ? null : createBreakdown(by)
  const spending = createSpendingSum(now, prices)
  const isLimited = since !== null || until !== null
  let biggest: BiggestRow[] = []
  let compactions = 0
  let copies = 0
  let bytes = 0
  let files = 0

  function addSession({ agent, path: file }: FoundLog, measure: SessionMeasure): void {
    spending.add(measure, agent)
    const sum = agents.get(agent) ?? newSum(agent)
    const answers = isLimited ? measure.answers.filter((answer) => isWithin(answer, { since, until })) : measure.answers
    if (isLimited && answers.length === 0) return
    const repeated = bill.add({ ...measure, answers }, (answer, model) => [
      sum.bill,
      ...(breakdown === null ? [] : [breakdown.sumFor(answer, model, measure, file)]),
    ])
    if (repeated > 0 && repeated === answers.length) {
      copies += 1
      return
    }
    agents.set(agent, sum)
    sum.sessions += 1
    sum.requests += (isLimited ? answers.length : measure.requests) - repeated
    compactions += measure.compactions
    for (const [category, count] of Object.entries(measure.tokens) as [OverviewCategory, number][]) {
      tokens[category] += count
      sum.tokens += count
    }
    for (const { kind, ...amount } of measure.results) {
      const known = results.get(kind) ?? { count: 0, tokens: 0 }
      addAmount(known, amount)
      results.set(kind, known)
    }
    reads.reads += measure.reads.reads
    addAmount(reads.again, measure.reads.again)
    addAmount(reads.same, measure.reads.same)
    const rows = measure.biggest.map((big) => ({ ...big, agent, session: measure.id, title: measure.title, file }))
    biggest = [...biggest, ...rows].toSorted((a, b) => b.tokens - a.tokens).slice(0, maxBiggest)
    if (measure.first !== null) first = Math.min(first ?? measure.first, measure.first)
    if (measure.last !== null) last = Math.max(last ?? measure.last, measure.last)
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
      const rows = [...agents.values()].toSorted((a, b) => b.requests - a.requests || (a.agent < b.agent ? -1 : 1))
      return {
        sessions: sumOf(rows, ({ sessions }) => sessions),
        requests: sumOf(rows, ({ requests }) => requests),
        bytes,
        files,
        first: isoTime(first ?? undefined),
        last: isoTime(last ?? undefined),
        compactions,
        agents: rows.map(({ bill: own, ...row }) => {
          const { dollars, unpriced } = own.money()
          return { ...row, usage: own.usage(), dollars, unpriced }
        }),
        tokens: { ...tokens, total: sumOf(Object.values(tokens), (count) => count) },
        results: [...results].map(([kind, amount]) => ({ kind, ...amount })).toSorted((a, b) => b.tokens - a.tokens),
        reads,
        biggest,
        usage: bill.whole.usage(),
        // Answers that were not counted because another log has them too, and sessions with only such answers.
        repeatedAnswers: bill.repeated(),
        copies,
        money: bill.whole.money(),
        breakdown: breakdown?.finish() ?? null,
        // Of all logs, whatever the limits.
        spending: spending.finish(),
        unreadable,
        skipped,
      }
    },
  }
}

function newSum(agent: string) {
  return { agent, sessions: 0, requests: 0, tokens: 0, bill: createBillSum() }
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
