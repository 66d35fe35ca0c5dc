import type { CacheRules, CacheTerms, Usage } from '../facts.ts'
import type { Price } from './prices.ts'

/** Cache costs as multiples of the input price, and how long the cache lasts. Free input is that of a server of one's own. */
export function cacheTermsOf(price: Price, lifetime: NonNullable<CostOptions['cacheLifetime']> = 'provider'): CacheTerms {
  const { input, cacheRead, cacheWrite, cacheWriteHour, cache } = price
  const isHour = lifetime === 'hour' && cacheWriteHour !== null
  const terms: CacheTerms = {
    read: cacheRead / input,
    write: (isHour ? cacheWriteHour : cacheWrite) / input,
    lifetimeSeconds: isHour ? 3600 : cache.lifetimeSeconds,
  }
  if (input === 0) return ownServerTerms
  const isSound = [terms.read, terms.write].every((multiple) => Number.isFinite(multiple) && multiple >= 0)
  return isSound ? terms : { ...usualTerms, lifetimeSeconds: terms.lifetimeSeconds }
}

/** A cost in dollars, and its parts. */
export type Cost = { readonly dollars: number; readonly parts: CostParts }

export interface CostParts {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

export interface CostOptions {
  /** For usage that does not say what was written for an hour. Default: `provider`, the provider's own lifetime. */
  readonly cacheLifetime?: 'provider' | 'hour'
}

/** Cost of one request from its reported usage. Null without a price or if the price has an invalid number. */
export function costOfTurn(usage: Usage, price: Price | null, { cacheLifetime = 'provider' }: CostOptions = {}): Cost | null {
  if (price === null) return null
  const prompt = tokens(usage.input) + tokens(usage.cacheRead) + tokens(usage.cacheWrite)
  const { input, output } =
    price.longPrompt !== null && prompt > price.longPrompt.above ? price.longPrompt : { input: 1, output: 1 }
  const hourPrice = price.cacheWriteHour ?? price.cacheWrite
  const written = tokens(usage.cacheWrite)
  const hour = Math.min(written, tokens(usage.cacheWriteHour ?? (cacheLifetime === 'hour' ? written : 0)))
  const parts: CostParts = {
    input: (tokens(usage.input) * price.input * input) / million,
    cacheRead: (tokens(usage.cacheRead) * price.cacheRead * input) / million,
    cacheWrite: (((written - hour) * price.cacheWrite + hour * hourPrice) * input) / million,
    output: (tokens(usage.output) * price.output * output) / million,
  }
  return [price.input, price.cacheRead, price.cacheWrite, hourPrice, price.output, input, output].every(isAmount)
    ? costOf(parts)
    : null
}

/** Sums costs. `unpriced` counts requests without a price; if there are any, the sum is a lower bound. */
export function sumCosts(costs: Iterable<Cost | null>): Cost & { readonly unpriced: number } {
  const sum = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  let unpriced = 0
  for (const cost of costs) {
    if (cost === null) unpriced += 1
    else for (const name of ['input', 'cacheRead', 'cacheWrite', 'output'] as const) sum[name] += cost.parts[name]
  }
  return { ...costOf(sum), unpriced }
}

const million = 1_000_000

function costOf(parts: CostParts): Cost {
  return { dollars: parts.input + parts.cacheRead + parts.cacheWrite + parts.output, parts }
}

function tokens(value: number): number {
  return isAmount(value) ? value : 0
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}

export const usualTerms: CacheTerms = { read: 0.1, write: 1.25, lifetimeSeconds: 300 }

/**
 * On a server of one's own, a cached token costs a tenth of a prefilled one, nearly all of it while decoding, and caching costs nothing extra. A prompt stays cached until others
 * need the memory.
 */
export const ownServerTerms: CacheTerms = { read: 0.1, write: 1, lifetimeSeconds: null, isOwnServer: true }

export const usualRules: CacheRules = { match: 'longest-prefix', minPrefix: 1024, lifetimeSeconds: 300, step: 1 }
