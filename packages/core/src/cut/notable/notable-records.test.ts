import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isFailureValue, notableRecords } from './notable-records.ts'

const usual = (index: number): Record<string, unknown> => ({
  id: `a-${index}`,
  state: 'done',
  ms: 40 + (index % 7),
  name: 'abcdefgh'.slice(index % 5),
})

/** The indexes of the notable ones among 200 usual records with some changed. */
function notable(changes: Readonly<Record<number, Record<string, unknown>>>): readonly number[] {
  const records = Array.from({ length: 200 }, (_, index) => ({ ...usual(index), ...changes[index] }))
  return notableRecords(records.map((fields) => ({ start: 0, end: 0, fields: new Map(Object.entries(fields)) }))).map(
    ({ index }) => index,
  )
}

describe('notableRecords', () => {
  it.each<[way: string, change: Record<string, unknown>]>([
    ['a failure by its state', { state: 'failed' }],
    ['a failure by its message', { name: 'TypeError: x is not a function' }],
    ['a failure by the name of a field', { error: 'card declined' }],
    ['a failure in a list inside it', { 'checks[].state': 'done\nfailed' }],
    ['a rare field', { note: 'by hand' }],
    ['a rare value', { state: 'paused' }],
    ['a number far above', { ms: 9000 }],
    ['a number far below', { ms: -300 }],
    ['a number below zero among others above', { ms: -3 }],
    ['another type', { ms: 'n/a' }],
    ['an empty value', { state: null }],
    ['a text far longer than the others', { title: `with ${'words '.repeat(40)}` }],
    ['another form of a name', { id: 'unknown' }],
  ])('finds %s', (_, change) => {
    expect(notable({ 117: change })).toEqual([117])
  })

  it.each<[value: string, isFailure: boolean]>([
    ['    a_test.go:14: sum is 524, not 1524\n', true],
    ['p7/a.c:21:31: undefined: total', true],
    ['main.go:12', false],
    ['http://shop.example:80/ a', false],
    ['10:12:14: started', false],
  ])('judges whether %j says what failed, and where', (value, isFailure) => {
    expect(isFailureValue('output', value)).toBe(isFailure)
  })

  it('finds a record without a field that all others have', () => {
    const records = Array.from(
      { length: 100 },
      (_, index) => new Map(Object.entries(usual(index)).filter(([key]) => index !== 42 || key !== 'ms')),
    )
    expect(notableRecords(records.map((fields) => ({ start: 0, end: 0, fields }))).map(({ index }) => index)).toEqual([42])
  })

  it('puts the first of each way before others that differ in the same way', () => {
    expect(notable({ 10: { state: 'failed' }, 20: { state: 'failed' }, 30: { extra: 1 } })).toEqual([10, 30, 20])
  })

  it('finds none among equal ones, nor where everything differs', () => {
    expect(notable({})).toEqual([])
    expect(
      notable(
        Object.fromEntries(
          Array.from({ length: 200 }, (_, index) => [
            index,
            { name: `n${'abcdefghij'[index % 10]}${index}`, ms: 2 ** (index % 40) },
          ]),
        ),
      ),
    ).toEqual([])
  })

  it('finds each changed record once, says in which fields it differs, and puts each way first once, whatever is changed', () => {
    const changes = fc.constantFrom<Record<string, unknown>>({ state: 'failed' }, { state: 'paused' }, { ms: 9000 }, { ms: -3 }, { note: 'by hand' }) // biome-ignore format: one line
    fc.assert(
      fc.property(fc.dictionary(fc.integer({ min: 0, max: 199 }).map(String), changes, { minKeys: 1, maxKeys: 3 }), (changed) => {
        const records = Array.from({ length: 200 }, (_, index) => new Map(Object.entries({ ...usual(index), ...changed[index] })))
        const found = notableRecords(records.map((fields) => ({ start: 0, end: 0, fields })))
        expect(found.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(Object.keys(changed).map(Number).toSorted((a, b) => a - b)) // biome-ignore format: one line
        for (const { index, paths } of found) expect(paths).toEqual(expect.arrayContaining(Object.keys(changed[index] ?? {})))
        expect(found.filter(({ isFirst }) => isFirst).map(({ way }) => way).toSorted()).toEqual([...new Set(found.map(({ way }) => way))].toSorted()) // biome-ignore format: one line
      }),
      { seed: 4, numRuns: 60 },
    )
  })
})
