import type { LogNotes, ReadLog, SkippedEntry } from './log-reader.ts'

/** Notes that can be asked for what was noted. */
export interface KeptNotes extends LogNotes {
  readonly kept: () => Pick<ReadLog, 'skipped' | 'unread'>
}

/** A file may name as many types as it has lines. */
const mostTypes = 200

/** Starts with nothing noted. */
export function createLogNotes(): KeptNotes {
  const skipped: SkippedEntry[] = []
  const unread = new Map<string, number>()
  return {
    skip: (line, reason) => void skipped.push({ line, reason }),
    pass(type) {
      const known = type.slice(0, 60)
      const name = unread.has(known) || unread.size < mostTypes ? known : 'others'
      unread.set(name, (unread.get(name) ?? 0) + 1)
    },
    kept: () => ({ skipped, unread: Object.fromEntries(unread) }),
  }
}
