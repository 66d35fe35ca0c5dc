import { expect, it } from 'vitest'
import { withoutNumbers } from './shown-above.ts'

it.each<[name: string, lines: readonly string[], expected: readonly string[]]>([
  ['numbers that count up', ['7→a', '8→b', '9→c'], ['a', 'b', 'c']],
  ['padded numbers with a tab', ['     9\ta', '    10\tb'], ['a', 'b']],
  ['numbers of which only some are left', ['9→a', '→b', '→c', '12→d'], ['a', 'b', 'c', 'd']],
  ['numbers of two files in a row', ['8→a', '9→b', '1→c', '2→d'], ['a', 'b', 'c', 'd']],
  ['numbers around a line without one', ['1→a', '2→b', 'note', '3→c', '4→d'], ['a', 'b', 'note', 'c', 'd']],
  ['numbers that start at zero', ['0→a', '1→b'], ['a', 'b']],
  ['numbers up to a line without one', ['1→a', '2→b', 'note', '3→c'], ['a', 'b', 'note', '3→c']],
  ['numbers up to a line without one, but no marks after it', ['1→a', '2→b', 'note', '→c'], ['a', 'b', 'note', '→c']],
  ['numbers up to a gap', ['1→a', '2→b', '4→c'], ['a', 'b', '4→c']],
  ['numbers of empty lines', ['1→', '2→'], ['', '']],
  ['numbers, but not tabs and arrows in the text', ['1→a\tb', '2→→c'], ['a\tb', '→c']],
])('withoutNumbers removes %s', (_name, lines, expected) => {
  expect(withoutNumbers(lines)).toEqual(expected)
})

it.each<[name: string, lines: readonly string[]]>([
  ['the first column of a table', ['12\t3\tsrc/a.ts', '5\t3\tsrc/b.ts', '5\t3\tsrc/c.ts']],
  ['a single number', ['7→a']],
  ['an arrow without a number before it', ['→a', '→b']],
  ['an arrow after a line without a number', ['a', '→b']],
  ['numbers with leading zeros', ['01\ta', '02\tb']],
  ['numbers that are far too long', ['12345678→a', '12345679→b']],
  ['an empty list', []],
  ['blank lines', ['', '', '']],
])('withoutNumbers keeps %s', (_name, lines) => {
  expect(withoutNumbers(lines)).toEqual(lines)
})
