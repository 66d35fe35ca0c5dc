import { describe, expect, test } from 'vitest'
import { createKnownMessages, type KnownMessages } from './known-messages.ts'

const find = (known: KnownMessages, tenant: string, id: string) => known.find(tenant, [{ id }])[0]

describe('the time when a message was first seen', () => {
  test('is remembered for each tenant', () => {
    const known = createKnownMessages({ now: () => 0 })
    known.note('one', 'a', 5)
    expect([find(known, 'one', 'a'), find(known, 'one', 'b'), find(known, 'other', 'a')]).toEqual([5, null, null])
  })

  test('is read from the store again after a while, so that the store knows what is in use', () => {
    let now = 0
    const known = createKnownMessages({ now: () => now, milliseconds: 10 })
    known.note('one', 'a', 5)
    now = 9
    expect(find(known, 'one', 'a')).toBe(5)
    now = 10
    expect(find(known, 'one', 'a')).toBeNull()
    known.note('one', 'a', 5)
    expect(find(known, 'one', 'a')).toBe(5)
    // After the clock was set back, the elapsed time is unknown.
    now = -100
    expect(find(known, 'one', 'a')).toBeNull()
  })

  test('is forgotten if there are too many, the least recently used first', () => {
    const known = createKnownMessages({ now: () => 0, max: 10 })
    known.note('one', 'kept', 1)
    for (let count = 0; count < 100; count += 1) {
      known.note('one', `message ${count}`, count)
      expect(find(known, 'one', 'kept')).toBe(1)
    }
    const found = Array.from({ length: 100 }, (_, count) => find(known, 'one', `message ${count}`)).filter((at) => at !== null)
    expect(found.length).toBeLessThanOrEqual(10)
    expect(found.at(-1)).toBe(99)
  })
})
