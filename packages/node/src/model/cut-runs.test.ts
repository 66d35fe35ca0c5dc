import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutRuns } from './tokens.ts'

/** The longest stretch that a tokenizer would have to take as one word, one indentation or one rule. */
function maxRunLength(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{N}]+/gu), ([run]) => run.length))
}

describe('cutRuns', () => {
  const cases: readonly (readonly [name: string, text: string, pieces: readonly string[]])[] = [
    ['nothing', '', ['']],
    ['runs that fit', 'word word    ==== 1234567890', ['word word    ==== 1234567890']],
    ['letters', 'aaaaaaaaaaaa', ['aaaa', 'aaaa', 'aaaa']],
    ['Chinese', '一二三四五六', ['一二三四', '五六']],
    ['blanks', 'a       b', ['a    ', '   b']],
    ['symbols', '=-=-=-!', ['=-=-', '=-!']],
    ['a surrogate pair, never in its middle', '😀😀😀', ['😀😀', '😀']],
    ['a pair that the limit falls into', '=😀😀', ['=😀😀']],
    ['a pair between letters and symbols, counted with both', 'a😀😀==', ['a😀😀', '==']],
    ['digits', '1234567890', ['1234567890']],
    ['pairs after digits', '12345678😀😀😀', ['12345678😀😀', '😀']],
    ['lone halves', '\ud800\ud800\ud800\ud800\ud800', ['\ud800\ud800\ud800\ud800', '\ud800']],
  ]
  it.each(cases)('%s', (_name, text, pieces) => {
    expect(cutRuns(text, 4)).toEqual(pieces)
  })

  it('loses nothing, leaves no long run, and cuts only where there was one', () => {
    const unit = fc.constantFrom('a', 'B', 'é', '中', 'क', ' ', '\n', '\t', '=', '，', '7', '😀', '\u0301')
    const run = fc.tuple(unit, fc.integer({ min: 1, max: 40 })).map(([character, times]) => character.repeat(times))
    let cut = 0
    let whole = 0
    fc.assert(
      fc.property(fc.array(run, { maxLength: 12 }), (runs) => {
        const text = runs.join('')
        const pieces = cutRuns(text, 16)
        expect(pieces.join('')).toBe(text)
        // One more where the limit fell inside a surrogate pair.
        for (const piece of pieces) expect(maxRunLength(piece)).toBeLessThanOrEqual(17)
        if (pieces.length > 1) cut += 1
        else whole += 1
        if (!/😀|\u0301/u.test(text) && maxRunLength(text) <= 16) expect(pieces).toEqual([text])
      }),
      { numRuns: 1000 },
    )
    expect(cut).toBeGreaterThan(50)
    expect(whole).toBeGreaterThan(50)
  })
})
