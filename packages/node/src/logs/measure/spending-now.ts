import type { Config } from '@plimsoll/core/policies'
import type { Finding, HomeFigures, Spending } from '../../shared/spending.ts'
import { findLogs, logPlaces } from '../find-logs.ts'
import { findingsIn } from './findings.ts'
import { localDay } from './local-day.ts'
import type { LogRow } from './log-rows.ts'
import { measureLogs } from './measure-logs.ts'
import { indexPlace } from './overview-index.ts'
import { type SpendingRecord, spendingOf } from './spending.ts'

export interface SpendingOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly now: number
  readonly budget: Config['budget']
  /** The user's own prices. */
  readonly prices: Config['prices']
  /** Of this program: the index of another version is not used. */
  readonly version: string
}

/** What all agents on this machine spent, and on what. */
export interface SpendingFound {
  readonly spending: Spending
  readonly days: HomeFigures['days']
  readonly logs: readonly LogRow[]
  readonly findings: readonly Finding[]
}

/** Reads only logs that have changed since the last time. */
export async function spendingNow(options: SpendingOptions): Promise<SpendingFound> {
  const { environment, platform, now, budget, prices, version } = options
  const found = await findLogs(logPlaces({ environment, platform }))
  const index = indexPlace(environment, version)
  const overview = await measureLogs(found, { platform, now, prices, index, byLog: true })
  const { spending, logs = [] } = overview
  return {
    spending: spendingOf(spending, now, budget),
    days: lastDays(spending, now),
    logs,
    findings: findingsIn(overview, shownFindings),
  }
}

const shownFindings = 3
const shownDays = 14

/** Dollars of the last two weeks, day by day. */
export function lastDays({ days }: Pick<SpendingRecord, 'days'>, now: number): HomeFigures['days'] {
  const date = new Date(now)
  return Array.from({ length: shownDays }, (_, index) => {
    const back = shownDays - 1 - index
    // At noon, which every day has.
    const day = localDay(new Date(date.getFullYear(), date.getMonth(), date.getDate() - back, 12).getTime())
    return { day, dollars: days[day]?.dollars ?? 0 }
  })
}
