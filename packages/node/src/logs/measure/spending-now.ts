import type { Config } from '@plimsoll/core/policies'
import type { Spending } from '../../shared/spending.ts'
import { findLogs, logPlaces } from '../find-logs.ts'
import { measureLogs } from './measure-logs.ts'
import { indexPlace } from './overview-index.ts'
import { spendingOf } from './spending.ts'

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

/** What all agents on this machine spent today, this week and this month. Reads only logs that have changed since the last time. */
export async function spendingNow({ environment, platform, now, budget, prices, version }: SpendingOptions): Promise<Spending> {
  const found = await findLogs(logPlaces({ environment, platform }))
  const { spending } = await measureLogs(found, { platform, now, prices, index: indexPlace(environment, version) })
  return spendingOf(spending, now, budget)
}
