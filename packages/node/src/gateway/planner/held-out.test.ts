import { describe, expect, it } from 'vitest'
import { isHeldOut } from './recognise-request.ts'

const keys = Array.from({ length: 5000 }, (_, index) => `conversation ${index}`)

describe('isHeldOut', () => {
  it.each([0.01, 0.1, 0.5, 0.9])('leaves about a share of %d untouched', (share) => {
    const held = keys.filter((key) => isHeldOut(key, share)).length
    expect(Math.abs(held / keys.length - share)).toBeLessThan(0.03)
  })

  it('always returns the same for a conversation, and includes it in every larger share', () => {
    const small = keys.filter((key) => isHeldOut(key, 0.1))
    expect(keys.filter((key) => isHeldOut(key, 0.1))).toEqual(small)
    expect(small.every((key) => isHeldOut(key, 0.2))).toBe(true)
  })

  it.each([
    [0, false],
    [-1, false],
    [Number.NaN, false],
    [1, true],
    [2, true],
  ])('with a share of %d returns %s for every conversation', (share, expected) =>
    expect(keys.slice(0, 100).map((key) => isHeldOut(key, share))).toEqual(Array.from({ length: 100 }, () => expected)),
  )

  it('uses the given hash', () =>
    expect([
      isHeldOut('x', 0.5, () => 'ff'.repeat(32)),
      isHeldOut('x', 0.5, () => '00'.repeat(32)),
      isHeldOut('x', 0.5, () => 'no hash'),
    ]).toEqual([false, true, false]))
})
