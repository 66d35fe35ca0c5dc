import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text.ts'
import { type Category, shareCells, windowSection } from './window-section.ts'

describe('shareCells', () => {
  it.each([
    [{ a: 50, b: 50 }, 'aaaaabbbbb'],
    [{ a: 1, b: 999 }, 'abbbbbbbbb'],
    [{ a: 0, b: 10 }, 'bbbbbbbbbb'],
    [{ a: 33, b: 33, c: 34 }, 'aaabbbcccc'],
    [{ a: 0 }, ''],
    [{}, ''],
  ])('%j', (amounts, cells) => {
    const shares = Object.entries(amounts).map(([symbol, tokens]) => ({ symbol, tokens: tokens ?? 0 }))
    expect(shareCells(shares, 10).join('')).toBe(cells)
  })

  it('fills the grid exactly, in order, and shows whatever is there at all', () => {
    let tiny = 0
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.nat(1_000_000)), { minLength: 1, maxLength: 14 }),
        (amounts) => {
          fc.pre(amounts.some((amount) => amount > 0))
          const whole = amounts.reduce((sum, amount) => sum + amount, 0)
          if (amounts.some((amount) => amount > 0 && amount / whole < 0.01)) tiny += 1
          const shares = amounts.map((tokens, index) => ({ symbol: String.fromCharCode(97 + index), tokens }))
          const cells = shareCells(shares, 100)
          expect(cells).toHaveLength(100)
          expect([...cells].sort()).toEqual(cells)
          for (const { symbol, tokens } of shares) expect(cells.includes(symbol)).toBe(tokens > 0)
        },
      ),
    )
    expect(tiny).toBeGreaterThan(5)
  })
})

const categories: readonly Category[] = [
  { name: 'tool definitions', symbol: 'D', tint: 'grey', before: 2560, after: 2560 },
  { name: 'assistant', symbol: 'A', tint: 'grey', before: 90_000, after: 45_000 },
]
const window = { tokens: 200_000, reserve: 8192, from: 'default', model: null, setting: null, inputLimit: null } as const
const drawn = (columns: number, locale: string) =>
  windowSection(categories, window, {
    strings: stringsFor(locale).view,
    paint: (_tint, text) => text,
    columns,
    endless: false,
  })

describe('the window', () => {
  it.each([40, 50, 69, 70, 80, 100, 200])('fits %i columns in both languages', (columns) => {
    for (const line of [...drawn(columns, 'en'), ...drawn(columns, 'zh')])
      expect(displayWidth(line), line).toBeLessThanOrEqual(columns)
  })

  it('shows only numbers if there is no room for shares', () => {
    expect(drawn(40, 'en')).toContain('  A assistant            90,000   45,000')
    expect(drawn(50, 'en')).toContain('  A assistant      90,000  45.0 %   45,000  22.5 %')
  })
})
