import { parentPort, workerData } from 'node:worker_threads'
import { findLogs, logPlaces } from '../find-logs.ts'
import { pruneFilters, searchFolder } from './search-index.ts'
import { type FoundIn, searchLogs } from './search-logs.ts'

export interface SearchTask {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly text: string
  readonly maxLogs: number
}

/** A log with what was searched for; null at the end. */
export type SearchLine = FoundIn | null

const { environment, platform, text, maxLogs } = workerData as SearchTask
const say = (line: SearchLine) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(line)
}
const { logs } = await findLogs(logPlaces({ environment, platform }))
const index = searchFolder(environment)
if (index !== null)
  await pruneFilters(
    index,
    logs.map(({ path }) => path),
  )
await searchLogs(logs, text, { index, maxLogs, found: say })
say(null)
