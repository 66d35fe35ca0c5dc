import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, foldSame, sideBySide } from './diff-lines.ts'

describe('diffLines', () => {
  it('numbers the lines of both texts', () => {
    expect(diffLines('one\ntwo\nthree', 'one\n2\nthree\nfour')).toEqual({
      isFine: true,
      rows: [
        { kind: 'same', before: 1, after: 1, text: 'one' },
        { kind: 'removed', before: 2, after: null, text: 'two' },
        { kind: 'added', before: null, after: 2, text: '2' },
        { kind: 'same', before: 3, after: 3, text: 'three' },
        { kind: 'added', before: null, after: 4, text: 'four' },
      ],
    })
  })

  it('gives both texts back, whatever they are', () => {
    const reached = { same: 0, removed: 0, added: 0 }
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'a\r'), { maxLength: 30 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { rows } = diffLines(before, after)
        const side = (not: string) =>
          rows
            .filter(({ kind }) => kind !== not)
            .map((row) => row.text)
            .join('\n')
        expect([side('added'), side('removed')]).toEqual([before, after])
        for (const { kind } of rows) reached[kind] += 1
      }),
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(50)
  })

  it('reports texts that are too large to compare line by line', () => {
    const lines = (mark: string) => Array.from({ length: 30_000 }, (_, index) => `${mark}${index}`).join('\n')
    const { rows, isFine } = diffLines(`same\n${lines('a')}`, `same\n${lines('b')}`)
    expect([isFine, rows.length, rows[0]?.kind, rows[1]?.kind, rows.at(-1)?.kind]).toEqual([
      false,
      60_001,
      'same',
      'removed',
      'added',
    ])
  })
})

describe('sideBySide', () => {
  it('puts an added line next to the removed line it replaces', () => {
    const { rows } = diffLines('x\na\nb\ny', 'x\n1\ny')
    expect(sideBySide(rows).map(([before, after]) => [before?.text ?? null, after?.text ?? null])).toEqual([
      ['x', 'x'],
      ['a', '1'],
      ['b', null],
      ['y', 'y'],
    ])
  })
})

describe('foldSame', () => {
  const folded = (text: string, context: number) =>
    foldSame([...text], (item) => item === '.', context).map(({ isFolded, items }) =>
      isFolded ? `(${items.length})` : items.join(''),
    )

  it.each([
    ['....x....', 1, ['(3)', '.x.', '(3)']],
    ['x....y', 1, ['x.', '(2)', '.y']],
    ['x...y', 1, ['x...y']],
    ['......', 2, ['(6)']],
    ['', 2, []],
  ])('%s with %i around', (text, context, expected) => expect(folded(text, context)).toEqual(expected))

  it('leaves nothing out', () => {
    let folds = 0
    fc.assert(
      fc.property(fc.array(fc.constantFrom('.', '.', '.', '.', 'x')), fc.nat(3), (items, context) => {
        const stretches = foldSame(items, (item) => item === '.', context)
        expect(stretches.flatMap((stretch) => stretch.items)).toEqual(items)
        folds += stretches.filter(({ isFolded }) => isFolded).length
      }),
    )
    expect(folds).toBeGreaterThan(20)
  })
})
