import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shares } from './shares.ts'

describe('shares', () => {
  it('divides in proportion', () => expect(shares([1, 2, 1], 100, 0)).toEqual([25, 50, 25]))

  it('keeps the tiny visible at the cost of the others', () => expect(shares([1, 999], 100, 4)).toEqual([4, 96]))

  it('gives equal shares where there is no room for the least', () => expect(shares([1, 99], 6, 4)).toEqual([3, 3]))

  it.each([[[]], [[0, 0]], [[Number.NaN, -5]]])('gives nothing for %j', (amounts) =>
    expect(shares(amounts, 100, 4)).toEqual(amounts.map(() => 0)),
  )

  it('uses the whole length, never less than the least, whatever the amounts', () => {
    let raised = 0
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(5), fc.nat(1_000_000), fc.constant(Number.NaN), fc.integer({ min: -9, max: 0 })), {
          maxLength: 12,
        }),
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 0, max: 8 }),
        (amounts, length, smallest) => {
          const given = shares(amounts, length, smallest)
          const there = amounts.filter((amount) => amount > 0).length
          expect(given.reduce((sum, share) => sum + share, 0)).toBeCloseTo(there === 0 ? 0 : length, 6)
          const least = there === 0 ? 0 : Math.min(smallest, length / there)
          for (const [index, share] of given.entries()) {
            if ((amounts[index] as number) > 0) expect(share).toBeGreaterThanOrEqual(least - 1e-9)
            else expect(share).toBe(0)
            if (smallest > 0 && share === least) raised += 1
          }
        },
      ),
    )
    expect(raised).toBeGreaterThan(50)
  })
})
