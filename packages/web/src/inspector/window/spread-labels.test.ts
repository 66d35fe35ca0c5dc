import fc from 'fast-check'
import { expect, it } from 'vitest'
import { spreadLabels } from './spread-labels.ts'

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
