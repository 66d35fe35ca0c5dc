import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelStrings as strings } from '../strings/specification.ts'
import { noticeAt } from './cut.ts'
import { type Limit, truncate } from './truncate.ts'

describe('lines kept of what is removed, whatever the text', () => {
  it('counts add up to the lines removed, and nothing is folded while there is room for it', () => {
    const reached = { folded: 0, distinct: 0, repeated: 0, long: 0, second: 0 }
    const lines = fc
      .tuple(
        fc.array(
          fc.oneof(
            { weight: 8, arbitrary: fc.lorem({ maxCount: 6 }) },
            fc.nat(400).map((n) => `FAILED case_${n} FAILED`),
          ),
          { minLength: 60, maxLength: 200 },
        ),
        fc.constantFrom(1, 1, 30),
      )
      // The same lines with other numbers, and a few of them once more.
      .map(([list, times]) =>
        Array.from({ length: times }, (_, round) =>
          list.map((row) => row.replace(/\d+/, (n) => `${Number(n) + (round >> 1)}`)),
        ).flat(),
      )
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 500, max: 3000 }),
        fc.double({ min: 0.5, max: 1, noNaN: true }),
        (list, maxChars, share) => {
          const given: Limit = { maxChars, maxLines: null, by: 'cap', strategy: 'head_tail', strings }
          const once = truncate(list.join('\n'), given)
          const tighter = { ...given, maxChars: Math.floor(maxChars * share) }
          const twice = truncate(once.text, tighter)
          for (const [result, limit] of [
            [once, given],
            [twice, tighter],
          ] as const) {
            const notice = noticeAt(result.text, result.text.indexOf('[shown '))?.notice
            // A second cut is true to the original only where the first says which that is.
            if (notice === undefined || result.limitedBy === null || notice.lines !== list.length) continue
            expect(result.charsAfter).toBeLessThanOrEqual(limit.maxChars)
            const [[, a], [b]] = notice.shown
            const removed = list.slice(a, b - 1).filter((row) => row.startsWith('FAILED'))
            const kept = [...result.text.matchAll(/^(\d+): (.*FAILED)(?: \(x(\d+)\))?$/gm)]
            for (const [, number, row] of kept) expect(list[Number(number) - 1]).toBe(row)
            expect(kept.reduce((sum, [, , , count]) => sum + Number(count ?? 1), 0)).toBe(removed.length)
            const distinct = new Set(removed).size
            if (result === once && limit.maxChars - result.charsAfter > 40) {
              expect(kept.length).toBe(distinct)
              reached.distinct += 1
            }
            if (kept.length < distinct) reached.folded += 1
            if (distinct < removed.length) reached.repeated += 1
            if (list.length > 2000) reached.long += 1
            if (result === twice) reached.second += 1
          }
        },
      ),
      { numRuns: 300, seed: 13 },
    )
    for (const [kind, times] of Object.entries(reached)) expect(times, kind).toBeGreaterThan(20)
  })
})
