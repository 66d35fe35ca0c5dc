import type { Prefix, PrefixTree } from './prefix-tree.ts'

/** One way in which a provider keeps prompts. Lengths are counted in blocks from the beginning; 0 is none. */
export interface Keeper {
  /** The longest beginning of the prompt that is still kept. */
  readonly find: (prompt: FollowedPrompt) => number
  /** Keeps that beginning, and those shorter ones that are asked for with it, from now on. */
  readonly renew: (prompt: FollowedPrompt, best: number) => void
  /** Keeps what is new of the prompt; up to where. */
  readonly keep: (prompt: FollowedPrompt, best: number) => number
  /** Told of each beginning that the last prompt had and the next one has not, with the last request that used it. */
  readonly leave?: (prefix: Prefix, use: number) => void
}

/** A prompt that the tree has just followed. */
export interface FollowedPrompt {
  /** Lengths at which it may be kept, ascending. */
  readonly breakpoints: readonly number[]
  /** The number of this request, by which its time is known; the one before has the number before. */
  readonly use: number
  /** The length of the prompt before. */
  readonly lengthBefore: number
  /** How much it has in common with the prompt before, and with any before. */
  readonly common: number
  readonly shared: number
  readonly answerBlocks: number
}

/** What a keeper works on. */
export interface KeeperOptions {
  readonly tree: PrefixTree
  readonly minPrefix: number
  /** Whether what was last used by that request is still there. */
  readonly isLive: (use: number) => boolean
}
