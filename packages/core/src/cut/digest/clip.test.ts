import { expect, it } from 'vitest'
import { clip, clipLine, clipLines, clipTogether } from './digest-entries.ts'

it.each([
  ['fits', 'abcde', 5, 'abcde'],
  ['is cut in the middle', 'abcdef', 5, 'ab…ef'],
  ['has an even number of places', 'abcdef', 4, 'ab…f'],
  ['has pairs of units', '🎉🎉🎉🎉', 3, '🎉…🎉'],
  ['has room for the mark only', 'abc', 1, '…'],
  ['has no room', 'abc', 0, ''],
])('a text that %s', (_name, text, characters, expected) => {
  expect(clip(text, characters)).toBe(expected)
  expect(clip(expected, characters)).toBe(expected)
})

it('cuts a line at its end, and takes only the first lines of a text', () => {
  expect(clipLine('🎉🎉🎉🎉', 3)).toBe('🎉🎉…')
  expect(clipLine('abc', 0)).toBe('')
  expect(clipLines('one  \nlonger\nthree\n', 2, 4)).toEqual(['one', 'lon…'])
  expect(clipLines('', 2, 4)).toEqual([])
})

it('shortens the longest of several lines first', () => {
  expect(clipTogether(['ab', 'cdefghij', 'klmnopqrst'], 14)).toBe('ab\ncdef…\nklmn…')
  expect(clipTogether(['ab', 'cd'], 5)).toBe('ab\ncd')
  expect(clipTogether(['abc', 'def', 'ghi'], 2)).toBe('\n\n')
})
