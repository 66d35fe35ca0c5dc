import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { bodyBytes, collectBody, createSharedBytes, isShared, lentBody } from './read-request-body.ts'

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

  test('is not given back before the connection has sent the body in it', async () => {
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

describe('a body that is collected', () => {
  const sizes = [
    ['short', 500, 500],
    ['of unknown length', 300_000, null],
    ['as long as announced', 300_000, 300_000],
    ['longer than announced', 3_000_000, 40_000],
    ['shorter than announced', 50_000, 4_000_000],
    ['much shorter than announced', 70_000, 1_000_000_000],
  ] as const
  test.each(sizes.flatMap((size) => [100, 20_000, 64_000].map((piece) => [...size, piece] as const)))(
    '%s (%d bytes, announced %d, pieces of %d) is what arrived',
    (_name, length, announced, piece) => {
      const sent = Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 251))
      const request = new EventEmitter()
      const bodies: (Buffer | null)[] = []
      let held = 0
      const hold = (bytes: number) => {
        held += bytes
        return true
      }
      collectBody(request as IncomingMessage, { announced, max: 4_000_000, hold }, (body) => bodies.push(body))
      for (let start = 0; start < length; start += piece) request.emit('data', sent.subarray(start, start + piece))
      request.emit('end')
      expect([bodies.length, held, bodies[0]?.equals(sent)]).toEqual([1, length, true])
      // Never more memory than sixteen times what is there.
      expect(bodies[0]?.buffer.byteLength ?? 0).toBeLessThanOrEqual(Math.max(length * 32, 2 ** 16))
    },
  )
})
