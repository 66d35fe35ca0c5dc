import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldColumns, mayHaveColumns, unfoldColumns } from './fold-columns.ts'

const files = ['a.ts', 'b.ts', 'my notes  2.md', 'c.ts', 'd.ts']
const listed = files.map((file, index) => `-rw-r--r--  1 dev dev ${String(10 ** index).padStart(6)} Nov 18 02:51 ${file}`)

const cases: readonly (readonly [name: string, lines: readonly string[], folded: readonly string[] | null])[] = [
  [
    'owner and date of ls -l, with the blanks of its columns',
    ['total 340', ...listed, '', 'sub:'],
    [
      'total 340',
      '[each line: -rw-r--r--  1 dev dev {} Nov 18 02:51 {}]',
      '     1 a.ts',
      '    10 b.ts',
      '   100 my notes  2.md',
      '  1000 c.ts',
      ' 10000 d.ts',
      '',
      '',
      'sub:',
    ],
  ],
  [
    'lines that follow at once',
    [...listed, 'end of it'],
    [
      '[each line: -rw-r--r--  1 dev dev {} Nov 18 02:51 {}]',
      ...listed.map((line) => `${line.slice(22, 28)} ${line.slice(42)}`),
      '',
      'end of it',
    ],
  ],
  [
    'the rest of lines with more words',
    [
      'worker 1 ran unattended on node-a at 10:01',
      'worker 2 ran unattended on node-b at 10:02',
      'worker 3 ran unattended on node-c at 10:03 and again',
      'worker 4 ran unattended on node-d at 10:04',
    ],
    [
      '[each line: worker {} ran unattended on {} at {}]',
      '1 node-a 10:01',
      '2 node-b 10:02',
      '3 node-c 10:03 and again',
      '4 node-d 10:04',
    ],
  ],
  ['three lines only', listed.slice(0, 3), null],
  ['lines with an error', listed.map((line) => `${line} error: gone`), null],
  ['imports', files.map((file) => `from shop.cart.${file} import total and more`), null],
  ['code', files.map((_, index) => `const value${index} = await compute(${index})`), null],
  ['a table with bars', files.map((file, index) => `| ${file} | long and same | ${index} |`), null],
  ['words that all differ', files.map((file, index) => `${index} ${file} ${'x'.repeat(index)}y`), null],
  ['what looks folded already', ['[each line: a {}]', ...listed], null],
  ['lines with our own hole', files.map((file, index) => `{} dev dev Nov 18 02:51 ${index} ${file}`), null],
]

describe('foldColumns', () => {
  it.each(cases)('%s', (_, lines, folded) => {
    const text = lines.join('\n')
    expect(foldColumns(text)).toBe(folded === null ? null : folded.join('\n'))
    if (folded === null) return
    expect(unfoldColumns(folded.join('\n'))).toBe(text)
    expect(mayHaveColumns(text)).toBe(true)
  })

  it('whatever the lines are, unfolding gives them back', () => {
    const word = fc.constantFrom('dev', 'staff-and-others', '12', '4096', 'Nov', '02:51', 'x]', '')
    const gap = fc.constantFrom(' ', '  ', '     ')
    const end = fc.array(fc.tuple(gap, word), { maxLength: 3 }).map((cells) => cells.flat().join(''))
    const listing = fc
      .tuple(fc.constantFrom('', '  '), fc.array(end, { minLength: 4, maxLength: 9 }))
      .map(([indent, ends]) => ends.map((rest, index) => `${indent}drwx 2 dev staff ${index} Nov 18 02:51${rest}`))
    const other = fc.array(fc.constantFrom('', 'sub:', 'total 4', '{}', '[each line: {} 1]', ' a 1  b'), { maxLength: 3 })
    let folds = 0
    fc.assert(
      fc.property(fc.array(fc.oneof(listing, other), { maxLength: 5 }), (blocks) => {
        const text = blocks.flat().join('\n')
        const folded = foldColumns(text)
        if (folded === null) return
        folds += 1
        expect(unfoldColumns(folded)).toBe(text)
        expect(folded.length).toBeLessThan(text.length)
      }),
      { seed: 22, numRuns: 200 },
    )
    expect(folds).toBeGreaterThan(30)
  })
})
