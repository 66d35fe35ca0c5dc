import { dirname } from 'node:path'
import type { Outcome } from '../../files/problem.ts'
import type { FoundLog, FoundLogs } from '../find-logs.ts'
import { measureInWorkers } from './measure-in-workers.ts'
import type { LogMeasure } from './measure-log.ts'
import { createOverview, type Overview, type ShownBill } from './overview.ts'
import { type IndexPlace, type IndexRow, readIndex, writeIndex } from './overview-index.ts'
import { writeSpending } from './spending-file.ts'

export interface MeasureOptions extends ShownBill {
  readonly platform: string
  /** Where to remember what logs hold. Default: nowhere, every log is read. */
  readonly index?: IndexPlace | null
  readonly progress?: (so: ReadingProgress) => void
  /** Threads that read logs. Default: one for each core, or none if there is little to read. */
  readonly workers?: number
}

export interface ReadingProgress {
  readonly files: number
  readonly allFiles: number
  readonly bytes: number
  readonly allBytes: number
}

/** Adds up what logs hold and cost. Reads only those that have changed since the index was written. */
export async function measureLogs(
  { logs, unreadable }: Pick<FoundLogs, 'logs' | 'unreadable'>,
  { platform, index: place = null, progress = () => undefined, workers, ...shown }: MeasureOptions,
): Promise<Overview> {
  const index = place === null ? new Map<string, IndexRow>() : await readIndex(place)
  const known = new Map<string, Outcome<LogMeasure>>()
  for (const { path, stamp } of logs) {
    const row = index.get(path)
    if (row !== undefined && row.stamp === stamp) known.set(path, row.measured)
  }
  const unknown = logs.filter(({ path }) => !known.has(path))
  const so = progressOf(logs, unknown, progress)
  const read = await measureInWorkers(unknown, { platform, progress: so, ...(workers === undefined ? {} : { workers }) })
  const measured = new Map([...known, ...read])
  if (place !== null && (index.size > known.size || read.size > 0))
    await writeIndex(
      place,
      logs.flatMap((log) => rowOf(log, measured.get(log.path))),
    )
  const now = shown.now ?? Date.now()
  const overview = overviewOf({ logs, unreadable }, measured, { ...shown, now })
  // For status lines, which have no time to add up.
  if (place !== null) writeSpending(dirname(place.file), place.program, { at: now, ...overview.spending })
  return overview
}

function overviewOf(
  { logs, unreadable }: Pick<FoundLogs, 'logs' | 'unreadable'>,
  measured: ReadonlyMap<string, Outcome<LogMeasure>>,
  shown: ShownBill,
): Overview {
  const overview = createOverview(shown)
  for (const { agent, path, problem } of unreadable) overview.addUnreadable({ agent, file: path, trouble: problem })
  for (const found of logs) {
    const { value, problem } = measured.get(found.path) ?? {}
    if (value !== undefined) overview.add(found, value)
    // An agent may have removed the log in the meantime, or only just started it.
    else if (problem !== undefined && problem.kind !== 'not-found' && problem.kind !== 'empty')
      overview.addUnreadable({ agent: found.agent, file: found.path, trouble: problem })
  }
  return overview.finish()
}

function rowOf({ path, stamp }: FoundLog, measured: Outcome<LogMeasure> | undefined): readonly IndexRow[] {
  if (measured === undefined || stamp === null) return []
  return measured.problem !== undefined && passing.has(measured.problem.kind) ? [] : [{ path, stamp, measured }]
}

/** Problems that may end without a change of the file. */
const passing: ReadonlySet<string> = new Set(['not-found', 'is-folder', 'no-permission', 'unreadable'])

function progressOf(logs: readonly FoundLog[], unknown: readonly FoundLog[], progress: (so: ReadingProgress) => void) {
  const bytesOf = (list: readonly FoundLog[]) => list.reduce((sum, { bytes }) => sum + bytes, 0)
  const allBytes = bytesOf(logs)
  const start = { files: logs.length - unknown.length, bytes: allBytes - bytesOf(unknown) }
  return ({ files, bytes }: { readonly files: number; readonly bytes: number }) =>
    progress({ files: start.files + files, allFiles: logs.length, bytes: start.bytes + bytes, allBytes })
}
