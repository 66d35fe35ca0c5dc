import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rememberGrowth } from './derive.ts'
import type { Message } from './message.ts'
import { user } from './testing/messages.ts'

/** Joins ids, and tells how many messages it had to look at. Of users' messages it can put one in place of another. */
function createJoiner() {
  const looked = { count: 0 }
  const join = rememberGrowth({
    start: () => [] as string[],
    extend(ids, messages, from) {
      for (const message of messages.slice(from)) {
        looked.count += 1
        ids.push(message.id)
      }
    },
    change(ids, index, was, is) {
      looked.count += 1
      ids[index] = is.id
      return was.role === 'user' && is.role === 'user'
    },
    finish: (ids) => ids.join(''),
  })
  return { join, looked }
}

const pool: readonly Message[] = 'abcdefgh'.split('').map((id) => user(id, id))

describe('rememberGrowth', () => {
  it('looks at what was added only', () => {
    const { join, looked } = createJoiner()
    join(pool.slice(0, 5))
    looked.count = 0
    expect(join(pool.slice(0, 7))).toBe('abcdefg')
    expect(looked.count).toBe(2)
  })

  it('reads a rewound or edited list from its start', () => {
    const { join } = createJoiner()
    join(pool)
    expect(join(pool.slice(0, 3))).toBe('abc')
    expect(join([...pool.slice(0, 3), user('x', '')])).toBe('abcx')
    expect(join(pool)).toBe('abcdefgh')
    expect(join([])).toBe('')
  })

  it('looks at what has changed only, and at everything where that is too much or cannot be dealt with', () => {
    const { join, looked } = createJoiner()
    const other = user('x', '')
    const lookedFor = (list: readonly Message[]) => {
      looked.count = 0
      expect(join(list)).toBe(list.map(({ id }) => id).join(''))
      return looked.count
    }
    const long = Array.from({ length: 200 }, (_, index) => user(`${index},`, ''))
    expect(lookedFor(long)).toBe(200)
    expect(lookedFor(long.with(7, other).with(90, other))).toBe(2)
    expect(lookedFor([...long.with(7, other), ...pool])).toBe(1 + 8)
    expect(lookedFor(long.map((message, index) => (index % 3 === 1 ? other : message)))).toBe(200)
    // The change is tried, and then all is read.
    expect(lookedFor(long.map((message, index) => (index === 4 ? { ...other, role: 'assistant' } : message)))).toBeGreaterThan(
      199,
    )
  })

  it('keeps the lists of several stages apart, so that none is changed into another and back at every request', () => {
    const { join, looked } = createJoiner()
    const other = user('x', '')
    const long = Array.from({ length: 60 }, (_, index) => user(`${index},`, ''))
    const request = (length: number) => {
      looked.count = 0
      join(long.slice(0, length))
      join(long.slice(0, length).with(3, other).with(5, other))
      return looked.count
    }
    expect([50, 52, 54, 56, 58].map(request).slice(2)).toEqual([4, 4, 4])
  })

  it('always answers as if it remembered nothing, whatever lists come in whatever order', () => {
    let grown = 0
    const lists = fc.array(
      fc.array(fc.constantFrom(...pool.slice(0, 2), { ...user('z', ''), role: 'assistant' as const }), {
        minLength: 1,
        maxLength: 4,
      }),
      {
        minLength: 8,
        maxLength: 30,
      },
    )
    fc.assert(
      fc.property(lists, (given) => {
        const { join, looked } = createJoiner()
        for (const list of given) expect(join(list)).toBe(list.map((message) => message.id).join(''))
        if (looked.count < given.flat().length) grown += 1
      }),
      { numRuns: 300 },
    )
    expect(grown).toBeGreaterThan(200)
  })
})
