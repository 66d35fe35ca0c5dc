import { describe, expect, it } from 'vitest'
import { languageFor } from '../parts/language.tsx'
import { dayWords } from './day-words.ts'

const at = (text: string) => new Date(text).getTime()

describe('dayWords', () => {
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
    expect(dayWords({ ago, at: at(text) }, languageFor(locale), now)).toBe(words)
  })
})
