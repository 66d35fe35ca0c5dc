import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const keys = ['max_chars', 'max_lines', 'truncation_strategy', 'show_context', 'after_minutes']

const cases: readonly (readonly [word: string, meant: string | null])[] = [
  ['max_char', 'max_chars'],
  ['maxLines', 'max_lines'],
  ['max-chars', 'max_chars'],
  ['MAX_LINES', 'max_lines'],
  ['after_minuets', 'after_minutes'],
  ['show_contxet', 'show_context'],
  ['truncation', null],
  ['upstream', null],
  ['', null],
  ['x'.repeat(1_000_000), null],
]
it.each(cases.map(([word, meant]) => [word.slice(0, 30), meant, word] as const))('%j means %j', (_shown, meant, word) => {
  expect(nearest(word, keys)).toBe(meant)
})
