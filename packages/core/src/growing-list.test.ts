import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rememberGrowth } from './growing-list.ts'
import type { Message } from './message.ts'
import { user } from './testing/messages.ts'

/** Joins ids, and tells how many messages it had to look at. */
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

  it('always answers as if it remembered nothing, whatever lists come in whatever order', () => {
    let grown = 0
    const lists = fc.array(fc.array(fc.constantFrom(...pool.slice(0, 2)), { minLength: 1, maxLength: 4 }), {
      minLength: 8,
      maxLength: 30,
    })
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
