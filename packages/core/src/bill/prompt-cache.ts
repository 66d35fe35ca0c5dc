import type { CacheRules } from './cache-rules.ts'

/** A prompt as a cache sees it: blocks in order, of which equal ones have equal keys. */
export interface SentPrompt {
  /** What a block holds, by a number that is the same for the same content only. */
  readonly keys: readonly number[]
  readonly tokens: readonly number[]
  /** Places of blocks after which the prompt may be kept, ascending; the last block is one of them. */
  readonly breakpoints: readonly number[]
  /** Milliseconds. */
  readonly at: number
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

/** The cache of a provider with these rules, empty. */
export type CreatePromptCache = (rules: CacheRules) => PromptCache
