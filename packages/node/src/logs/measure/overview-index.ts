import { join } from 'node:path'
import { cacheFolder } from '../../config/home-folder.ts'
import type { Outcome } from '../../files/problem.ts'
import { readCacheFile, writeCacheFile } from './cache-file.ts'
import type { LogMeasure } from './measure-log.ts'

/** Raise it with every change of what is measured, or of how: a test compares it with the measures of recorded logs. */
export const measureVersion = 9

export interface IndexPlace {
  readonly file: string
  /** The version of this program. An index that another version wrote is not used. */
  readonly program: string
}

/** The place of the user's index; null without a home folder. */
export function indexPlace(environment: Readonly<Record<string, string | undefined>>, program: string): IndexPlace | null {
  const folder = cacheFolder(environment)
  return folder === null ? null : { file: join(folder, 'overview-index'), program }
}

/** The measure of a log, and the state of its file when it was read. */
export interface IndexRow {
  readonly path: string
  readonly stamp: string
  readonly measured: Outcome<LogMeasure>
}

/** Reads the index by the paths of logs. */
export async function readIndex({ file, program }: IndexPlace): Promise<ReadonlyMap<string, IndexRow>> {
  const rows = (await readCacheFile(file, headerOf(program))) as readonly IndexRow[]
  return new Map(rows.map((row) => [row.path, row]))
}

/** Replaces the index. */
export async function writeIndex({ file, program }: IndexPlace, rows: Iterable<IndexRow>): Promise<void> {
  await writeCacheFile(file, headerOf(program), rows)
}

function headerOf(program: string): string {
  return `plimsoll overview ${measureVersion} ${program} ${process.platform}`
}
