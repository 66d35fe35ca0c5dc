import type { CacheRules } from '../facts.ts'
import { rowOfModel } from '../models/model-facts.ts'

/** Price of a model in dollars per million tokens. */
export interface Price {
  /** The provider's name for the model; dated releases cost the same. */
  readonly model: string
  readonly input: number
  readonly cacheRead: number
  /** Input written to the cache for the default lifetime. Equals `input` if writing is free. */
  readonly cacheWrite: number
  /** The same for an hour; null if not offered. */
  readonly cacheWriteHour: number | null
  /** Includes reasoning. */
  readonly output: number
  /** Dollars for a thousand web searches by the provider's own tool. Default: unknown. */
  readonly webSearch?: number
  /** Factors for requests whose prompt exceeds `above` tokens; null for a flat price. */
  readonly longPrompt: { readonly above: number; readonly input: number; readonly output: number } | null
  /** Maximum factor at peak hours; null for none. */
  readonly busy: number | null
  /** First and last day (`YYYY-MM-DD`) of a temporary price; null for no limit. */
  readonly from: string | null
  readonly until: string | null
  readonly cache: CacheRules
  /** Where the price was found: the provider, a public price list, a quote of the provider, or the user's configuration. */
  readonly source: 'provider' | 'list' | 'quoted' | 'configuration'
}

export interface PriceTable {
  readonly date: string
  /** The first row of a model wins, so put your own rows first. */
  readonly models: readonly Price[]
}

const onePrice = { longPrompt: null, busy: null, from: null, until: null }
const openAiLong = { above: 272_000, input: 2, output: 1.5 }
/** The cache rules of models whose row does not have its own. */
export const vendorCacheRules = {
  anthropic: { match: 'breakpoints', minPrefix: 1024, lifetimeSeconds: 300, step: 1 },
  openai: { match: 'latest-breakpoints', minPrefix: 1024, lifetimeSeconds: 1800, step: 1 },
  openaiBefore56: { match: 'longest-prefix', minPrefix: 1024, lifetimeSeconds: 600, step: 128 },
  google: { match: 'best-effort', minPrefix: 4096, lifetimeSeconds: null, step: 1 },
  deepseek: { match: 'prefix-units', minPrefix: 0, lifetimeSeconds: null, step: 1 },
  /** For providers that publish only the price of cached input. */
  other: { match: 'longest-prefix', minPrefix: 0, lifetimeSeconds: null, step: 1 },
} as const satisfies Readonly<Record<string, CacheRules>>

const {
  openai: openAiMarks,
  openaiBefore56: openAiPrefix,
  google: gemini,
  deepseek: deepSeek,
  other: unstated,
} = vendorCacheRules

/** The prices this package knows, and the day they were looked up. */
export const knownPrices: PriceTable = {
  date: '2026-11-15',
  models: [
    claude(['claude-fable-5.1', 10, 0.25, 50, 'provider'], 512),
    claude(['claude-opus-5.5', 4, 0.2, 20, 'provider'], 512),
    claude(['claude-sonnet-5.5', 2, 0.2, 10, 'provider'], 1024),
    claude(['claude-haiku-5.5', 0.1, 0.01, 0.5, 'quoted'], 4096, { longPrompt: { above: 100_000, input: 5, output: 5 } }),
    claude(['claude-opus-5', 5, 0.5, 25, 'provider'], 512),
    price(['gpt-6.1-sol', 2, 0.1, 10, 'quoted'], openAiMarks, { webSearch: 10, cacheWrite: 2.5, longPrompt: openAiLong }),
    price(['gpt-6-sol', 2, 0.2, 10, 'provider'], openAiMarks, { webSearch: 10, cacheWrite: 2.5, longPrompt: openAiLong }),
    price(['gpt-5.5', 5, 0.5, 30, 'list'], openAiPrefix, { webSearch: 10, longPrompt: openAiLong }),
    price(['gemini-4-argon', 2, 0.1, 10, 'quoted'], gemini, { until: '2026-11-30' }),
    price(['gemini-4-argon', 4, 0.2, 20, 'quoted'], gemini, { from: '2026-12-01' }),
    price(['gemini-3.1-pro-preview', 2, 0.2, 12, 'list'], gemini, { longPrompt: { above: 200_000, input: 2, output: 1.5 } }),
    price(['deepseek-flash', 0.15, 0.003, 0.6, 'provider'], deepSeek, { busy: 2 }),
    price(['deepseek-v4-pro', 0.435, 0.003625, 0.87, 'list'], deepSeek, { until: '2026-08-16' }),
    price(['deepseek-v4-pro', 0.66, 0.022, 1.98, 'provider'], deepSeek, { busy: 2, from: '2026-08-17' }),
    price(['kimi-k2.6', 0.95, 0.16, 4, 'list'], unstated),
    price(['glm-5.1', 1.4, 0.26, 4.4, 'list'], unstated),
    price(['grok-4.5', 2, 0.5, 6, 'list'], unstated, { longPrompt: { above: 200_000, input: 2, output: 2 } }),
  ],
}

type Row = readonly [model: string, input: number, cacheRead: number, output: number, source: Price['source']]

function price([model, input, cacheRead, output, source]: Row, cache: CacheRules, rest: Partial<Price> = {}): Price {
  return { model, input, cacheRead, cacheWrite: input, cacheWriteHour: null, output, ...onePrice, cache, source, ...rest }
}

function claude(row: Row, minPrefix: number, rest: Partial<Price> = {}): Price {
  const cache: CacheRules = { ...vendorCacheRules.anthropic, minPrefix }
  return price(row, cache, { cacheWrite: row[1] * 1.25, cacheWriteHour: row[1] * 2, webSearch: 10, ...rest })
}

/** Price of a model on a day (default: the table's date), by any name `rowOfModel` accepts; null if the table has none. */
export function priceOf(model: string, prices: PriceTable = knownPrices, day: string = prices.date): Price | null {
  const current = prices.models.filter(({ from, until }) => (from === null || from <= day) && (until === null || day <= until))
  return rowOfModel(model, current)
}
