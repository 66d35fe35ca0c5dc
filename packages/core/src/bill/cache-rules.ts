import type { CacheRules, CacheTerms } from '../facts.ts'

/** What is taken where nothing is known of a model: a tenth for reading, a quarter more for writing, five minutes. */
export const usualTerms: CacheTerms = { read: 0.1, write: 1.25, lifetimeSeconds: 300 }

/** What is taken where nothing is known of a provider: whatever begins alike is found, for as long as `usualTerms` says. */
export const usualRules: CacheRules = { match: 'longest-prefix', minPrefix: 1024, lifetimeSeconds: 300, step: 1 }
