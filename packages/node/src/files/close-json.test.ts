import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closeJson } from './json-excess.ts'

describe('closeJson', () => {
  it.each([
    ['[1,2,{"a":3', [1, 2]],
    ['{"a":{"b":1},"list":[{"x":[1,2]},{"x":[3', { a: { b: 1 }, list: [{ x: [1, 2] }] }],
    ['{"one":[1,2],"list":["a]\\"}","b', { one: [1, 2], list: ['a]"}'] }],
    ['[[1,2],[3,4', [[1, 2]]],
    ['{"runs":[{"messages":["a","b"', { runs: [{ messages: ['a'] }] }],
    ['[{"a":1}', [{ a: 1 }]],
  ])('%s', (text, value) => expect(JSON.parse(closeJson(text) ?? 'null')).toEqual(value))

  it.each(['', '[', '{"a":1', '["a', '[1', '{"a":[{"b":', 'no JSON', '['.repeat(5000)])('has nothing to give of %s', (text) =>
    expect(closeJson(text)).toBeNull(),
  )

  it('makes of any list that is cut off a list of its first items', () => {
    let closed = 0
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 2 }), fc.nat(), (list, place) => {
        const text = JSON.stringify(list)
        const found = closeJson(text.slice(0, (place % (text.length - 1)) + 1))
        if (found === null) return
        closed += 1
        const items = JSON.parse(found) as readonly unknown[]
        // A list inside the first item may be all that is whole.
        if (items.length > 1) expect(items.slice(0, -1)).toEqual(JSON.parse(text).slice(0, items.length - 1))
      }),
    )
    expect(closed).toBeGreaterThan(20)
  })
})
