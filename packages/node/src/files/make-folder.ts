import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeOf } from './problem.ts'

/**
 * Creates a folder with its parents, by default for its owner only. Returns the first one that was missing. Throws with the true cause:
 * Node says that a read-only disk has no such folder.
 */
export function makeFolder(folder: string, mode = 0o700): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true, mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    let missing = folder
    while (dirname(missing) !== missing && !existsSync(dirname(missing))) missing = dirname(missing)
    mkdirSync(missing, { mode })
    mkdirSync(folder, { recursive: true, mode })
    return missing
  }
}

/** Creates a folder for temporary files that only its owner can read. It is removed later if this process is killed before it removes it. */
export function temporaryFolder(name: 'doctor' | 'logs' | 'open' | 'pipes'): Promise<string> {
  removeLeftovers(tmpdir(), /^plimsoll-(?:doctor|logs|open|pipes)-(\d+)-\w{6}$/)
  return mkdtemp(join(tmpdir(), `plimsoll-${name}-${process.pid}-`))
}

const swept = new Set<string>()

/**
 * Removes what processes left in a folder that were killed. `name` finds their ids in the names. Looks once into each folder, and never
 * throws. What is younger than an hour stays: processes of a container that shares the folder have other ids.
 */
export function removeLeftovers(folder: string, name: RegExp, now: number = Date.now()): void {
  const key = `${folder} ${name.source}`
  if (swept.has(key)) return
  if (swept.size >= maxSwept) swept.clear()
  swept.add(key)
  try {
    for (const entry of readdirSync(folder)) {
      const process = Number(name.exec(entry)?.[1] ?? Number.NaN)
      if (Number.isSafeInteger(process) && !isRunning(process)) removeIfOld(join(folder, entry), now)
    }
  } catch {}
}

const maxSwept = 10_000
const youngMs = 3_600_000

function removeIfOld(path: string, now: number): void {
  try {
    const { uid, mtimeMs } = lstatSync(path)
    if (uid === (process.getuid?.() ?? uid) && now - mtimeMs > youngMs) rmSync(path, { recursive: true, force: true })
  } catch {}
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}
