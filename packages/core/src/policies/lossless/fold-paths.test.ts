import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldPaths, mayListPaths, unfoldPaths } from './fold-paths.ts'

const cases: readonly (readonly [name: string, text: string, folded: string | null])[] = [
  [
    'counts of one folder',
    'src/cart/add.ts:3\nsrc/cart/drop.ts:0\nsrc/cart/sum.ts:1',
    'src/cart:\nadd.ts:3\ndrop.ts:0\nsum.ts:1',
  ],
  [
    'folders below a common one',
    'packages/core/src/a.ts:1\npackages/core/src/cut/b.ts:2\npackages/core/src/cut/c.ts:3',
    'packages/core/src:\na.ts:1\ncut/b.ts:2\ncut/c.ts:3',
  ],
  [
    'folders with nothing in common',
    'bench/records/a.mjs:1\nbench/records/b.mjs:1\nbench/records/c.mjs:1\ndocs/policies/a.md:1\ndocs/policies/b.md:1\ndocs/policies/c.md:1',
    'bench/records:\na.mjs:1\nb.mjs:1\nc.mjs:1\n\ndocs/policies:\na.md:1\nb.md:1\nc.md:1',
  ],
  [
    'other lines around them',
    'found 3:\nsrc/cart/add.ts:1\nsrc/cart/drop.ts:2\nsrc/cart/sum.ts:3\n\ndone\n',
    'found 3:\n\nsrc/cart:\nadd.ts:1\ndrop.ts:2\nsum.ts:3\n\n\ndone\n',
  ],
  [
    'counts of wc',
    '   12 src/cart/add.ts\n  140 src/cart/drop.ts\n    3 src/cart/sum.ts\n  155 total',
    'src/cart:\n   12 add.ts\n  140 drop.ts\n    3 sum.ts\n\n  155 total',
  ],
  [
    'letters of git',
    'M\tsrc/cart/add.ts\nA\tsrc/cart/drop.ts\nD\tsrc/cart/sum.ts',
    'src/cart:\nM\tadd.ts\nA\tdrop.ts\nD\tsum.ts',
  ],
  [
    'bars of git',
    ' src/cart/add.ts  | 12 ++--\n src/cart/drop.ts |  1 +\n src/cart/sum.ts  |  3 +--',
    'src/cart:\n add.ts  | 12 ++--\n drop.ts |  1 +\n sum.ts  |  3 +--',
  ],
  ['sizes of folders', '4\t/srv/shop/a/\n8\t/srv/shop/b/\n4\t/srv/shop/c/', '/srv/shop:\n4\ta/\n8\tb/\n4\tc/'],
  ['paths alone, which are opened as they are written', 'src/cart/add.ts\nsrc/cart/drop.ts\nsrc/cart/sum.ts', null],
  ['two paths only', 'src/cart/add.ts:1\nsrc/cart/drop.ts:2', null],
  ['diagnostics', 'src/cart/a.ts(1,2): error\nsrc/cart/b.ts(1,2): error\nsrc/cart/c.ts(1,2): error', null],
  ['prose', 'one and/or two\nthis and/or that\nhere and/or there', null],
  ['addresses', 'https://a.org/x\nhttps://a.org/y\nhttps://a.org/z', null],
  ['what looks folded already', 'src/cart:\nadd.ts:1\n\nsrc/cart/add.ts:1\nsrc/cart/drop.ts:2\nsrc/cart/sum.ts:3', null],
]

describe('foldPaths', () => {
  it.each(cases)('%s', (_, text, folded) => {
    expect(foldPaths(text)).toBe(folded)
    if (folded === null) return
    expect(unfoldPaths(folded)).toBe(text)
    expect(mayListPaths(text)).toBe(true)
  })

  it('folds what a search found only if it is asked to', () => {
    const text = 'src/cart/add.ts:3:sum(a: b)\nsrc/cart/drop.ts:10:\nsrc/cart/x/sum.ts:1:see src/cart/add.ts'
    const folded = 'src/cart:\nadd.ts:3:sum(a: b)\ndrop.ts:10:\nx/sum.ts:1:see src/cart/add.ts'
    expect([foldPaths(text), foldPaths(text, 'matches')]).toEqual([null, folded])
    expect(unfoldPaths(folded)).toBe(text)
  })

  it('whatever the lines are, unfolding gives them back', () => {
    const line = fc.constantFrom(
      ...[
        'src/cart/add.ts',
        'src/cart/drop.ts',
        'src/cart/x/sum.ts',
        'src/cart/',
        './a/b',
        '/srv/shop/a',
        'a//b',
        'src/cart:',
        'add.ts',
        '',
      ],
      ...[
        ' 12 src/cart/add.ts',
        'M\tsrc/cart/add.ts',
        '?? src/cart/a',
        ' src/cart/a | 3 +',
        'src/cart/a:3',
        'src/cart/ 3 x',
        'src/cart/M\tx',
        'src/cart/a:3:x',
        'src/cart/a:3:',
        '/',
      ],
    )
    let folded = 0
    fc.assert(
      fc.property(fc.array(line, { maxLength: 9 }), (lines) => {
        const text = lines.join('\n')
        const short = foldPaths(text, 'matches')
        if (short === null) return
        folded += 1
        expect(unfoldPaths(short)).toBe(text)
        expect(short.length).toBeLessThan(text.length)
      }),
      { numRuns: 3000, seed: 11 },
    )
    expect(folded).toBeGreaterThan(30)
  })

  it('reads long lists and lines in linear time', () => {
    expect(
      foldPaths(Array.from({ length: 9000 }, (_, index) => `${'d/'.repeat(index % 9)}a/b/c:1`).join('\n'))?.length,
    ).toBeGreaterThan(0)
    expect(foldPaths(`${'a/'.repeat(90_000)} x`)).toBeNull()
    expect(foldPaths(`${'a/'.repeat(400)} x\n`.repeat(200))).toBeNull()
    expect(mayListPaths('a'.repeat(190_000))).toBe(false)
    expect(mayListPaths(`/${' '.repeat(190_000)}`)).toBe(false)
  })
})
