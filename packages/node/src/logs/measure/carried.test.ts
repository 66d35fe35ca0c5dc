import { describe, expect, it } from 'vitest'
import { type CarriedSum, carryingCost, createCarrier } from './carried.ts'

describe('the price of carrying tokens', () => {
  it('is one cache write and a cache read for each later request', () => {
    const carrier = createCarrier()
    const sum = { written: 0, read: 0 }
    carrier.add('m', 100_000, sum)
    for (let request = 0; request < 5; request += 1) carrier.request()
    carrier.finish()
    expect(sum).toEqual({ written: 100_000, read: 400_000 })
    // 0.1M × $6.25 and 0.4M × $0.50
    expect(carryingCost(sum, { cacheWrite: 6.25, cacheRead: 0.5 })).toBeCloseTo(0.825, 9)
  })

  it('ends when the message is compacted, and is nothing for what was never sent', () => {
    const carrier = createCarrier()
    const [gone, kept, last] = [0, 0, 0].map(() => ({ written: 0, read: 0 })) as [CarriedSum, CarriedSum, CarriedSum]
    carrier.add('gone', 10, gone)
    carrier.add('kept', 10, kept)
    carrier.request()
    carrier.keepOnly(new Set(['kept']))
    carrier.request()
    carrier.add('last', 10, last)
    carrier.finish()
    expect([gone, kept, last]).toEqual([
      { written: 10, read: 0 },
      { written: 10, read: 10 },
      { written: 0, read: 0 },
    ])
  })

  it('is unknown without a price', () => expect(carryingCost({ written: 1, read: 1 }, null)).toBeNull())
})
