import { expect, it } from 'vitest'
import { oneLine } from './labels.ts'

it.each([
  ['plain', 20, 'plain'],
  ['two\nlines\t and  blanks ', 40, 'two lines and blanks'],
  ['exactly ten', 11, 'exactly ten'],
  ['one too many', 11, 'one too ma…'],
  ['ab😀cd', 5, 'ab😀cd'],
  ['ab😀cd', 4, 'ab😀…'],
  ['\u202eevil\u0007', 30, '\\u202eevil\\u0007'],
  [' '.repeat(100), 5, '…'],
  [`${' '.repeat(18)}😀😀`, 5, '😀…'],
])('puts %j on one line of %i characters', (text, characters, line) => {
  expect(oneLine(text, characters)).toBe(line)
  expect(oneLine(line, characters)).toBe(line)
})
