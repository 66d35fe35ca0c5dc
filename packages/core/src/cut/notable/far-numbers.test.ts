import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apartFrom, farFrom } from './far-numbers.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('apartFrom', () => {
  it.each<[name: string, numbers: readonly number[], expected: readonly [number, number]]>([
    ['a number below, across a gap wider than the rest', [2, ...range(60, 100)], [60, 100]],
    ['a number above', [...range(3, 30), 71_233], [3, 30]],
    ['one at each end', [-500, ...range(0, 40), 500], [0, 40]],
    ['two above beside each other', [...range(0, 40), 900, 905], [0, 40]],
    ['none across a narrow gap', [...range(0, 40), 70], [0, 70]],
    ['none of more than a few', [...range(0, 40), ...range(900, 910)], [0, 910]],
    ['none of few numbers', [1, 2, 900], [1, 900]],
  ])('sets apart %s', (_name, numbers, expected) => {
    expect(apartFrom(numbers, 4)).toEqual(expected)
  })

  it('sets apart at most as many as asked for at either end, and what it leaves spans less than the gap', () => {
    let apart = 0
    const value = fc.oneof({ weight: 30, arbitrary: fc.nat(50) }, fc.integer({ min: -2000, max: 2000 }))
    fc.assert(
      fc.property(fc.array(value, { minLength: 20, maxLength: 40 }), fc.integer({ min: 1, max: 4 }), (values, few) => {
        const sorted = values.toSorted((one, other) => one - other)
        const [low, high] = apartFrom(sorted, few)
        const [below, above] = [sorted.filter((one) => one < low), sorted.filter((one) => one > high)]
        apart += below.length + above.length
        expect(Math.max(below.length, above.length)).toBeLessThanOrEqual(few)
        if (below.length > 0 && above.length > 0) {
          expect(low - (below.at(-1) as number)).toBeGreaterThan(high - low)
          expect((above[0] as number) - high).toBeGreaterThan(high - low)
        }
      }),
      { numRuns: 100, seed: 3 },
    )
    expect(apart).toBeGreaterThan(20)
  })
})

describe('farFrom', () => {
  it('finds a low value among values that are spread evenly', () => {
    const isFar = farFrom([...range(60, 100), 2], 1, 0)
    expect([2, 60, 100].map((one) => isFar(one))).toEqual([true, false, false])
  })

  it('finds none if many are far', () => {
    expect(farFrom([...range(1, 30), ...range(1, 20).map((one) => 2 ** one * 100)], 1, 0)(1000)).toBe(false)
  })
})
