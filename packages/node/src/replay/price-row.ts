import type { CacheRules, CacheTerms } from '@plimsoll/core/bill'

/** Prices and a way of caching under which sessions are billed. Amounts are dollars for a million tokens. */
export interface PriceRow {
  /** `r.10` and the like, or a model's name. */
  readonly name: string
  readonly input: number
  readonly output: number
  readonly read: number
  readonly write: number
  /** What a prompt above so many tokens multiplies the whole request by; null for one price. */
  readonly longPrompt: { readonly above: number; readonly input: number; readonly output: number } | null
  readonly rules: CacheRules
  /** What the timing is told. */
  readonly terms: CacheTerms
  /** Whether idle times are left out, as if nobody ever paused. */
  readonly isWarm: boolean
}
