import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { waterLevel } from './embed-inspection.ts'

describe('waterLevel', () => {
  it('keeps what is small whole and cuts what is large', () =>
    expect(waterLevel([10, 20, 1000, 2000], 230, { max: 64_000, min: 1 })).toBe(100))

  it('is as high as it may be where all of it fits', () => expect(waterLevel([10, 20], 30, { max: 500, min: 1 })).toBe(500))

  it('fills the budget and not more', () => {
    let cut = 0
    fc.assert(
      fc.property(fc.array(fc.nat(10_000)), fc.nat(100_000), (sizes, budget) => {
        const level = waterLevel(sizes, budget, { max: 20_000, min: 0 })
        const used = sizes.reduce((sum, size) => sum + Math.min(size, level), 0)
        if (level < 20_000) cut += 1
        expect(used).toBeLessThanOrEqual(budget)
        // One more for each would be too much.
        if (level < 20_000)
          expect(sizes.reduce((sum, size) => sum + Math.min(size, level + 1), 0)).toBeGreaterThan(budget - sizes.length)
      }),
    )
    expect(cut).toBeGreaterThan(0)
  })
})
