import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyReplacements, type Replacement } from './editing-tools.ts'

const one = (old_string: string, new_string: string, replace_all?: boolean): Replacement => ({
  old_string,
  new_string,
  ...(replace_all === undefined ? {} : { replace_all }),
})

describe('applyReplacements', () => {
  it.each<[story: string, text: string, replacements: readonly Replacement[], result: string, count: number]>([
    ['one place', 'a\nb\nc\n', [one('b', 'B')], 'a\nB\nc\n', 1],
    ['every place', 'x x x', [one('x', 'yy', true)], 'yy yy yy', 3],
    ['nothing in place of a text', 'a\nb\nc\n', [one('b\n', '')], 'a\nc\n', 1],
    ['signs that mean something elsewhere', 'cost', [one('cost', "$& $1 $' $$")], "$& $1 $' $$", 1],
    ['one after the other', 'a', [one('a', 'b'), one('b', 'c')], 'c', 2],
    ['lines that end in CRLF', 'a\r\nb\r\nc\r\n', [one('a\nb', 'x\ny\nz')], 'x\r\ny\r\nz\r\nc\r\n', 1],
    ['CRLF asked for, CRLF there', 'a\r\nb\r\n', [one('a\r\nb', 'c\r\nd')], 'c\r\nd\r\n', 1],
    ['CRLF asked for, LF there', 'a\nb\n', [one('a\r\nb', 'c\r\nd')], 'c\nd\n', 1],
    ['other lines of a mixed file stay', 'a\r\nb\nc\r\nd\r\n', [one('b', 'B\nBB')], 'a\r\nB\r\nBB\nc\r\nd\r\n', 1],
    ['a line break in front of CRLF', 'a\r\nb', [one('\nb', '\nc')], 'a\r\nc', 1],
    ['no line end at the end', 'a\nb', [one('b', 'c')], 'a\nc', 1],
    ['an astral character', 'a😀b', [one('😀', '😁')], 'a😁b', 1],
  ])('%s', (_story, text, replacements, result, count) => {
    expect(applyReplacements(text, replacements)).toEqual({ text: result, count })
  })

  it.each<[story: string, text: string, replacements: readonly Replacement[], problem: RegExp]>([
    ['several places', 'x\ny\nx\nx\n', [one('x', 'z')], /^old_string is there 3 times, at lines 1, 3, 4\. Add lines/],
    ['places that overlap', 'aaa', [one('aa', 'b')], /there 2 times, at lines 1, 1/],
    ['many places', 'x\n'.repeat(40), [one('x', 'z')], /there 40 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 30 more/],
    ['the same text', 'x', [one('x', 'x')], /are the same, so nothing would change/],
    ['only other line ends', 'x\r\n', [one('x\r\n', 'x\n')], /differ only in how lines end/],
    ['nothing to look for', 'x', [one('', 'y')], /^old_string is empty/],
    ['half a character', 'x', [one('x', '\ud83d')], /half a character/],
    [
      'the second of three',
      'a',
      [one('a', 'b'), one('a', 'c'), one('b', 'd')],
      /^edit 2 of 3: old_string is not in the file[^]*None of/,
    ],
    ['edits that undo each other', 'a', [one('a', 'b'), one('b', 'a')], /undo each other/],
    ['what would grow without end', 'x'.repeat(100_000), [one('x', 'y'.repeat(1000), true)], /too big/],
  ])('refuses %s', (_story, text, replacements, problem) => {
    const done = applyReplacements(text, replacements)
    expect('problem' in done ? done.problem : done).toMatch(problem)
  })

  it('changes exactly the place and no byte beside it, whatever ends the lines', () => {
    const lines = fc.array(fc.tuple(fc.constantFrom('a', 'b', '', '\tc', '$&'), fc.constantFrom('\n', '\r\n')), { maxLength: 12 })
    let [found, mixed] = [0, 0]
    fc.assert(
      fc.property(lines, lines, fc.constantFrom('\n', '\r\n'), (before, after, ending) => {
        const head = before.map((pair) => pair.join('')).join('')
        const tail = after.map((pair) => pair.join('')).join('')
        const text = `${head}needle${ending}thread${tail}`
        const done = applyReplacements(text, [one('needle\nthread', 'needle')])
        if (head.includes('\r\n') && /[^\r]\n/.test(head)) mixed += 1
        found += 1
        expect(done).toEqual({ text: `${head}needle${tail}`, count: 1 })
      }),
    )
    expect(Math.min(found, mixed)).toBeGreaterThan(5)
  })
})
