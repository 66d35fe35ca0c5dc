import type { CacheRules } from '@plimsoll/core/bill'
import { type FollowedPrompt, keepBreakpoints, keepEnds, keepEverywhere, keepLatestBreakpoints } from './keepers.ts'
import { createPrefixTree, type Prefix, tokensOf } from './prefix-tree.ts'

/** A prompt as a cache sees it: blocks in order, of which equal ones have equal keys. */
export interface SentPrompt {
  /** What a block holds, by a number that is the same for the same content only. */
  readonly keys: readonly number[]
  readonly tokens: readonly number[]
  /** Places of blocks after which the prompt may be kept, ascending; the last block is one of them. */
  readonly breakpoints: readonly number[]
  /** Milliseconds. */
  readonly at: number
  /** How many blocks right behind the prompt before this one are the answer to it, for providers that keep answers. Default: 1. */
  readonly answerBlocks?: number
}

/** Tokens of a prompt by how they are paid for. */
export interface CacheUse {
  readonly read: number
  readonly write: number
  readonly fresh: number
}

/** What a provider keeps of the prompts of one conversation. */
export interface PromptCache {
  /** Sends a prompt: what of it was kept, and what is kept from now on. */
  readonly send: (prompt: SentPrompt) => CacheUse
  /** Asks for the last prompt again, so that it is kept longer. What that reads; nothing where it is gone already. */
  readonly touch: (at: number) => number
}

/**
 * The cache of a provider with these rules, empty. A prompt that mostly continues the one before costs little more than comparing the
 * two. A clock that goes back makes nothing old; a time that is none counts as that of the request before.
 */
export function createPromptCache(rules: CacheRules): PromptCache {
  if (rules.match === 'none') return noCache
  const step = rules.step > 1 && Number.isFinite(rules.step) ? rules.step : 1
  const minPrefix = rules.minPrefix > 0 ? rules.minPrefix : 0
  const lifetime = rules.lifetimeSeconds === null ? Number.POSITIVE_INFINITY : rules.lifetimeSeconds * 1000
  const tree = createPrefixTree()
  // When each request was sent, by its number.
  const times: number[] = []
  const isLive = (use: number): boolean => (times.at(-1) as number) - (times[use] ?? Number.NaN) <= lifetime
  const keeper = keepers[rules.match]({ tree, minPrefix, isLive })
  const leave = keeper.leave === undefined ? undefined : (prefix: Prefix) => keeper.leave?.(prefix, times.length - 1)
  let breakpoints: readonly number[] = []

  function tokensRead(length: number): number {
    const tokens = tree.sums[length] as number
    // Where nothing is rounded, tokens need not be whole numbers.
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
      // Nothing was used, so the request before is still the last one that used the prompt.
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

/** How many blocks end at each place, ascending; what is no place of the prompt is left out. */
function lengthsOf(places: readonly number[], most: number): readonly number[] {
  const lengths: number[] = []
  let isAscending = true
  for (const place of places) {
    if (!Number.isInteger(place) || place < 0 || place >= most) continue
    isAscending &&= place + 1 > (lengths.at(-1) ?? 0)
    lengths.push(place + 1)
  }
  return isAscending ? lengths : [...new Set(lengths)].sort((a, b) => a - b)
}
