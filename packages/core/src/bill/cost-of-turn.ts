import type { Usage } from '../facts.ts'
import type { Price } from './prices.ts'

/** What was paid, in dollars: the whole, which is the sum of its parts. */
export interface Cost {
  readonly dollars: number
  readonly parts: CostParts
}

/** Dollars by what they were paid for. */
export interface CostParts {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

/** How long a request asked for its prompt to be kept. */
export interface CostOptions {
  /** Default `provider`: the time the provider gives by itself. */
  readonly cacheLifetime?: 'provider' | 'hour'
}

/**
 * What one request costs by what its provider reported. Null without a price, or for one that holds a number that is none: what is
 * not known is not guessed.
 */
export function costOfTurn(usage: Usage, price: Price | null, { cacheLifetime = 'provider' }: CostOptions = {}): Cost | null {
  if (price === null) return null
  const prompt = tokens(usage.input) + tokens(usage.cacheRead) + tokens(usage.cacheWrite)
  const { input, output } =
    price.longPrompt !== null && prompt > price.longPrompt.above ? price.longPrompt : { input: 1, output: 1 }
  const write = cacheLifetime === 'hour' ? (price.cacheWriteHour ?? price.cacheWrite) : price.cacheWrite
  const parts: CostParts = {
    input: (tokens(usage.input) * price.input * input) / million,
    cacheRead: (tokens(usage.cacheRead) * price.cacheRead * input) / million,
    cacheWrite: (tokens(usage.cacheWrite) * write * input) / million,
    output: (tokens(usage.output) * price.output * output) / million,
  }
  return [price.input, price.cacheRead, write, price.output, input, output].every(isAmount) ? costOf(parts) : null
}

/** The sum of several requests, and how many of them have no price: where there are any, the sum is the least it can be. */
export function sumCosts(costs: Iterable<Cost | null>): Cost & { readonly unpriced: number } {
  const sum = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  let unpriced = 0
  for (const cost of costs) {
    if (cost === null) {
      unpriced += 1
      continue
    }
    sum.input += cost.parts.input
    sum.cacheRead += cost.parts.cacheRead
    sum.cacheWrite += cost.parts.cacheWrite
    sum.output += cost.parts.output
  }
  return { ...costOf(sum), unpriced }
}

const million = 1_000_000

function costOf(parts: CostParts): Cost {
  return { dollars: parts.input + parts.cacheRead + parts.cacheWrite + parts.output, parts }
}

/** A report may hold anything; what is no number of tokens costs nothing. */
function tokens(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}
