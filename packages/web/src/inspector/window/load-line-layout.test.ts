import { type WindowFill, windowCategories } from '@plimsoll/core/bill'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOutLoadLine, loadNumbers, shares, spreadLabels } from './load-line-layout.ts'

it.each([
  [
    [10, 100],
    [10, 100],
  ],
  [
    [50, 60],
    [50, 80],
  ],
  [
    [60, 50],
    [80, 50],
  ],
  [
    [195, 199],
    [170, 200],
  ],
  [[], []],
])('moves %j to %j', (places, spread) => expect(spreadLabels(places, 30, 200)).toEqual(spread))

it('keeps any labels apart, in their order, above the lowest place', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 5 }), (places) => {
      const spread = spreadLabels(places, 30, 200)
      const order = places.map((_, index) => index).sort((one, other) => (places[one] as number) - (places[other] as number))
      for (const [at, index] of order.entries()) {
        expect(spread[index]).toBeLessThanOrEqual(200)
        if (at > 0) expect((spread[index] as number) - (spread[order[at - 1] as number] as number)).toBeGreaterThanOrEqual(30)
      }
    }),
  )
})

describe('shares', () => {
  it('divides in proportion, however small an amount is', () => {
    expect(shares([1, 2, 1], 100)).toEqual([25, 50, 25])
    expect(shares([1, 999], 100)).toEqual([0.1, 99.9])
  })

  it.each([[[]], [[0, 0]], [[Number.NaN, -5]]])('gives nothing for %j', (amounts) =>
    expect(shares(amounts, 100)).toEqual(amounts.map(() => 0)),
  )
})

const size = { top: 0, bottom: 200 }

function fillOf(categories: WindowFill['categories'], more: Partial<WindowFill> = {}): WindowFill {
  const tokens = Object.values(categories).reduce((sum, amount) => sum + amount, 0)
  return { tokens, categories, results: [], source: 'estimate', window: 1000, reserve: 100, ...more }
}

describe('layOutLoadLine', () => {
  it('stacks the categories in order from the keel and places line and deck', () => {
    const { bands, waterline, loadLine, deck } = layOutLoadLine(fillOf({ user: 250, system: 250 }), size)
    expect(bands.map(({ category, top, height }) => [category, top, height])).toEqual([
      ['system', 150, 50],
      ['user', 100, 50],
    ])
    expect([waterline, loadLine, deck]).toEqual([100, 20, 0])
  })

  it('draws a tiny category as thin as it is', () => {
    const { bands, waterline } = layOutLoadLine(fillOf({ system: 1, results: 499 }), size)
    expect(bands.map(({ height }) => height)).toEqual([0.2, 99.8])
    expect(waterline).toBe(100)
  })

  it('draws tokens over the window above the deck', () => {
    const { waterline, deck, loadLine, numbers } = layOutLoadLine(fillOf({ results: 2000 }), size)
    expect([waterline, deck, loadLine]).toEqual([0, 100, 110])
    expect(numbers).toEqual({ used: 2000, window: 1000, reserve: 100, line: 900, free: 0, overLine: 1100, overWindow: 1000 })
  })

  it('draws two hulls of different windows to one scale', () => {
    const [small, large] = [{ window: 1000 }, { window: 2000 }].map((more) =>
      layOutLoadLine(fillOf({ results: 500 }, more), { ...size, scale: 2000 }),
    )
    expect([small?.waterline, large?.waterline]).toEqual([150, 150])
    expect([small?.deck, large?.deck]).toEqual([100, 0])
  })

  it('shows tools from left to right and groups the small ones', () => {
    const results = [400, 200, 100, 50, 30, 20].map((tokens, index) => ({ tool: `tool-${index}`, tokens }))
    const { bands } = layOutLoadLine(fillOf({ results: 800 }, { results }), { ...size, tools: 3 })
    expect(bands[0]?.compartments).toEqual([
      { tool: 'tool-0', tokens: 400, share: 0.5 },
      { tool: 'tool-1', tokens: 200, share: 0.25 },
      { tool: null, tokens: 200, share: 0.25 },
    ])
  })

  it.each([
    [1000, [200, 400, 600, 800, 1000]],
    [200_000, [50_000, 100_000, 150_000, 200_000]],
    [1_048_576, [200_000, 400_000, 600_000, 800_000, 1_000_000]],
    [0, []],
  ])('marks the draught of %d in round numbers', (window, steps) =>
    expect(layOutLoadLine(fillOf({}, { window }), size).draught.map(({ tokens }) => tokens)).toEqual(steps),
  )

  it('adds up, never overlaps and never turns over, whatever the numbers', () => {
    let over = 0
    let within = 0
    const amount = fc.oneof(fc.nat(300_000), fc.constantFrom(Number.NaN, -1, Number.POSITIVE_INFINITY, 1))
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 10, maxLength: 10 }),
        amount,
        amount,
        amount,
        (amounts, tokens, window, reserve) => {
          const categories = Object.fromEntries(windowCategories.map((category, index) => [category, amounts[index] as number]))
          const { bands, waterline, loadLine, deck, keel, numbers } = layOutLoadLine(
            fillOf(categories, { tokens, window, reserve }),
            size,
          )
          let lower = keel
          for (const { top, height } of bands) {
            expect(height).toBeGreaterThan(0)
            expect(top + height).toBeCloseTo(lower, 6)
            lower = top
          }
          if (bands.length > 0) expect(lower).toBeCloseTo(waterline, 6)
          for (const at of [waterline, loadLine, deck]) expect(at >= 0 && at <= 200).toBe(true)
          expect(loadLine).toBeGreaterThanOrEqual(deck)
          if (numbers.overLine > 0) {
            expect(waterline).toBeLessThanOrEqual(loadLine)
            over += 1
          } else {
            expect(waterline).toBeGreaterThanOrEqual(loadLine)
            within += 1
          }
        },
      ),
    )
    expect(Math.min(over, within)).toBeGreaterThan(10)
  })
})

describe('loadNumbers', () => {
  it('limits the reserve to the window', () =>
    expect(loadNumbers(fillOf({}, { tokens: 5, window: 10, reserve: 50 }))).toEqual({
      used: 5,
      window: 10,
      reserve: 10,
      line: 0,
      free: 0,
      overLine: 5,
      overWindow: 0,
    }))
})
