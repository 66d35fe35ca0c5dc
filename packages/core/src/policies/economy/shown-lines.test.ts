import { describe, expect, it } from 'vitest'
import { type Copy, createShownLines, type RepeatedRun, type RepeatLimits } from './result-repeats.ts'

const limits = { lines: 3, characters: 12 }
/** Lines of four characters: `a` is `aaaa`. */
const lines = (text: string): readonly string[] => [...text].map((letter) => letter.repeat(4))

/** The repeats in the last text as `from+count of source:from`, with the number of source lines if they are fewer. */
function repeated(texts: readonly (readonly string[])[]): readonly string[] {
  const shown = createShownLines(limits)
  return texts
    .map((text) => shown.add(text))
    .at(-1)
    ?.map(({ from, count, source, sourceFrom, sourceCount }: RepeatedRun) => {
      const fewer = sourceCount === count ? '' : `+${sourceCount}`
      return `${from}+${count} of ${source}:${sourceFrom}${fewer}`
    }) as readonly string[]
}

describe('createShownLines', () => {
  it.each<[name: string, texts: readonly string[], expected: readonly string[]]>([
    ['finds nothing in a single text', ['abcd'], []],
    ['finds a complete text', ['abcd', 'abcd'], ['0+4 of 0:0']],
    ['finds a run in the middle', ['abcde', 'xbcdy'], ['1+3 of 0:1']],
    ['finds two runs', ['abcdefg', 'abcxefg'], ['0+3 of 0:0', '4+3 of 0:4']],
    ['ignores runs that are too short', ['abcd', 'abx'], []],
    ['prefers the longest of several sources', ['abxy', 'abcd', 'abcd'], ['0+4 of 1:0']],
    ['finds lines shown earlier in the same text', ['abcxabc'], ['4+3 of 0:0']],
    ['finds one line repeated many times', ['aaaaaaa'], ['1+6 of 0:0+1']],
    ['finds several lines repeated many times', ['abcabcabca'], ['3+7 of 0:0+3']],
    ['finds several lines repeated many times after others', ['xyabcabcabca'], ['5+7 of 0:2+3']],
    ['prefers an earlier source if a later one continues differently', ['axyz', 'abcd', 'axyz'], ['0+4 of 0:0']],
  ])('%s', (_name, texts, expected) => {
    expect(repeated(texts.map(lines))).toEqual(expected)
  })

  it('refers to the place that shows the lines, never to another reference', () => {
    // The second text shows only x and y and refers to the first for the rest.
    expect(repeated(['abcdef', 'xabcdefy', 'xabcdefy'].map(lines))).toEqual(['1+6 of 0:0'])
    // The second half refers to the first half, so nothing can refer to the second half.
    expect(repeated(['abcxabcy', 'cxabcy'].map(lines))).toEqual(['2+3 of 0:0'])
  })

  it('can refer to any line of a text that is shown in full', () => {
    const shown = createShownLines(limits)
    shown.add(lines('abc'))
    shown.addWhole(lines('xabcy'))
    expect(shown.add(lines('xabcy'))).toEqual([{ from: 0, count: 5, source: 1, sourceFrom: 0, sourceCount: 5, copies: [] }])
  })

  it('lists other texts that omit the same lines, latest first', () => {
    const shown = createShownLines(limits)
    for (const text of ['abcdef', 'xabcdef', 'abc', 'yzabcdew']) shown.add(lines(text))
    expect(shown.add(lines('bcde'))).toEqual([
      { from: 0, count: 4, source: 0, sourceFrom: 1, sourceCount: 4, copies: [{ source: 3, sourceFrom: 3 }, { source: 1, sourceFrom: 2 }] }, // biome-ignore format: one run
    ])
  })

  it.each<[name: string, texts: readonly string[], last: string, copies: readonly Copy[]]>([
    ['from its first omitted line', ['abcdef', 'xcdefy'], 'cdef', [{ source: 1, sourceFrom: 1 }]],
    ['from a later omitted line', ['abcdef', 'xcdefy'], 'def', [{ source: 1, sourceFrom: 2 }]],
    ['up to a line before its last omitted one', ['abcdef', 'xcdefy'], 'cde', [{ source: 1, sourceFrom: 1 }]],
    ['not from a line before its first omitted one', ['abcdef', 'xcdefy'], 'bcdef', []],
    ['not up to a line after its last omitted one', ['abcdef', 'xabcdy'], 'abcde', []],
    ['not if it omits lines that it shows itself', ['abcxabc'], 'abc', []],
  ])('lists another text that omits the lines: %s', (_name, texts, last, copies) => {
    const shown = createShownLines(limits)
    for (const text of texts) shown.add(lines(text))
    expect(shown.add(lines(last)).map((run) => run.copies)).toEqual([copies])
  })

  it('lists the latest sixteen such texts', () => {
    const shown = createShownLines(limits)
    for (let count = 0; count < 20; count += 1) shown.add(lines('abc'))
    const latest = Array.from({ length: 16 }, (_, index) => ({ source: 19 - index, sourceFrom: 0 }))
    expect(shown.add(lines('abc')).map((run) => run.copies)).toEqual([latest])
  })

  it.each<[name: string, limits: RepeatLimits, runs: number]>([
    ['enough of both', { lines: 4, characters: 16 }, 1],
    ['too few lines', { lines: 5, characters: 16 }, 0],
    ['too few characters', { lines: 4, characters: 17 }, 0],
  ])('requires a number of lines and characters: %s', (_name, given, runs) => {
    const shown = createShownLines(given)
    shown.add(lines('abcd'))
    expect(shown.add(lines('abcd'))).toHaveLength(runs)
  })

  it('continues a run through short lines, but never starts with one', () => {
    const text = ['', '}', 'aaaaaa', '', '}', 'bbbbbb']
    expect(repeated([text, text])).toEqual(['2+4 of 0:2'])
    const blank = ['      ', ...lines('abc')]
    expect(repeated([blank, blank])).toEqual(['1+3 of 0:1'])
  })

  it('ignores line numbers, but not the columns of a table', () => {
    const numbered = (from: number) => lines('abcd').map((line, index) => `${from + index}→${line}`)
    expect(repeated([numbered(1), numbered(98)])).toEqual(['0+4 of 0:0'])
    expect(repeated([numbered(1), lines('abcd')])).toEqual(['0+4 of 0:0'])
    const table = (columns: readonly number[]) => columns.map((column, index) => `${column}\tsrc/module${index}.ts`)
    expect(repeated([table([5, 5, 9]), table([6, 6, 8])])).toEqual([])
  })

  it('remembers the latest few places of a line', () => {
    // The line a appears in six texts, each time followed by other lines.
    const texts = ['axyz', 'abcd', 'aefg', 'ahij', 'aklm', 'axyz']
    expect(repeated(texts.map(lines))).toEqual(['1+3 of 0:1'])
  })
})
