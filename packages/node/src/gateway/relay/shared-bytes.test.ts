import { describe, expect, test } from 'vitest'
import { bodyBytes, createSharedBytes, isShared, lentBody } from './read-request-body.ts'

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

  test('is lent again only after everyone who had it returned it', () => {
    const { take, giveBack, lendAgain } = createSharedBytes()
    const one = take(70_000)
    lendAgain(one)
    giveBack(one)
    expect(take(70_000).buffer === one.buffer).toBe(false)
    giveBack(one.subarray(0, 10))
    expect(take(70_000).buffer === one.buffer).toBe(true)
  })

  test('is not given back before the connection has taken the body that is sent from it', async () => {
    const body = bodyBytes.take(70_000)
    const sending = lentBody(body)
    expect((await sending.next()).value === body).toBe(true)
    expect(bodyBytes.take(70_000).buffer === body.buffer).toBe(false)
    expect((await sending.next()).done).toBe(true)
    expect(bodyBytes.take(70_000).buffer === body.buffer).toBe(true)
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
