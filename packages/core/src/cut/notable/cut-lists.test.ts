import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutLists } from './cut-lists.ts'
import { cutRecords } from './cut-records.ts'

const handle = '0123456789ab'
const records = (name: string, count: number, special: Readonly<Record<number, object>> = {}) =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}${index}`, state: 'done', ...special[index] }))
const entries = (name: string, special: Readonly<Record<number, object>> = {}) =>
  Object.fromEntries(records(name, 60, special).map(({ id, ...rest }) => [id, rest]))

describe('cutLists', () => {
  it.each<[name: string, value: unknown, kept: readonly string[]]>([
    [
      'two lists under keys',
      { home: records('h', 80, { 40: { state: 'failed' } }), away: records('a', 80, { 50: { late: true } }), next: 'page-2' },
      ['{"id":"h40","state":"failed"}', '{"id":"a50","state":"done","late":true}', '],"next":"page-2"}'],
    ],
    [
      'objects of records in an object',
      { regions: { eu: entries('e'), us: entries('u', { 30: { state: 'failed' } }), ap: entries('p') } },
      ['"u30":{"state":"failed"}', '"us":{'],
    ],
    [
      'a short list that stays beside a long one',
      { notes: records('n', 20), all: records('r', 120, { 60: { state: 'failed' } }) },
      ['{"id":"r60","state":"failed"}', '"n19"'],
    ],
  ])('cuts %s, and the text stays JSON', (_name, value, kept) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const cut = cutLists(text, 2600, handle) ?? ''
      expect(cut.length).toBeLessThanOrEqual(2600)
      for (const part of kept) expect(cut).toContain(part)
      expect(Object.keys(JSON.parse(cut))).toEqual(Object.keys(value as object))
    }
  })

  it('names all that failed, if a report lists all, what failed and what passed', () => {
    const test = (index: number, failed: boolean) => ({ title: `adds ${index}`, file: `/ci/test/part-${index % 9}.test.js`, ms: index % 7, err: failed ? { message: `expected ${index}`, stack: 'Error: x\n'.repeat(9) } : {} }) // biome-ignore format: one line
    const all = Array.from({ length: 160 }, (_, index) => test(index, index % 20 === 7))
    const isFailed = ({ err }: (typeof all)[number]) => Object.keys(err).length > 0
    const text = JSON.stringify({
      tests: all,
      pending: [],
      failures: all.filter(isFailed),
      passes: all.filter((one) => !isFailed(one)),
    })
    const cut = cutLists(text, 4000, handle) ?? ''
    const { failures } = JSON.parse(cut) as { readonly failures: readonly { readonly title?: string }[] }
    expect(failures.flatMap(({ title }) => title ?? [])).toEqual(all.filter(isFailed).map(({ title }) => title))
  })

  it('keeps what is around the JSON', () => {
    const text = `HTTP 200\n${JSON.stringify({ a: records('a', 80), b: records('b', 80) })}\nexit 0`
    const cut = cutLists(text, 1500, handle) ?? ''
    expect([cut.startsWith('HTTP 200\n{"a":['), cut.endsWith(']}\nexit 0')]).toEqual([true, true])
  })

  it.each<[name: string, text: string]>([
    ['one list', JSON.stringify({ all: records('r', 200, { 60: { state: 'failed' } }), next: null })],
    ['lists inside the records of one', JSON.stringify(records('r', 40).map((one) => ({ ...one, of: records('i', 8) })))],
    ['JSON that is cut off', JSON.stringify({ a: records('a', 80), b: records('b', 80) }).slice(0, -5)],
  ])('cuts %s as one list', (_name, text) => {
    expect(cutLists(text, 1500, handle)).toBe(cutRecords(text, 1500, handle))
  })

  it('fits, is JSON, and each record is one of the original or counted', () => {
    const count = fc.integer({ min: 6, max: 60 })
    fc.assert(
      fc.property(count, count, fc.integer({ min: 300, max: 3000 }), (a, b, room) => {
        const given = { a: records('a', a, { 3: { error: 'x' } }), b: records('b', b) }
        const cut = cutLists(JSON.stringify(given), room, handle)
        if (cut === null) return
        expect(cut.length).toBeLessThanOrEqual(room)
        const shown = JSON.parse(cut) as Record<'a' | 'b', readonly unknown[]>
        for (const key of ['a', 'b'] as const) {
          const omitted = shown[key].map((one) => (typeof one === 'string' ? Number(/[\d,]+/.exec(one)?.[0]) : 0))
          const known = new Set(given[key].map((one) => JSON.stringify(one)))
          const whole = shown[key].filter((one) => known.has(JSON.stringify(one))).length
          expect(whole + omitted.reduce((sum, one) => sum + one, 0)).toBe(given[key].length)
        }
      }),
      { numRuns: 60, seed: 3 },
    )
  })
})
