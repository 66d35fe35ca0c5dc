import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutBlankSpace } from './blank-space.ts'

it.each<[name: string, text: string, shown: string]>([
  ['a text without blank space', 'a\n  b\n\nc', 'a\n  b\n\nc'],
  ['blanks at the ends of lines', 'a  \n\tb\t\nc \t ', 'a\n\tb\nc'],
  ['several blank lines', 'a\n\n\n\nb\n \n\t\nc', 'a\n\nb\n\nc'],
  ['blank lines at both ends', '\n\n  a\n\n', '  a'],
  ['nothing but blanks', ' \n\t\n', ''],
  ['an empty text', '', ''],
])('%s', (_name, text, shown) => {
  expect(withoutBlankSpace(text)).toBe(shown)
})

it('every line with text stays, with its indentation, and blank lines stay where there were some', () => {
  const lines = fc.array(fc.constantFrom('a', '  b', 'c  ', '', '', ' ', '\t', 'd e'), { maxLength: 20 })
  const content = (text: string) => text.split('\n').map((line) => line.trimEnd())
  const withBreaks = (text: string) =>
    content(text)
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .replace(/^\n+|\n+$/g, '')
  fc.assert(
    fc.property(lines, (given) => {
      const text = given.join('\n')
      const shown = withoutBlankSpace(text)
      expect(shown).toBe(withBreaks(text))
      expect(withoutBlankSpace(shown)).toBe(shown)
    }),
    { numRuns: 200 },
  )
})

it('a megabyte of blanks is read in linear time', () => {
  expect(withoutBlankSpace(`${' '.repeat(1_000_000)}a${' \n'.repeat(500_000)}`)).toBe(`${' '.repeat(1_000_000)}a`)
})
