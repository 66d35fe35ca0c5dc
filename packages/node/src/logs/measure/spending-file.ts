import { join } from 'node:path'
import { readMemory, writeMemory } from '../../files/memory-file.ts'
import { localDay } from './local-day.ts'
import type { RecentAnswer, SpendingRecord } from './spending.ts'

/** What was spent, as of a time. */
export interface RememberedSpending extends SpendingRecord {
  readonly at: number
}

/** What was spent when the logs were measured last; null if that is unknown. Reading it takes milliseconds. */
export function readSpending(cacheFolder: string, program: string): RememberedSpending | null {
  return readMemory(fileIn(cacheFolder), versionOf(program)) as RememberedSpending | null
}

export function writeSpending(cacheFolder: string, program: string, spending: RememberedSpending): void {
  writeMemory(fileIn(cacheFolder), versionOf(program), spending)
}

function fileIn(cacheFolder: string): string {
  return join(cacheFolder, 'spending')
}

function versionOf(program: string): string {
  return `plimsoll spending 1 ${program} ${process.platform}`
}

/** Adds answers of a log that has grown since; those that are known by their id or are older than a day do not count. */
export function withAnswers({ at, days, recent }: RememberedSpending, answers: readonly RecentAnswer[]): SpendingRecord {
  const known = new Set(recent.map(({ id }) => id))
  const fresh = answers.filter(({ id, at: time }) => id !== 0 && time > at - dayLength && !known.has(id))
  const sums = { ...days }
  for (const { at: time, dollars } of fresh) {
    const sum = sums[localDay(time)] ?? { dollars: 0, requests: 0, unpriced: 0 }
    const unpriced = dollars === null ? 1 : 0
    sums[localDay(time)] = {
      dollars: sum.dollars + (dollars ?? 0),
      requests: sum.requests + 1,
      unpriced: sum.unpriced + unpriced,
    }
  }
  return { days: sums, recent: [...recent, ...fresh].toSorted((one, other) => one.at - other.at) }
}

/** In milliseconds: `recent` has all answers of the last day. */
const dayLength = 86_400_000
