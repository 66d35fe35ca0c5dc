import { describe, expect, test } from 'vitest'
import { createSharedBytes, isShared } from './read-request-body.ts'

describe('reused memory', () => {
  test('is lent again only after it was returned', () => {
    const { take, giveBack } = createSharedBytes()
    const one = take(70_000)
    const other = take(70_000)
    expect([one.length, isShared(one), other.buffer === one.buffer]).toEqual([70_000, true, false])
    giveBack(one)
    const again = take(100_000)
    expect([again.length, again.buffer === one.buffer]).toEqual([100_000, true])
    expect(take(100_000).buffer === one.buffer).toBe(false)
  })

  test('is not kept beyond the limit', () => {
    const { take, giveBack } = createSharedBytes({ maxKeptBytes: 2 ** 16, largest: 2 ** 17 })
    const [one, other, large] = [take(10), take(10), take(2 ** 17 + 1)]
    expect([isShared(one), isShared(large), large.length]).toEqual([true, false, 2 ** 17 + 1])
    for (const bytes of [one, other, large, new Uint8Array(5)]) giveBack(bytes)
    const taken = [take(10), take(10)]
    expect([taken[0]?.buffer === one.buffer, taken[1]?.buffer === other.buffer]).toEqual([true, false])
  })
})
