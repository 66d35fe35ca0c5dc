import type { Keeper, KeeperOptions } from './keeper.ts'
import type { Prefix } from './prefix-tree.ts'

/**
 * Whatever begins like a prompt before is found. Each prompt uses all of its beginnings, so those in common with the one before were
 * last used with it, and only those it left need a time of their own.
 */
export function keepEverywhere({ tree: { path, sums }, minPrefix, isLive }: KeeperOptions): Keeper {
  return {
    find({ use, common, shared }) {
      for (let length = shared; length > 0 && (sums[length] as number) >= minPrefix; length -= 1) {
        if (length <= common) return isLive(use - 1) ? length : 0
        if (isLive((path[length] as Prefix).lastUse)) return length
      }
      return 0
    },
    renew() {},
    keep: () => path.length - 1,
    leave(prefix, use) {
      prefix.lastUse = use
    },
  }
}
