import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeInterval } from './statistics.ts'

describe('changeInterval', () => {
  it('returns null without sessions or without a base', () => {
    expect(changeInterval([])).toBeNull()
    expect(changeInterval([{ cost: 0, base: 0 }])).toBeNull()
  })

  it('returns a point if all sessions change by the same share', () => {
    const pairs = [1, 2, 4].map((base) => ({ cost: base / 2, base }))
    expect(changeInterval(pairs)).toEqual([-0.5, -0.5])
  })

  it('lies between the extremes, around the whole, and is the same at every call', () => {
    const sessions = fc.array(fc.record({ cost: fc.integer({ min: 1, max: 100 }), base: fc.integer({ min: 1, max: 100 }) }), {
      minLength: 1,
      maxLength: 30,
    })
    let apart = 0
    fc.assert(
      fc.property(sessions, (pairs) => {
        const interval = changeInterval(pairs)
        expect(changeInterval(pairs)).toEqual(interval)
        const [low, high] = interval ?? [0, 0]
        const changes = pairs.map(({ cost, base }) => cost / base - 1)
        expect(low).toBeLessThanOrEqual(high)
        expect(low).toBeGreaterThanOrEqual(Math.min(...changes) - 1e-9)
        expect(high).toBeLessThanOrEqual(Math.max(...changes) + 1e-9)
        if (low < high) apart += 1
      }),
      { numRuns: 50 },
    )
    expect(apart).toBeGreaterThan(20)
  })
})
