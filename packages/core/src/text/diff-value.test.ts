import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diffValue, type Patch, patchValue } from './patch.ts'

it.each<readonly [string, unknown, unknown, readonly Patch[]]>([
  ['nothing', { a: [1] }, { a: [1] }, []],
  [
    'one leaf',
    { a: { b: ['x', 'y'] }, c: 1 },
    { a: { b: ['x', 'z'] }, c: 1 },
    [{ op: 'set', path: ['r', 'a', 'b', 1], value: 'z' }],
  ],
  ['a field more', { a: 1 }, { a: 1, b: 2 }, [{ op: 'set', path: ['r', 'b'], value: 2 }]],
  ['a field less', { a: 1, b: 2 }, { a: 1 }, [{ op: 'remove', path: ['r', 'b'] }]],
  ['a list of another length', { a: [1] }, { a: [1, 2] }, [{ op: 'set', path: ['r', 'a'], value: [1, 2] }]],
  ['another kind of value', { a: {} }, { a: [] }, [{ op: 'set', path: ['r', 'a'], value: [] }]],
  ['a field that was and is undefined', { a: undefined, b: 1 }, { a: undefined, b: 1 }, []],
])('finds %s', (_name, before, after, patches) => {
  expect(diffValue(before, after, ['r'])).toEqual(patches)
})

it('diffValue treats dates, URLs and byte arrays as single values', () => {
  const address = new URL('https://example.org/b')
  expect(diffValue({ at: new URL('https://example.org/a') }, { at: address }, [])).toEqual([
    { op: 'set', path: ['at'], value: address },
  ])
})

it('diffValue replaces a value nested too deeply as a unit', () => {
  const nest = (leaf: number) => Array.from({ length: 200_000 }).reduce<unknown>((inner) => ({ inner }), leaf)
  const [patch, ...rest] = diffValue(nest(1), nest(2), [])
  expect([patch?.path.length, rest.length]).toEqual([100, 0])
})

it('gives patches that turn the one into the other', () => {
  let inside = 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (one, other, nested) => {
      const before = nested ? { keep: one, change: [one, { one }] } : one
      const after = nested ? { keep: one, change: [other, { one: other }] } : other
      const patches = diffValue(before, after, [])
      expect(patchValue(before, patches)).toEqual(after)
      if (patches.some(({ path }) => path.length > 2)) inside += 1
    }),
  )
  expect(inside).toBeGreaterThan(10)
})
