import type { LogNotes, ReadLog, SkippedEntry } from './log-reader.ts'

/** Notes that can be asked for what was noted. */
export interface KeptNotes extends LogNotes {
  readonly kept: () => Pick<ReadLog, 'skipped' | 'unread'>
}

/** A file may name as many types as it has lines. */
const mostTypes = 200

/** So many entries are named that could not be read; the others are counted by why not. */
const mostSkipped = 100_000

/** Starts with nothing noted. */
export function createLogNotes(): KeptNotes {
  const skipped: SkippedEntry[] = []
  const unread = new Map<string, number>()
  return {
    skip(line, reason) {
      if (skipped.length < mostSkipped) skipped.push({ line, reason })
      else pass(`unreadable/${reason}`)
    },
    pass,
    kept: () => ({ skipped, unread: Object.fromEntries(unread) }),
  }

  function pass(type: string): void {
    const known = type.slice(0, 60)
    const name = unread.has(known) || unread.size < mostTypes ? known : 'others'
    unread.set(name, (unread.get(name) ?? 0) + 1)
  }
}
