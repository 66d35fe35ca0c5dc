/**
 * How a provider finds what it has kept of a prompt: nowhere; where a mark was set, within twenty blocks before a mark of the new
 * prompt; at any of its latest marks; anywhere, as far as the beginning is the same; the same when it pleases; or at the ends of
 * earlier prompts and answers.
 */
export type CacheMatch = 'none' | 'breakpoints' | 'latest-breakpoints' | 'longest-prefix' | 'best-effort' | 'prefix-units'

/** How one provider caches prompts. */
export interface CacheRules {
  readonly match: CacheMatch
  /** Tokens below which nothing is kept. */
  readonly minPrefix: number
  /** How long what nobody asks for is kept; null where the provider does not say. */
  readonly lifetimeSeconds: number | null
  /** Tokens in whose multiples a prefix is found. */
  readonly step: number
}

/** What caching costs, as multiples of the price of input, and how long it lasts. */
export interface CacheTerms {
  readonly read: number
  readonly write: number
  /** Null where it is not known; then nothing is taken to be gone by itself. */
  readonly lifetimeSeconds: number | null
}

/** What is taken where nothing is known of a model: a tenth for reading, a quarter more for writing, five minutes. */
export const usualTerms: CacheTerms = { read: 0.1, write: 1.25, lifetimeSeconds: 300 }

/** What is taken where nothing is known of a provider: whatever begins alike is found, for as long as `usualTerms` says. */
export const usualRules: CacheRules = { match: 'longest-prefix', minPrefix: 1024, lifetimeSeconds: 300, step: 1 }
