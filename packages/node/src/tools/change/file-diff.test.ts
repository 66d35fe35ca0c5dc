import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffOf, rangesText } from './file-diff.ts'

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

describe('diffOf', () => {
  it('shows the changed lines with three around them', async () => {
    const before = lines(1, 20)
    expect(await diffOf('a.ts', before, before.replace('line 10\n', 'ten\nten and a half\n'))).toEqual({
      text: [
        ...[
          '--- a/a.ts',
          '+++ b/a.ts',
          '@@ -7,7 +7,8 @@',
          ' line 7',
          ' line 8',
          ' line 9',
          '-line 10',
          '+ten',
          '+ten and a half',
        ],
        ...[' line 11', ' line 12', ' line 13', ''],
      ].join('\n'),
      added: 2,
      removed: 1,
      ranges: [{ from: 10, to: 11 }],
      fragment: [
        ...['     7\tline 7', '     8\tline 8', '     9\tline 9', '    10\tten', '    11\tten and a half'],
        ...['    12\tline 11', '    13\tline 12', '    14\tline 13'],
      ].join('\n'),
    })
  })

  it('names a new file, and one without a last line end', async () => {
    const { text, ranges } = await diffOf('a.ts', null, 'x')
    expect(text).toBe('--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n')
    expect(ranges).toEqual([{ from: 1, to: 1 }])
  })

  it('places removed lines at the line that is there now', async () => {
    const { ranges, added, removed } = await diffOf('a.ts', lines(1, 9), lines(1, 4) + lines(6, 9))
    expect({ ranges, added, removed }).toEqual({ ranges: [{ from: 5, to: 5 }], added: 0, removed: 1 })
  })

  it('does not count how lines end', async () => {
    expect(await diffOf('a.ts', 'a\r\nb\r\n', 'a\nb\n')).toEqual({ text: '', added: 0, removed: 0, ranges: [], fragment: '' })
  })

  it('cuts a very long diff, with a note', async () => {
    const { text, fragment, added } = await diffOf('a.ts', lines(1, 3), lines(100, 20_000), 5)
    expect(added).toBe(19_901)
    expect(text.length).toBeLessThan(50_100)
    expect(text).toMatch(/\n\(the diff goes on: \d+ more characters\)\n$/)
    expect(fragment.split('\n')).toHaveLength(6)
    expect(fragment).toMatch(/\n\(and 19896 more lines\)$/)
  })

  it('takes too many differences for one', async () => {
    const before = lines(1, 9000)
    const after = before.replaceAll(/line (\d*[02468])\n/g, 'even $1\n')
    const { ranges, added, removed } = await diffOf('a.ts', before, after)
    expect({ ranges, added, removed }).toEqual({ ranges: [{ from: 2, to: 9000 }], added: 8999, removed: 8999 })
  })

  it('is a patch that makes the one text of the other', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', '-', '+', '@@ -1 +1 @@', '\\ x'), { maxLength: 30 })
      .chain((list) => fc.constantFrom(list.join('\n'), `${list.join('\n')}\n`))
    let several = 0
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const { text: patch, ranges } = await diffOf('a.ts', before, after)
        if (ranges.length > 1) several += 1
        expect(patch === '' ? before : applyPatch(before, patch)).toBe(after)
      }),
      { numRuns: 500 },
    )
    expect(several).toBeGreaterThan(20)
  })
})

describe('rangesText', () => {
  it.each([
    [[{ from: 4, to: 4 }], 'line 4'],
    [[{ from: 4, to: 6 }], 'lines 4-6'],
    [
      [
        { from: 4, to: 6 },
        { from: 9, to: 9 },
      ],
      'lines 4-6, 9',
    ],
    [
      Array.from({ length: 12 }, (_, index) => ({ from: index + 1, to: index + 1 })),
      'lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more places',
    ],
  ])('%j is %s', (ranges, words) => {
    expect(rangesText(ranges)).toBe(words)
  })
})
