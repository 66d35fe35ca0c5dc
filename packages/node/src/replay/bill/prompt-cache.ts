import type { CacheRules } from '@plimsoll/core/bill'
import { type FollowedPrompt, keepBreakpoints, keepEnds, keepEverywhere, keepLatestBreakpoints } from './keepers.ts'
import { createPrefixTree, type Prefix, tokensOf } from './prefix-tree.ts'

/** A prompt as a list of blocks; equal blocks have equal keys. */
export interface SentPrompt {
  readonly keys: readonly number[]
  readonly tokens: readonly number[]
  /** Places of blocks after which the prompt may be cached, ascending and including the last. */
  readonly breakpoints: readonly number[]
  readonly at: number
  /** The blocks after the last prompt that are the answer to it, for providers that keep answers. Default: 1. */
  readonly answerBlocks?: number
}

export interface CacheUse {
  readonly read: number
  readonly write: number
  readonly fresh: number
}

export interface PromptCache {
  readonly send: (prompt: SentPrompt) => CacheUse
  /** Requests the last prompt again to renew it. Returns the tokens read, 0 if it has expired. */
  readonly touch: (at: number) => number
}

/**
 * A prompt that mostly continues the one before costs little more than comparing the two. A clock that goes back expires
 * nothing; an invalid time counts as that of the request before.
 */
export function createPromptCache(rules: CacheRules): PromptCache {
  if (rules.match === 'none') return noCache
  const step = rules.step > 1 && Number.isFinite(rules.step) ? rules.step : 1
  const minPrefix = rules.minPrefix > 0 ? rules.minPrefix : 0
  const lifetime = rules.lifetimeSeconds === null ? Number.POSITIVE_INFINITY : rules.lifetimeSeconds * 1000
  const tree = createPrefixTree()
  const times: number[] = []
  const isLive = (use: number): boolean => (times.at(-1) as number) - (times[use] ?? Number.NaN) <= lifetime
  const keeper = keepers[rules.match]({ tree, minPrefix, isLive })
  const leave = keeper.leave === undefined ? undefined : (prefix: Prefix) => keeper.leave?.(prefix, times.length - 1)
  let breakpoints: readonly number[] = []

  function tokensRead(length: number): number {
    const tokens = tree.sums[length] as number
    // Without rounding, tokens need not be whole numbers.
    return step === 1 ? tokens : Math.floor(tokens / step) * step
  }

  return {
    send({ keys, tokens, breakpoints: places, at, answerBlocks = 1 }) {
      const lengthBefore = tree.path.length - 1
      const { common, shared } = tree.follow(keys, tokens, leave)
      times.push(timeOf(at, times))
      breakpoints = lengthsOf(places, keys.length)
      const sent: FollowedPrompt = { breakpoints, use: times.length - 1, lengthBefore, common, shared, answerBlocks }
      const best = keeper.find(sent)
      keeper.renew(sent, best)
      const kept = tree.sums[keeper.keep(sent, best)] as number
      const read = tokensRead(best)
      const write = kept >= minPrefix ? Math.max(kept - read, 0) : 0
      return { read, write, fresh: (tree.sums[keys.length] as number) - read - write }
    },
    touch(at) {
      const length = tree.path.length - 1
      times.push(timeOf(at, times))
      const use = times.length - 1
      const sent: FollowedPrompt = { breakpoints, use, lengthBefore: length, common: length, shared: length, answerBlocks: 0 }
      const best = keeper.find(sent)
      keeper.renew(sent, best)
      // Nothing was read, so the request before is still the last one that used the prompt.
      if (best === 0) times.pop()
      return tokensRead(best)
    },
  }
}

const noCache: PromptCache = {
  send: ({ keys, tokens }) => {
    let fresh = 0
    for (let index = 0; index < keys.length; index += 1) fresh += tokensOf(tokens[index])
    return { read: 0, write: 0, fresh }
  },
  touch: () => 0,
}

const keepers = {
  breakpoints: keepBreakpoints,
  'latest-breakpoints': keepLatestBreakpoints,
  'longest-prefix': keepEverywhere,
  'best-effort': keepEverywhere,
  'prefix-units': keepEnds,
} as const

function timeOf(at: number, times: readonly number[]): number {
  return Number.isFinite(at) ? at : (times.at(-1) ?? 0)
}

/** The lengths up to each place, ascending; invalid places are omitted. */
function lengthsOf(places: readonly number[], max: number): readonly number[] {
  const lengths: number[] = []
  let isAscending = true
  for (const place of places) {
    if (!Number.isInteger(place) || place < 0 || place >= max) continue
    isAscending &&= place + 1 > (lengths.at(-1) ?? 0)
    lengths.push(place + 1)
  }
  return isAscending ? lengths : [...new Set(lengths)].sort((a, b) => a - b)
}
