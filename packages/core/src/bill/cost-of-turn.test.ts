import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../facts.ts'
import { type Cost, type CostOptions, costOfTurn, sumCosts } from './cache-terms-of.ts'
import { knownPrices, type Price, priceOf } from './prices.ts'

const usage = (input: number, cacheRead: number, cacheWrite: number, output: number): Usage => ({
  input,
  cacheRead,
  cacheWrite,
  output,
})
const rounded = (cost: Cost | null) =>
  cost === null
    ? null
    : [cost.parts.input, cost.parts.cacheRead, cost.parts.cacheWrite, cost.parts.output, cost.dollars].map((amount) =>
        Number(amount.toFixed(9)),
      )

describe('costOfTurn, checked by hand', () => {
  it.each<[name: string, model: string, used: Usage, options: CostOptions, expected: readonly number[]]>([
    // 1000 × $4 + 100,000 × $0.20 + 2000 × $5 + 500 × $20, each per million
    ['a warm turn of Opus 5.5', 'claude-opus-5.5', usage(1000, 100_000, 2000, 500), {}, [0.004, 0.02, 0.01, 0.01, 0.044]],
    // the 2000 written for an hour cost $8 per million
    [
      'with an hour in the cache',
      'claude-opus-5.5',
      usage(1000, 100_000, 2000, 500),
      { cacheLifetime: 'hour' },
      [0.004, 0.02, 0.016, 0.01, 0.05],
    ],
    // 1500 of the 2000 were written for an hour: 500 × $5 + 1500 × $8
    [
      'with a part of it for an hour in the cache',
      'claude-opus-5.5',
      { ...usage(1000, 100_000, 2000, 500), cacheWriteHour: 1500 },
      {},
      [0.004, 0.02, 0.0145, 0.01, 0.0485],
    ],
    // no fee for writing: 10,000 × $5 + 50,000 × $0.50 + 1000 × $30
    ['GPT-5.5', 'gpt-5.5', usage(10_000, 50_000, 0, 1000), {}, [0.05, 0.025, 0, 0.03, 0.105]],
    // 200,000 is not above the line: 1 × $2 per million, 199,999 × $0.20, 1000 × $12
    [
      'Gemini 3.1 Pro at the line',
      'gemini-3.1-pro-preview',
      usage(1, 199_999, 0, 1000),
      {},
      [0.000002, 0.0399998, 0, 0.012, 0.0520018],
    ],
    // one token more, and all of it is $4, $0.40 and $18
    [
      'Gemini 3.1 Pro above the line',
      'gemini-3.1-pro-preview',
      usage(2, 199_999, 0, 1000),
      {},
      [0.000008, 0.0799996, 0, 0.018, 0.0980076],
    ],
    // five times as much: 101,000 × $0.50 and 100 × $2.50
    ['Haiku 5.5 with a long prompt', 'claude-haiku-5.5', usage(101_000, 0, 0, 100), {}, [0.0505, 0, 0, 0.00025, 0.05075]],
    // an hour is not offered, so it is written at the only price there is
    [
      'an hour if the model has no such price',
      'deepseek-flash',
      usage(0, 0, 1_000_000, 0),
      { cacheLifetime: 'hour' },
      [0, 0, 0.15, 0, 0.15],
    ],
    ['nothing used', 'gpt-5.5', usage(0, 0, 0, 0), {}, [0, 0, 0, 0, 0]],
    ['an invalid report', 'gpt-5.5', usage(Number.NaN, -5, Number.POSITIVE_INFINITY, 1000), {}, [0, 0, 0, 0.03, 0.03]],
  ])('%s', (_name, model, used, options, expected) =>
    expect(rounded(costOfTurn(used, priceOf(model), options))).toEqual(expected),
  )

  it.each<[name: string, price: Price | null]>([
    ['no price', null],
    ['an invalid price', { ...(knownPrices.models[0] as Price), output: Number.NaN }],
    ['a negative price', { ...(knownPrices.models[0] as Price), input: -1 }],
  ])('is not known with %s', (_name, price) => expect(costOfTurn(usage(1, 1, 1, 1), price)).toBeNull())
})

describe('sumCosts', () => {
  it('adds up by part, and counts requests without a price', () => {
    const turn = costOfTurn(usage(1000, 100_000, 2000, 500), priceOf('claude-opus-5.5'))
    const sum = sumCosts([turn, null, turn])
    expect([rounded(sum), sum.unpriced]).toEqual([[0.008, 0.04, 0.02, 0.02, 0.088], 1])
  })

  it('returns zero for no costs', () =>
    expect(sumCosts([])).toEqual({ dollars: 0, parts: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }, unpriced: 0 }))
})

describe('whatever was used', () => {
  const count = fc.integer({ min: 0, max: 400_000 })
  const used = fc.tuple(count, count, count, count).map((counts) => usage(...counts))
  const anyPrice = fc.constantFrom(...knownPrices.models)
  const dollars = (spent: Usage, price: Price): number => costOfTurn(spent, price)?.dollars ?? Number.NaN
  const plus = (a: Usage, b: Usage): Usage =>
    usage(a.input + b.input, a.cacheRead + b.cacheRead, a.cacheWrite + b.cacheWrite, a.output + b.output)

  it('the cost is never negative, and is the sum of its parts', () =>
    fc.assert(
      fc.property(used, anyPrice, (spent, price) => {
        const cost = costOfTurn(spent, price)
        expect(cost !== null && cost.dollars >= 0 && Object.values(cost.parts).every((part) => part >= 0)).toBe(true)
        expect(Object.values(cost?.parts ?? {}).reduce((sum, part) => sum + part, 0)).toBeCloseTo(cost?.dollars ?? -1, 12)
      }),
    ))

  it('two turns cost what they cost together, where there is one price', () =>
    fc.assert(
      fc.property(used, used, anyPrice, (a, b, price) => {
        const flat = { ...price, longPrompt: null }
        const sum = sumCosts([costOfTurn(a, flat), costOfTurn(b, flat)])
        expect(sum.dollars).toBeCloseTo(dollars(plus(a, b), flat), 9)
      }),
    ))

  it('more never costs less, on either side of the line for long prompts', () => {
    let crossed = 0
    fc.assert(
      fc.property(used, used, anyPrice, (a, more, price) => {
        const above = price.longPrompt?.above ?? Number.POSITIVE_INFINITY
        const prompt = (spent: Usage): number => spent.input + spent.cacheRead + spent.cacheWrite
        if (prompt(a) <= above && prompt(plus(a, more)) > above) crossed += 1
        expect(dollars(plus(a, more), price)).toBeGreaterThanOrEqual(dollars(a, price))
      }),
      { numRuns: 1000 },
    )
    expect(crossed).toBeGreaterThan(5)
  })
})
