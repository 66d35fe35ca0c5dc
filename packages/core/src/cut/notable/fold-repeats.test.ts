import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldRepeats } from './fold-repeats.ts'

const times = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index))

describe('foldRepeats', () => {
  it.each<[what: string, make: (index: number) => string]>([
    ['equal lines', () => 'waiting for the database'],
    ['percentages', (index) => `downloading ${index} %`],
    ['bars', (index) => `[${'#'.repeat(index + 3)}${' '.repeat(60 - index)}] ${index}%`],
    ['sizes and speeds', (index) => `received ${index}.4 MiB at ${index + 3} kB/s`],
    ['counters', (index) => `step (${index}/50)`],
    ['times', (index) => `2026-11-16T18:00:${10 + index}.120Z waiting for the database, ${index} ms`],
    ['colours', (index) => `\x1b[${31 + (index % 3)}mwaiting\x1b[0m for it`],
  ])('folds %s', (_, make) => {
    const lines = times(40, make)
    expect(foldRepeats(['start', ...lines, 'end'].join('\n'))?.text).toBe(
      ['start', lines[0], '... 38 more lines like it ...', lines[39], 'end'].join('\n'),
    )
  })

  it.each<[what: string, lines: readonly string[]]>([
    ['numbers that name something', times(40, (index) => `compiled module ${index}`)],
    ['a table of numbers', times(40, (index) => `${index}  ${index * 7}  ${index % 3}`)],
    ['three lines', ['a long line of text', 'a long line of text', 'a long line of text']],
    ['lines that do not follow each other', times(40, (index) => (index % 2 === 0 ? 'a' : 'b'))],
    ['empty lines', times(40, () => '')],
  ])('leaves %s', (_, lines) => {
    expect(foldRepeats(lines.join('\n'))).toBeNull()
  })

  it('keeps every line that is not folded, in order, and counts the others, whatever the text', () => {
    const line = fc.constantFrom('waiting', 'done 1 %', 'done 99 %', 'module 7', 'module 8', '')
    let folds = 0
    fc.assert(
      fc.property(fc.array(fc.tuple(line, fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 12 }), (runs) => {
        const lines = runs.flatMap(([one, count]) => times(count, () => one))
        const folded = foldRepeats(lines.join('\n'))
        if (folded === null) return
        folds += 1
        const counts = folded.text
          .split('\n')
          .map((one) => Number(/^\.\.\. (\d+) more lines like it \.\.\.$/.exec(one)?.[1] ?? 1))
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(lines.length)
        expect(folded.text.length).toBeLessThan(lines.join('\n').length)
      }),
      { seed: 5, numRuns: 60 },
    )
    expect(folds).toBeGreaterThan(10)
  })
})
