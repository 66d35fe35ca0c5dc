import { expect, it } from 'vitest'
import { withoutNumbers } from './shown-above.ts'

it.each<[name: string, lines: readonly string[], expected: readonly string[]]>([
  ['numbers that count up', ['7→a', '8→b', '9→c'], ['a', 'b', 'c']],
  ['with a tab, and padded', ['     9\ta', '    10\tb'], ['a', 'b']],
  ['of which only some are left', ['9→a', '→b', '→c', '12→d'], ['a', 'b', 'c', 'd']],
  ['of two files in a row', ['8→a', '9→b', '1→c', '2→d'], ['a', 'b', 'c', 'd']],
  ['around a line that has none', ['1→a', '2→b', 'note', '3→c', '4→d'], ['a', 'b', 'note', 'c', 'd']],
  ['that begin at zero', ['0→a', '1→b'], ['a', 'b']],
  ['up to a line that has none', ['1→a', '2→b', 'note', '3→c'], ['a', 'b', 'note', '3→c']],
  ['up to a line that has none, and no mark behind it', ['1→a', '2→b', 'note', '→c'], ['a', 'b', 'note', '→c']],
  ['up to one that is not the next', ['1→a', '2→b', '4→c'], ['a', 'b', '4→c']],
  ['an empty line of a file', ['1→', '2→'], ['', '']],
  ['a tab and an arrow in the text stay', ['1→a\tb', '2→→c'], ['a\tb', '→c']],
])('withoutNumbers removes %s', (_name, lines, expected) => {
  expect(withoutNumbers(lines)).toEqual(expected)
})

it.each<[name: string, lines: readonly string[]]>([
  ['the first column of a table', ['12\t3\tsrc/a.ts', '5\t3\tsrc/b.ts', '5\t3\tsrc/c.ts']],
  ['a single number', ['7→a']],
  ['an arrow that follows nothing', ['→a', '→b']],
  ['an arrow behind a line that is not counted', ['a', '→b']],
  ['numbers that begin with zeros', ['01\ta', '02\tb']],
  ['numbers that are far too long', ['12345678→a', '12345679→b']],
  ['nothing at all', []],
  ['blank lines', ['', '', '']],
])('keeps %s', (_name, lines) => {
  expect(withoutNumbers(lines)).toEqual(lines)
})
