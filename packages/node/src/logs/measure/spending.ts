import type { Config } from '@plimsoll/core/policies'
import type { Spending, SpendingBlock, Spent, SpentPeriod } from '../../shared/spending.ts'
import { firstDayOf, localDay } from './local-day.ts'

/** What answers of this and the last month cost. All values survive JSON. */
export interface SpendingRecord {
  /** By day of the user's time zone. */
  readonly days: Readonly<Record<string, Spent>>
  /** The answers of the last day and of its five-hour blocks, in the order of their times. */
  readonly recent: readonly RecentAnswer[]
}

export interface RecentAnswer {
  readonly at: number
  /** A number made of the provider's name for the answer, 0 if the log does not have it. */
  readonly id: number
  /** Null if the price is unknown. */
  readonly dollars: number | null
  readonly tokens: number
  /** Whether Claude Code asked for it: its limits count blocks of five hours. */
  readonly isClaudeCode: boolean
}

/** What was spent today, this week and this month at API prices, and how much of the budgets that is. */
export function spendingOf({ days, recent }: SpendingRecord, now: number, budget: Config['budget']): Spending {
  const since = (first: string) =>
    Object.entries(days).flatMap(([day, spent]) => (first <= day && day <= localDay(now) ? [spent] : []))
  return {
    today: periodOf(since(localDay(now)), budget.day),
    week: periodOf(since(firstDayOf('week', now)), budget.week),
    month: periodOf(since(firstDayOf('month', now)), budget.month),
    lastHour: sumOf(recent.filter(({ at }) => at > now - hour && at <= now)).dollars,
    block: currentBlock(recent, now),
  }
}

/** The share of a budget at which a warning is due. */
const nearShare = 0.8

function periodOf(spent: readonly Spent[], budget: number | null): SpentPeriod {
  const sum = { dollars: 0, requests: 0, unpriced: 0 }
  for (const { dollars, requests, unpriced } of spent) {
    sum.dollars += dollars
    sum.requests += requests
    sum.unpriced += unpriced
  }
  if (budget === null) return { ...sum, budget, share: null, state: 'no-budget' }
  const share = budget === 0 ? (sum.dollars > 0 ? Number.MAX_VALUE : 0) : sum.dollars / budget
  return { ...sum, budget, share, state: share >= 1 ? 'over' : share >= nearShare ? 'near' : 'ok' }
}

/** In milliseconds. */
export const hour = 3_600_000
const blockLength = 5 * hour
/** A rate of less time would jump with every request. */
const minRateTime = hour / 6

/** The block that `now` is in; null if it has no request yet. */
function currentBlock(recent: readonly RecentAnswer[], now: number): SpendingBlock | null {
  const block = blocksOf(recent.filter(({ at, isClaudeCode }) => isClaudeCode && at <= now)).at(-1)
  const [first] = block?.answers ?? []
  const last = block?.answers.at(-1)
  if (block === undefined || first === undefined || last === undefined) return null
  const end = block.start + blockLength
  if (now >= end || now - last.at >= blockLength) return null
  const sum = sumOf(block.answers)
  const tokens = block.answers.reduce((total, answer) => total + answer.tokens, 0)
  const hours = Math.max(minRateTime, now - first.at) / hour
  return {
    start: new Date(block.start).toISOString(),
    end: new Date(end).toISOString(),
    ...sum,
    tokens,
    secondsLeft: Math.round((end - now) / 1000),
    dollarsPerHour: sum.dollars / hours,
    tokensPerHour: Math.round(tokens / hours),
  }
}

/** A block starts at the hour of the first request that is five hours after the start of the last block, or after five idle hours. */
export function blocksOf(answers: readonly RecentAnswer[]) {
  const blocks: { readonly start: number; readonly answers: RecentAnswer[] }[] = []
  for (const answer of answers) {
    const block = blocks.at(-1)
    const last = block?.answers.at(-1)
    if (block !== undefined && last !== undefined && answer.at < block.start + blockLength && answer.at - last.at < blockLength)
      block.answers.push(answer)
    else blocks.push({ start: answer.at - (answer.at % hour), answers: [answer] })
  }
  return blocks
}

export function sumOf(answers: readonly RecentAnswer[]): Spent {
  return {
    dollars: answers.reduce((sum, { dollars }) => sum + (dollars ?? 0), 0),
    requests: answers.length,
    unpriced: answers.filter(({ dollars }) => dollars === null).length,
  }
}
