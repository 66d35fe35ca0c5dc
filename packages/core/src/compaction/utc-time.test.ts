import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utcTime } from './facts-of-segment.ts'

describe('utcTime', () => {
  it.each<[number | undefined, string]>([
    [0, '1970-01-01 00:00 UTC'],
    [-1, '1969-12-31 23:59 UTC'],
    [Date.UTC(2024, 1, 29, 23, 59, 59), '2024-02-29 23:59 UTC'],
    [Date.UTC(2100, 2, 1), '2100-03-01 00:00 UTC'],
    [undefined, 'unknown'],
    [Number.NaN, 'unknown'],
    [1e300, 'unknown'],
  ])('writes %s as %s', (milliseconds, text) => expect(utcTime(milliseconds)).toBe(text))

  it('Q-14b writes every time as the calendar has it', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (milliseconds) => {
        const [date, time] = new Date(milliseconds).toISOString().split('T') as [string, string]
        expect(utcTime(milliseconds)).toBe(`${date} ${time.slice(0, 5)} UTC`)
      }),
    )
  })
})
