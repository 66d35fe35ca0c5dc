import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { languageFor } from '../parts/language.tsx'
import { dayLines, dayName } from './days.ts'

describe('dayName', () => {
  const now = at('2026-03-10T10:00')
  it.each([
    ['en', 0, '2026-03-10T09:00', 'Today'],
    ['en', 1, '2026-03-09T09:00', 'Yesterday'],
    ['en', 5, '2026-03-05T09:00', 'Thu, March 5'],
    ['en', 100, '2025-11-30T09:00', 'November 30, 2025'],
    ['zh', 1, '2026-03-09T09:00', '昨天'],
    ['zh', 5, '2026-03-05T09:00', '3月5日周四'],
    ['zh', 100, '2025-11-30T09:00', '2025年11月30日'],
  ])('%s, %i days ago', (locale, ago, text, words) => {
    expect(dayName({ ago, at: at(text) }, languageFor(locale), now)).toBe(words)
  })
})

const at = (text: string) => new Date(text).getTime()

describe('dayLines', () => {
  it('names every day once, above its rows', () => {
    const rows = ['2026-03-10T09:00', '2026-03-10T00:00', '2026-03-09T23:59', '2026-03-01T12:00'].map((text) => ({
      last: at(text),
    }))
    expect(dayLines(rows, at('2026-03-10T10:00'))).toStrictEqual([
      { kind: 'day', day: { ago: 0, at: rows[0]?.last } },
      { kind: 'row', row: rows[0], number: 0 },
      { kind: 'row', row: rows[1], number: 1 },
      { kind: 'day', day: { ago: 1, at: rows[2]?.last } },
      { kind: 'row', row: rows[2], number: 2 },
      { kind: 'day', day: { ago: 9, at: rows[3]?.last } },
      { kind: 'row', row: rows[3], number: 3 },
    ])
  })

  it('counts times from a clock that is ahead as today', () => {
    expect(dayLines([{ last: at('2026-03-12T10:00') }], at('2026-03-10T10:00'))[0]).toStrictEqual({
      kind: 'day',
      day: { ago: 0, at: at('2026-03-12T10:00') },
    })
  })

  it('has all rows in their order, and no day twice', () => {
    const now = at('2026-03-10T10:00')
    let days = 0
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 * 86_400_000 })), (ages) => {
        const rows = ages.toSorted((one, other) => one - other).map((age) => ({ last: now - age }))
        const lines = dayLines(rows, now)
        expect(lines.flatMap((line) => (line.kind === 'row' ? [line.row] : []))).toStrictEqual(rows)
        const named = lines.flatMap((line) => (line.kind === 'day' ? [line.day.ago] : []))
        expect(new Set(named).size).toBe(named.length)
        days += named.length
      }),
    )
    expect(days).toBeGreaterThan(100)
  })
})
