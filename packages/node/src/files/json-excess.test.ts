import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonExcess } from './json-excess.ts'

const none = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }

describe('findJsonExcess', () => {
  it.each([
    ['[[[]]]', { ...none, depth: 2 }, { kind: 'depth', place: '[0][0]…' }],
    ['[1,{"a":"]","b":[[[[]]]]}]', { ...none, depth: 5 }, { kind: 'depth', place: '[1].b[0][0]…' }],
    ['{"k\\u001b":[0,[]]}', { ...none, depth: 2 }, { kind: 'depth', place: '.k\\u001b[1]…' }],
    ['[[],[],[]]', { ...none, depth: 2 }, null],
    ['["[[[[", "\\"[[[[", "\\\\"]', { ...none, depth: 1 }, null],
    ['[1,2,3]', { ...none, values: 3 }, { kind: 'values' }],
    ['[1,2,3]', { ...none, values: 4 }, null],
    ['["1,2,3,4"]', { ...none, values: 2 }, null],
    ['{}\n{}\n', { ...none, depth: 1 }, null],
    ['{}\n{}\n{}', { ...none, values: 2 }, { kind: 'values' }],
    ['[\n\n\n1]', { ...none, values: 2 }, null],
  ])('%s', (text, limits, excess) => expect(findJsonExcess(text, limits)).toEqual(excess))

  it('finds exactly the depth and the number of values that parsing finds', () => {
    let deep = 0
    let quoted = 0
    const strings = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', ':', ']', 'a', '\n') })
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6, depthSize: 'large', stringUnit: 'binary' }),
        fc.dictionary(strings, strings),
        (value, odd) => {
          const whole = { value, odd }
          const { depth, values } = measure(whole)
          const text = JSON.stringify(whole)
          if (depth > 3) deep += 1
          if (/[[\]{},:"\\]/.test(Object.keys(odd).join(''))) quoted += 1
          expect(findJsonExcess(text, { depth, values })).toBeNull()
          expect(findJsonExcess(text, { depth: depth - 1, values })).toMatchObject({ kind: 'depth' })
          expect(findJsonExcess(text, { depth, values: values - 1 })).toEqual({ kind: 'values' })
        },
      ),
    )
    expect(Math.min(deep, quoted)).toBeGreaterThan(10)
  })

  it('is not overwhelmed by nesting', () =>
    expect(findJsonExcess('['.repeat(5_000_000), { ...none, depth: 4_999_999 })).toEqual({
      kind: 'depth',
      place: '[0][0][0][0]…',
    }))
})

function measure(value: unknown): { readonly depth: number; readonly values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 }
  const inside = Object.values(value).map(measure)
  return {
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
    values: 1 + inside.reduce((sum, { values }) => sum + values, 0),
  }
}
