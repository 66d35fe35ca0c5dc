import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Freshness } from '@plimsoll/core'

/**
 * Remembers which files are as this session knows them, before a command runs. What comes back is to be called afterwards: those
 * that changed meanwhile were changed by the agent, as by a formatter, and nobody is told that somebody else did.
 */
export async function watchOwnChanges(freshness: Freshness, root: string): Promise<() => Promise<void>> {
  const known = freshness.known()
  const before = await timesOf(known.map(({ path }) => resolve(root, path)))
  const watched = known.filter(({ mtime }, index) => before[index] === mtime)
  return async () => {
    const after = await timesOf(watched.map(({ path }) => resolve(root, path)))
    for (const [index, { path, mtime }] of watched.entries()) {
      const time = after[index] ?? null
      if (time !== null && time !== mtime) freshness.wrote(path, time)
    }
  }
}

/** When files changed last; null for those that are not there. */
async function timesOf(files: readonly string[]): Promise<readonly (number | null)[]> {
  const times: (number | null)[] = []
  for (let start = 0; start < files.length; start += atOnce) {
    const some = files.slice(start, start + atOnce)
    const found = await Promise.all(some.map((file) => stat(file).catch(() => null)))
    for (const stats of found) times.push(stats?.mtimeMs ?? null)
  }
  return times
}

const atOnce = 64
