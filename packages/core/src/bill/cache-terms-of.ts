import { type CacheTerms } from '../facts.ts'
import { usualTerms } from './cache-rules.ts'
import type { CostOptions } from './cost-of-turn.ts'
import type { Price } from './prices.ts'

/**
 * What caching costs at a price, as multiples of its input, and how long it lasts: for as long as the provider keeps prompts by
 * itself, or for an hour where that is offered. Where input costs nothing there are no multiples, and the usual ones are taken.
 */
export function cacheTermsOf(price: Price, lifetime: NonNullable<CostOptions['cacheLifetime']> = 'provider'): CacheTerms {
  const { input, cacheRead, cacheWrite, cacheWriteHour, cache } = price
  const isHour = lifetime === 'hour' && cacheWriteHour !== null
  const terms: CacheTerms = {
    read: cacheRead / input,
    write: (isHour ? cacheWriteHour : cacheWrite) / input,
    lifetimeSeconds: isHour ? 3600 : cache.lifetimeSeconds,
  }
  return [terms.read, terms.write].every((multiple) => Number.isFinite(multiple) && multiple >= 0)
    ? terms
    : { ...usualTerms, lifetimeSeconds: terms.lifetimeSeconds }
}
