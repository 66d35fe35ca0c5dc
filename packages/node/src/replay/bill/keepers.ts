import type { Prefix, PrefixTree } from './prefix-tree.ts'

/** One way in which a provider caches prompts. Lengths are in blocks from the start; 0 means nothing. */
export interface Keeper {
  readonly find: (prompt: FollowedPrompt) => number
  /** Renews that prefix, and the shorter ones that are requested with it. */
  readonly renew: (prompt: FollowedPrompt, best: number) => void
  /** Keeps the rest of the prompt; returns the length that is kept. */
  readonly keep: (prompt: FollowedPrompt, best: number) => number
  /** Called for each prefix of the last prompt that the next one does not have, with the last request that used it. */
  readonly leave?: (prefix: Prefix, use: number) => void
}

export interface FollowedPrompt {
  /** Lengths at which it may be kept, ascending. */
  readonly breakpoints: readonly number[]
  /** The number of this request, which gives its time; the one before has the number before. */
  readonly use: number
  readonly lengthBefore: number
  /** The length in common with the prompt before it, and with any earlier one. */
  readonly common: number
  readonly shared: number
  readonly answerBlocks: number
}

interface KeeperOptions {
  readonly tree: PrefixTree
  readonly minPrefix: number
  /** Whether a prefix that was last used by this request is still cached. */
  readonly isLive: (use: number) => boolean
}

/** Prompts are kept at breakpoints, and found within twenty blocks before a breakpoint of the new prompt. */
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

/**
 * Prompts are kept in full, and once more with the answer to them; and the common prefix of two prompts is kept when the second
 * one comes. An answer is seen when the next prompt continues with it, and was kept since the prompt before was.
 */
export function keepEnds({ tree: { path, sums }, minPrefix, isLive }: KeeperOptions): Keeper {
  return {
    find({ use, lengthBefore, common, shared, answerBlocks }) {
      let length = shared
      if (common === lengthBefore && lengthBefore > 0 && answerBlocks > 0) {
        const answered = Math.min(lengthBefore + Math.floor(answerBlocks), path.length - 1)
        if (answered > lengthBefore) (path[answered] as Prefix).lastUse = use - 1
        length = Math.max(shared, answered)
      }
      for (; length > 0 && (sums[length] as number) >= minPrefix; length -= 1)
        if (isLive((path[length] as Prefix).lastUse)) return length
      return 0
    },
    renew({ use }, best) {
      if (best > 0) (path[best] as Prefix).lastUse = use
    },
    keep({ use, shared }) {
      const full = path.length - 1
      for (const length of [shared, full]) if (length > 0) (path[length] as Prefix).lastUse = use
      return full
    },
  }
}

/** Any common prefix is found. Each prompt renews all of its prefixes, so only those that it left need their own time. */
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

/** Prompts are kept at breakpoints, and found at any distance, among the eighty used last. */
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
    if (latest.size > maxBreakpoints && oldest !== undefined) latest.delete(oldest)
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

const maxBreakpoints = 80
