import { describe, expect, it } from 'vitest'
import { type Copy, createShownLines, type RepeatedRun, type RepeatLimits } from './result-repeats.ts'

const limits = { lines: 3, characters: 12 }
/** Lines of four characters: `a` is `aaaa`. */
const lines = (text: string): readonly string[] => [...text].map((letter) => letter.repeat(4))

/** What the last of some texts repeats: `from+count of source:from`, and how many lines are meant there where they are fewer. */
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

describe('lines that were shown', () => {
  it.each<[name: string, texts: readonly string[], expected: readonly string[]]>([
    ['nothing is repeated of one text', ['abcd'], []],
    ['a whole text', ['abcd', 'abcd'], ['0+4 of 0:0']],
    ['a run in the middle', ['abcde', 'xbcdy'], ['1+3 of 0:1']],
    ['two runs', ['abcdefg', 'abcxefg'], ['0+3 of 0:0', '4+3 of 0:4']],
    ['fewer lines than it takes', ['abcd', 'abx'], []],
    ['the longest of several', ['abxy', 'abcd', 'abcd'], ['0+4 of 1:0']],
    ['what the text itself shows further up', ['abcxabc'], ['4+3 of 0:0']],
    ['one line over and over', ['aaaaaaa'], ['1+6 of 0:0+1']],
    ['several over and over', ['abcabcabca'], ['3+7 of 0:0+3']],
    ['several over and over behind others', ['xyabcabcabca'], ['5+7 of 0:2+3']],
    ['an earlier place, where a later one goes on otherwise', ['axyz', 'abcd', 'axyz'], ['0+4 of 0:0']],
  ])('%s', (_name, texts, expected) => {
    expect(repeated(texts.map(lines))).toEqual(expected)
  })

  it('never refers to a place that only refers on, but to where the lines are shown', () => {
    // The second text shows x and y alone and names the first for the rest.
    expect(repeated(['abcdef', 'xabcdefy', 'xabcdefy'].map(lines))).toEqual(['1+6 of 0:0'])
    // The second half of a text that shows its own first half is not there to be named either.
    expect(repeated(['abcxabcy', 'cxabcy'].map(lines))).toEqual(['2+3 of 0:0'])
  })

  it('can refer to any line of a text that is shown in full', () => {
    const shown = createShownLines(limits)
    shown.add(lines('abc'))
    shown.addWhole(lines('xabcy'))
    expect(shown.add(lines('xabcy'))).toEqual([{ from: 0, count: 5, source: 1, sourceFrom: 0, sourceCount: 5, copies: [] }])
  })

  it('names the other texts that leave the same lines out, latest first', () => {
    const shown = createShownLines(limits)
    for (const text of ['abcdef', 'xabcdef', 'abc', 'yzabcdew']) shown.add(lines(text))
    expect(shown.add(lines('bcde'))).toEqual([
      { from: 0, count: 4, source: 0, sourceFrom: 1, sourceCount: 4, copies: [{ source: 3, sourceFrom: 3 }, { source: 1, sourceFrom: 2 }] }, // biome-ignore format: one run
    ])
  })

  it.each<[name: string, texts: readonly string[], last: string, copies: readonly Copy[]]>([
    ['from their first line', ['abcdef', 'xcdefy'], 'cdef', [{ source: 1, sourceFrom: 1 }]],
    ['from a later line', ['abcdef', 'xcdefy'], 'def', [{ source: 1, sourceFrom: 2 }]],
    ['to a line before their last', ['abcdef', 'xcdefy'], 'cde', [{ source: 1, sourceFrom: 1 }]],
    ['not from a line before', ['abcdef', 'xcdefy'], 'bcdef', []],
    ['not to a line behind', ['abcdef', 'xabcdy'], 'abcde', []],
    ['not a text that leaves out what it shows itself', ['abcxabc'], 'abc', []],
  ])('another text that leaves lines out is named for those: %s', (_name, texts, last, copies) => {
    const shown = createShownLines(limits)
    for (const text of texts) shown.add(lines(text))
    expect(shown.add(lines(last)).map((run) => run.copies)).toEqual([copies])
  })

  it('the latest sixteen of them are named', () => {
    const shown = createShownLines(limits)
    for (let count = 0; count < 20; count += 1) shown.add(lines('abc'))
    const latest = Array.from({ length: 16 }, (_, index) => ({ source: 19 - index, sourceFrom: 0 }))
    expect(shown.add(lines('abc')).map((run) => run.copies)).toEqual([latest])
  })

  it.each<[name: string, limits: RepeatLimits, runs: number]>([
    ['enough of both', { lines: 4, characters: 16 }, 1],
    ['too few lines', { lines: 5, characters: 16 }, 0],
    ['too few characters', { lines: 4, characters: 17 }, 0],
  ])('a run has lines and characters: %s', (_name, given, runs) => {
    const shown = createShownLines(given)
    shown.add(lines('abcd'))
    expect(shown.add(lines('abcd'))).toHaveLength(runs)
  })

  it('a run may go through short lines and not begin with one', () => {
    const text = ['', '}', 'aaaaaa', '', '}', 'bbbbbb']
    expect(repeated([text, text])).toEqual(['2+4 of 0:2'])
    const blank = ['      ', ...lines('abc')]
    expect(repeated([blank, blank])).toEqual(['1+3 of 0:1'])
  })

  it('numbers before the lines play no part, those of a table do', () => {
    const numbered = (from: number) => lines('abcd').map((line, index) => `${from + index}→${line}`)
    expect(repeated([numbered(1), numbered(98)])).toEqual(['0+4 of 0:0'])
    expect(repeated([numbered(1), lines('abcd')])).toEqual(['0+4 of 0:0'])
    const table = (columns: readonly number[]) => columns.map((column, index) => `${column}\tsrc/module${index}.ts`)
    expect(repeated([table([5, 5, 9]), table([6, 6, 8])])).toEqual([])
  })

  it('a few places of a line are remembered, the latest', () => {
    // The line a stands in six texts, each time with others behind it.
    const texts = ['axyz', 'abcd', 'aefg', 'ahij', 'aklm', 'axyz']
    expect(repeated(texts.map(lines))).toEqual(['1+3 of 0:1'])
  })
})
