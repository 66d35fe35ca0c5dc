import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { troubleOf } from '../files/read-text.ts'
import { readLog } from '../logs/read-log.ts'
import type { FoundLog } from './collect-jobs.ts'

/** Temporary: until readLogs lands. */
export async function* readLogs(paths: readonly string[]): AsyncGenerator<FoundLog, void> {
  const seen = new Set<string>()
  const walk = async function* (path: string): AsyncGenerator<FoundLog, void> {
    try {
      const real = await realpath(path)
      if (seen.has(real)) return
      seen.add(real)
      if ((await stat(path)).isDirectory()) {
        for (const name of (await readdir(path)).sort()) yield* walk(join(path, name))
        return
      }
    } catch (error) {
      yield { path, trouble: troubleOf(error) }
      return
    }
    const { value, trouble } = await readLog(path)
    yield trouble === undefined ? { path, log: value } : { path, trouble }
  }
  for (const path of paths) yield* walk(path)
}
