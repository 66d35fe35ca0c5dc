import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainMismatch } from './explain-mismatch.ts'

const file = [
  'import a',
  '',
  'function run() {',
  '\tconst value = compute(1)',
  '\treturn value // done',
  '}',
  'say(“hi”)',
  '',
].join('\n')

describe('explainMismatch', () => {
  it.each([
    [
      'other indentation',
      '    const value = compute(1)\n    return value',
      'old_string differs only in indentation (1 tab in the file, 4 spaces in old_string) at line 4. Copy it exactly:\n' +
        '     4\t\tconst value = compute(1)\n     5\t\treturn value // done',
    ],
    [
      'blanks at the end',
      'function run() {  \n\tconst value',
      'old_string differs only in blanks at the end of the line at line 3. Copy it exactly:\n' +
        '     3\tfunction run() {\n     4\t\tconst value = compute(1)',
    ],
    [
      'blanks within a line',
      'const value=compute(1)',
      'old_string differs only in blanks at line 4. Copy it exactly:\n     4\t\tconst value = compute(1)',
    ],
    [
      'a line break too few',
      'function run() { const value = compute(1)',
      'old_string differs only in blanks or line breaks from lines 3-4. Copy them exactly:\n' +
        '     3\tfunction run() {\n     4\t\tconst value = compute(1)',
    ],
    [
      'line numbers',
      '     4\t\tconst value = compute(1)\n     5\t\treturn value // done',
      'old_string holds the line numbers that Read shows; without them it is there. Leave them out.',
    ],
    ['line numbers of another file', '     4\tnothing\n', 'old_string holds the line numbers that Read shows. Leave them out.'],
    [
      'plain quotation marks',
      'say("hi")',
      'old_string differs only in quotation marks or dashes from lines 7-7. Copy them exactly:\n     7\tsay(“hi”)',
    ],
    [
      'escapes',
      'function run() {\\n\\tconst value',
      'old_string has a backslash too many: without the escapes (such as \\n for a new line) it is there.',
    ],
    [
      'one line of several',
      'function run() {\n\tconst value = compute(2)\n\treturn value // done',
      'old_string is not in the file. It comes nearest at line 3 and differs at line 4:\n' +
        '     3\tfunction run() {\n     4\t\tconst value = compute(1)\n     5\t\treturn value // done',
    ],
    [
      'a similar line',
      'const value = compute(2, 3)',
      'old_string is not in the file. Similar lines:\n     4\t\tconst value = compute(1)',
    ],
    ['nothing alike', 'zebra', 'old_string is not in the file. No line of it is similar. Read the file again.'],
  ])('%s', (_story, wanted, words) => {
    expect(explainMismatch(file, wanted)).toBe(words)
  })

  it('says that a file is empty', () => {
    expect(explainMismatch('', 'a')).toBe('old_string is not there: the file is empty')
  })

  it('has something to say about any two texts', () => {
    const reached = new Map<string, number>()
    const piece = fc.constantFrom('a', 'b ', '\n', '\t', '1\t', ' ', '“', '"', '\\n', 'word', '\ud800', '\u3000')
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, text, (held, wanted) => {
        fc.pre(wanted !== '' && !held.includes(wanted))
        const words = explainMismatch(held, wanted)
        const kind = words.slice(0, 30)
        reached.set(kind, (reached.get(kind) ?? 0) + 1)
        expect(words.length).toBeLessThan(5000)
      }),
      { numRuns: 2000 },
    )
    expect(reached.size).toBeGreaterThan(3)
  })

  it('is brief about lines of any length and number', () => {
    const long = `${'word '.repeat(100_000)}\n`.repeat(3)
    expect(explainMismatch(long, 'word other').length).toBeLessThan(2000)
    expect(explainMismatch('a line\n'.repeat(100_000), `${'a line \n'.repeat(500)}no`).length).toBeLessThan(8000)
  })
})
