import { type CacheRules, type CacheTerms, cacheTermsOf, knownPrices, type Price, priceOf } from '@plimsoll/core/bill'

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

/** The rows that are always shown first: what counts is how dear a cached read is, how long it lasts, and whether people pause. */
const general: readonly PriceRow[] = [
  generalRow('r.10', { read: 0.1 }),
  generalRow('r.05', { read: 0.05 }),
  generalRow('r.025', { read: 0.025 }),
  generalRow('r.05-1h', { read: 0.05, write: 2, lifetimeSeconds: 3600 }),
  generalRow('r.05-warm', { read: 0.05, isWarm: true }),
]

/** The price rows of a replay: general ones, then one for each model with a known price, with that model's own rules. */
export const priceRows: readonly PriceRow[] = [...general, ...currentPrices().flatMap(modelRows)]

interface General {
  readonly read: number
  readonly write?: number
  readonly lifetimeSeconds?: number
  readonly isWarm?: boolean
}

function generalRow(name: string, { read, write = 1.25, lifetimeSeconds = 300, isWarm = false }: General): PriceRow {
  const input = 4
  return {
    name,
    input,
    output: 20,
    read: input * read,
    write: input * write,
    longPrompt: null,
    rules: { match: 'longest-prefix', minPrefix: 0, lifetimeSeconds, step: 1 },
    terms: { read, write, lifetimeSeconds },
    isWarm,
  }
}

/** A model whose price changes has several rows in the table; the one of its day counts. */
function currentPrices(): readonly Price[] {
  return knownPrices.models.filter((price) => priceOf(price.model) === price)
}

/** A provider that caches as it pleases is billed twice: as if it always did, and as if it never did. */
function modelRows(price: Price): readonly PriceRow[] {
  const { model, input, output, longPrompt, cacheRead, cacheWrite, cache } = price
  const row: PriceRow = {
    name: model,
    input,
    output,
    read: cacheRead,
    write: cacheWrite,
    longPrompt,
    rules: cache,
    terms: cacheTermsOf(price),
    isWarm: false,
  }
  const uncached: PriceRow = { ...row, name: `${model}-uncached`, rules: { ...cache, match: 'none' } }
  return cache.match === 'best-effort' ? [row, uncached] : [row]
}
