import { type WindowFill, windowCategories } from '@plimsoll/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOutLoadLine, loadNumbers } from './load-line-layout.ts'

const size = { top: 0, bottom: 200 }

function fillOf(categories: WindowFill['categories'], more: Partial<WindowFill> = {}): WindowFill {
  const tokens = Object.values(categories).reduce((sum, amount) => sum + amount, 0)
  return { tokens, categories, results: [], source: 'estimate', window: 1000, reserve: 100, ...more }
}

describe('layOutLoadLine', () => {
  it('stacks the categories from the keel in their order, and draws line and deck where they belong', () => {
    const { bands, waterline, loadLine, deck } = layOutLoadLine(fillOf({ user: 250, system: 250 }), size)
    expect(bands.map(({ category, top, height }) => [category, top, height])).toEqual([
      ['system', 150, 50],
      ['user', 100, 50],
    ])
    expect([waterline, loadLine, deck]).toEqual([100, 20, 0])
  })

  it('keeps a tiny category visible and the waterline where it is', () => {
    const { bands, waterline } = layOutLoadLine(fillOf({ system: 1, results: 499 }), size)
    expect(bands.map(({ height }) => height)).toEqual([3, 97])
    expect(waterline).toBe(100)
  })

  it('puts what is over the window above the deck', () => {
    const { waterline, deck, loadLine, numbers } = layOutLoadLine(fillOf({ results: 2000 }), size)
    expect([waterline, deck, loadLine]).toEqual([0, 100, 110])
    expect(numbers).toEqual({ used: 2000, window: 1000, reserve: 100, line: 900, free: 0, overLine: 1100, overWindow: 1000 })
  })

  it('tells tools apart from left to right, and puts the small ones together', () => {
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
  it('takes a reserve larger than the window for all of it', () =>
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
