import {
  type CacheRules,
  type CacheTerms,
  cacheTermsOf,
  knownPrices,
  ownServerTerms,
  type Price,
  priceOf,
} from '@plimsoll/core/bill'
import { priceOfModel } from '../../model/price-of-model.ts'

/** Prices and cache rules under which sessions are billed. Amounts are dollars for a million tokens. */
export interface PriceRow {
  readonly name: string
  readonly input: number
  readonly output: number
  readonly read: number
  readonly write: number
  /** Factors for longer prompts. */
  readonly longPrompt: { readonly above: number; readonly input: number; readonly output: number } | null
  readonly rules: CacheRules
  readonly terms: CacheTerms
  /** Whether pauses are ignored. */
  readonly isWarm: boolean
}

/** The rows that are always shown first: they differ in the price of a cached read, the lifetime, and whether users pause. */
const general: readonly PriceRow[] = [
  generalRow('r.10', { read: 0.1 }),
  generalRow('r.05', { read: 0.05 }),
  generalRow('r.025', { read: 0.025 }),
  generalRow('r.05-1h', { read: 0.05, write: 2, lifetimeSeconds: 3600 }),
  generalRow('r.05-warm', { read: 0.05, isWarm: true }),
  generalRow('own-server', ownServerTerms),
]

/** The price rows of a replay: general ones, then one for each model with a known price, with that model's own rules. */
export const priceRows: readonly PriceRow[] = [...general, ...currentPrices().flatMap(modelRows)]

/** The row of that name, or of any other model with a listed price. */
export function priceRowNamed(name: string): PriceRow | undefined {
  const row = priceRows.find((one) => one.name === name)
  if (row !== undefined) return row
  const price = priceOfModel(name)
  return price === null ? undefined : priceRowOf({ ...price, model: name })
}

export function priceRowOf(price: Price): PriceRow | undefined {
  return modelRows(price)[0]
}

/** A row as a price, for costs of single requests. */
export function priceOfRow({ name, input, output, read, write, longPrompt, rules }: PriceRow): Price {
  const rates = { input, cacheRead: read, cacheWrite: write, cacheWriteHour: null, output, longPrompt }
  return { model: name, ...rates, busy: null, from: null, until: null, cache: rules, source: 'list' }
}

type General = Pick<CacheTerms, 'read'> & Partial<CacheTerms & Pick<PriceRow, 'isWarm'>>

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

/** A model whose price changed has several rows in the table; the current one counts. */
function currentPrices(): readonly Price[] {
  return knownPrices.models.filter((price) => priceOf(price.model) === price)
}

/** A provider that caches on a best-effort basis is billed twice: as if it always did, and as if it never did. */
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
