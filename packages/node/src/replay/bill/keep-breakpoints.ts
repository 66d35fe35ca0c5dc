import type { Keeper, KeeperOptions } from './keeper.ts'
import type { Prefix } from './prefix-tree.ts'

/**
 * Prompts are kept where a breakpoint was set, and found within twenty blocks before a breakpoint of the new prompt. Whatever ends at
 * a breakpoint of a prompt is kept from then on, also where it was kept before.
 */
export function keepBreakpoints({ tree: { path, sums }, minPrefix, isLive }: KeeperOptions): Keeper {
  return {
    find({ breakpoints }) {
      let best = 0
      for (const end of breakpoints) {
        const furthest = Math.max(end - lookBack, best + 1)
        for (let length = end; length >= furthest && (sums[length] as number) >= minPrefix; length -= 1) {
          if (!isLive((path[length] as Prefix).lastUse)) continue
          best = length
          break
        }
      }
      return best
    },
    renew({ breakpoints, use }, best) {
      if (best > 0) (path[best] as Prefix).lastUse = use
      for (const end of breakpoints) if (end <= best) (path[end] as Prefix).lastUse = use
    },
    keep({ breakpoints, use }, best) {
      for (const end of breakpoints) if (end > best) (path[end] as Prefix).lastUse = use
      return Math.max(best, breakpoints.at(-1) ?? 0)
    },
  }
}

const lookBack = 20
