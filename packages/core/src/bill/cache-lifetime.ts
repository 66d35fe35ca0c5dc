import type { CacheTerms } from '../facts.ts'
import { cacheTermsOf } from './cache-terms-of.ts'
import type { Price } from './prices.ts'

/** A prompt that was sent: when, in milliseconds, and its tokens. */
export interface SentPrompt {
  readonly at: number
  readonly tokens: number
}

/**
 * The cost of a session's prompts under these terms, in tokens of input, with what follows each as new. The prompt before is read while it is cached, and each request
 * renews that. One that shrank, as after compaction, is written anew.
 */
export function promptsCost(prompts: readonly SentPrompt[], { read, write, lifetimeSeconds }: CacheTerms): number {
  const lifetime = lifetimeSeconds === null ? Number.POSITIVE_INFINITY : lifetimeSeconds * 1000
  return prompts.reduce((sum, { at, tokens }, index) => {
    const before = prompts[index - 1]
    const isCached = before !== undefined && at - before.at <= lifetime && before.tokens <= tokens
    const cached = isCached ? before.tokens : 0
    return sum + cached * read + (tokens - cached) * write
  }, 0)
}

/** How long the provider should keep the prompts of a next session: an hour only if that would have cost less, over all earlier ones. */
export function chooseCacheLifetime(sessions: readonly (readonly SentPrompt[])[], price: Price): 'provider' | 'hour' {
  if (price.cacheWriteHour === null) return 'provider'
  const costWith = (terms: CacheTerms) => sessions.reduce((sum, prompts) => sum + promptsCost(prompts, terms), 0)
  return costWith(cacheTermsOf(price, 'hour')) < costWith(cacheTermsOf(price)) ? 'hour' : 'provider'
}
