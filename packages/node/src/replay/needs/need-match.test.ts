import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NeedClass } from './need.ts'
import { holds, readingsOf } from './need-match.ts'

it('a coloured line is held by the same line without colours', () => {
  const line = '\u001b[96msrc/a.ts\u001b[0m: \u001b[91merror\u001b[0m TS2687'
  expect(holds('error-line', 'src/a.ts: error TS2687\ndone', line)).toBe(true)
  expect(holds('error-line', 'src/b.ts: error TS2687', line)).toBe(false)
})

describe('a line', () => {
  const line = '  return total + tax'
  it.each([
    ['alone', line, true],
    ['among others', `a\n${line}\nb`, true],
    ['with trailing white space', `${line} \t\r\nb`, true],
    ['after an arrow', `    12→${line}`, true],
    ['after a colon', `12:${line}`, true],
    ['after a colon and a space', `12: ${line}`, true],
    ['after a bar', `12 | ${line}`, true],
    ['after a tab, as in cat -n', `     7\t${line}`, true],
    ['as printed by a search', `src/bill.ts:12:${line}`, true],
    ['with text before it', `if (x) ${line}`, false],
    ['with text after it', `${line} // sum`, false],
    ['with another indentation', '\treturn total + tax', false],
    ['after a partial match', `${line} // sum\n${line}`, true],
  ])('%s', (_, text, expected) => expect(holds('edit-anchor', text, line)).toBe(expected))

  it('is not found if it is two lines, and the search ends', () => expect(holds('edit-anchor', 'a\n\nb\n\nb', '\nb')).toBe(false))

  it('is held where, and only where, one of the readings of a line is it', () => {
    const piece = fc.constantFrom('1', '12', ':', '→', '\t', '|', ' ', 'a', 'code()', 'x.ts', '-')
    const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
    let held = 0
    let refused = 0
    fc.assert(
      fc.property(text, text, fc.nat(8), (before, line, from) => {
        const whole = `${before}\n${line}`
        const needed = line.slice(from).trimEnd()
        const expected = needed !== '' && whole.split('\n').some((each) => readingsOf(each).includes(needed))
        if (needed !== '' && expected && !line.startsWith(needed)) held += 1
        if (needed !== '' && !expected) refused += 1
        expect(holds('edit-anchor', whole, needed)).toBe(expected)
      }),
      { numRuns: 6000 },
    )
    expect(held).toBeGreaterThan(20)
    expect(refused).toBeGreaterThan(20)
  })
})

describe('other strings', () => {
  it.each<[NeedClass, string, string, boolean]>([
    ['symbol', 'call parseLine(text)', 'parseLine', true],
    ['symbol', 'call parseLines(text)', 'parseLine', false],
    ['symbol', 'reparseLine parseLine_ parseLine', 'parseLine', true],
    ['symbol', '这是parseLine函数', 'parseLine', true],
    ['path', 'see src/a.ts.', 'src/a.ts', true],
    ['path', '/repo/src/a.ts:12:1', 'src/a.ts', true],
    ['path', 'lib-src/a.ts', 'src/a.ts', false],
    ['path', 'src/a.tsx and src/a.ts.bak', 'src/a.ts', false],
    ['path', 'src/a/b.ts', 'src/a', true],
    ['opaque-id', 'commit 9a3cc84', '9a3cc84', true],
    ['opaque-id', 'commit 9a3cc84f', '9a3cc84', false],
    ['opaque-id', 'port=80801', 'port=8080', false],
    ['error-line', 'x\n  TypeError: no map\ny', 'TypeError: no map', true],
    ['answer-fact', 'took 1234 requests in all', '1234 requests', true],
    ['symbol', 'anything', '', false],
  ])('%s: %j and %j', (kind, text, needed, expected) => expect(holds(kind, text, needed)).toBe(expected))
})
