import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text-width.ts'
import { type Category, windowSection } from './window-section.ts'

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

  it('shows numbers alone where there is no room for shares', () => {
    expect(drawn(40, 'en')).toContain('  A assistant            90,000   45,000')
    expect(drawn(50, 'en')).toContain('  A assistant      90,000  45.0 %   45,000  22.5 %')
  })
})
