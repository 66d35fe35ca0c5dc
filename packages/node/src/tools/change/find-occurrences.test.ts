import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { occurrencesOf } from './find-text.ts'

describe('occurrencesOf', () => {
  it.each([
    ['aaa', 'aa', 'overlapping', [0, 1]],
    ['aaa', 'aa', 'apart', [0]],
    ['abcab', 'ab', 'apart', [0, 3]],
    ['abc', '', 'apart', []],
    ['ab', 'abc', 'overlapping', []],
  ] as const)('%s holds %s (%s) at %j', (text, wanted, overlap, places) => {
    expect(occurrencesOf(text, wanted, overlap)).toEqual(places)
  })

  it('finds the same places in texts too long for the plain search', () => {
    let found = 0
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 }), fc.boolean(), (piece, isApart) => {
        const overlap = isApart ? 'apart' : 'overlapping'
        // Long enough that the product of the lengths is beyond the plain search, and made of pieces of the needle.
        const wanted = piece.repeat(2000)
        const text = `${'x'.repeat(50_000)}${piece.repeat(4003)}`
        const step = isApart ? wanted.length : 1
        const expected: number[] = []
        for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) expected.push(at)
        found += expected.length
        expect(occurrencesOf(text, wanted, overlap)).toEqual(expected)
      }),
      { numRuns: 20 },
    )
    expect(found).toBeGreaterThan(100)
  })

  it('finishes where the plain search would not', () => {
    const text = 'a'.repeat(4_000_000)
    expect(occurrencesOf(text, `b${'a'.repeat(1_000_000)}`, 'apart')).toEqual([])
    expect(occurrencesOf(text, `${'a'.repeat(1_000_000)}b`, 'apart')).toEqual([])
  })
})
