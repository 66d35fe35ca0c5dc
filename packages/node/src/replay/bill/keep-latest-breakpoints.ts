import type { Keeper, KeeperOptions } from './keeper.ts'
import type { Prefix } from './prefix-tree.ts'

/** Prompts are kept where a breakpoint was set, and found however long ago in the prompt that was, among the eighty used latest. */
export function keepLatestBreakpoints({ tree: { path, sums }, minPrefix, isLive }: KeeperOptions): Keeper {
  // In the order of their last use.
  const latest = new Set<Prefix>()

  function note(length: number, use: number): void {
    if ((sums[length] as number) < minPrefix) return
    const prefix = path[length] as Prefix
    prefix.lastUse = use
    latest.delete(prefix)
    latest.add(prefix)
    const [oldest] = latest
    if (latest.size > most && oldest !== undefined) latest.delete(oldest)
  }

  return {
    find({ breakpoints }) {
      const end = breakpoints.at(-1) ?? 0
      let best = 0
      for (const prefix of latest) {
        const { length, lastUse } = prefix
        if (length > best && length <= end && path[length] === prefix && isLive(lastUse)) best = length
      }
      return best
    },
    renew({ breakpoints, use }, best) {
      if (best > 0 && !breakpoints.includes(best)) note(best, use)
      for (const end of breakpoints) if (end <= best) note(end, use)
    },
    keep({ breakpoints, use }, best) {
      for (const end of breakpoints) if (end > best) note(end, use)
      return Math.max(best, breakpoints.at(-1) ?? 0)
    },
  }
}

const most = 80
