import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { briefBeside, briefJson } from './brief-json.ts'

const brief = { cutList: () => null }

describe('briefJson', () => {
  it.each<[name: string, value: unknown, max: number, expected: unknown]>([
    ['a value that fits', { a: 1, b: [1, 2] }, 40, { a: 1, b: [1, 2] }],
    [
      'what failed and what names it, before other fields',
      { first: 'x'.repeat(40), second: 'y'.repeat(40), name: 'lint', status: 'failed' },
      80,
      { name: 'lint', status: 'failed', '...': '2 fields omitted' },
    ],
    [
      'the failing items of a list',
      { checks: [...Array.from({ length: 30 }, (_, id) => ({ id, state: 'ok' })), { id: 30, state: 'failed' }] },
      110,
      { checks: ['... 30 items omitted ...', { id: 30, state: 'failed' }] },
    ],
    ['the failure in a long text', `${'words '.repeat(60)}Error: disk gone`, 70, expect.stringContaining('Error: disk gone')],
  ])('shows %s', (_name, value, max, expected) => {
    expect(JSON.parse(briefJson(JSON.stringify(value), max, brief))).toEqual(expected)
  })

  it('shows the fields that make a record differ first', () => {
    const text = JSON.stringify({ a: 'a'.repeat(30), b: { c: 'rare', d: 'd'.repeat(90) } })
    expect(JSON.parse(briefJson(text, 80, { ...brief, differs: ['b.c'] }))).toMatchObject({ b: { c: 'rare' } })
  })

  it('shows no record of which neither a name nor what differs fits', () => {
    const text = JSON.stringify({ ms: 1, title: 'adds two numbers that are long', err: { stack: 'x'.repeat(90) } })
    expect(briefJson(text, 36, brief)).toBe('{"...":"3 fields omitted"}')
  })

  it('keeps the digits of long numbers', () => {
    expect(briefJson(`{"id":12345678901234567890,"text":"${'x'.repeat(90)}"}`, 60, brief)).toContain('12345678901234567890')
  })

  it('stays JSON, and what it shows is in the original or counted, whatever the value', () => {
    let omitted = 0
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 200 }), (value, max) => {
        const written = briefJson(JSON.stringify(value), max, brief)
        omitted += expectPartOf(JSON.parse(written), value)
      }),
      { numRuns: 300, seed: 5 },
    )
    expect(omitted).toBeGreaterThan(200)
  })
})

/** Returns how many fields, items and characters are omitted. */
function expectPartOf(shown: unknown, original: unknown): number {
  if (Array.isArray(original)) {
    let at = 0
    let sum = 0
    for (const item of shown as unknown[]) {
      const count = typeof item === 'string' ? Number(/^\.\.\. (\d+) items omitted \.\.\.$/.exec(item)?.[1] ?? 0) : 0
      sum += count === 0 ? expectPartOf(item, original[at]) : count
      at += count === 0 ? 1 : count
    }
    expect(at).toBe(original.length)
    return sum
  }
  if (typeof original === 'object' && original !== null) {
    const fields = Object.entries(shown as object)
    const count = Number.parseInt(String(fields.find(([key]) => key === '...')?.[1] ?? 0), 10)
    const kept = fields.filter(([key]) => key !== '...')
    expect(kept.length + count).toBe(Object.keys(original).length)
    return kept.reduce((sum, [key, value]) => sum + expectPartOf(value, (original as Record<string, unknown>)[key]), count)
  }
  if (shown === original || Object.is(shown, original) || (shown === 0 && original === 0)) return 0
  expect(String(shown)).toMatch(/\.\.\. \((?:of )?[\d,]+ characters(?: more)?\)$/)
  return 1
}

describe('briefBeside', () => {
  it('makes complete values brief, and leaves open brackets as they are', () => {
    const fragment = `],"rules":[${'{"id":"a","help":"long help"},'.repeat(40)}{}],"next":null}`
    const text = briefBeside(fragment, 100, brief)
    expect(JSON.parse(`{"list":[${text}`)).toMatchObject({ list: [], next: null })
    expect(text.length).toBeLessThan(160)
  })
})
