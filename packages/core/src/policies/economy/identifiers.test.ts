import { expect, it } from 'vitest'
import { identifiersIn } from './results-in-use.ts'

it.each<[text: string, max: number, names: readonly string[]]>([
  ['const readSetting = readSetting(name, _private)', 9, ['readSetting', '_private']],
  ['short names only: a, ab, abc12', 9, []],
  ['number 123456 and x123456', 9, ['number', 'x123456']],
  ['first1 first1 second third3', 2, ['first1', 'second']],
  ['', 9, []],
])('identifiersIn: %s (%i)', (text, max, names) => {
  expect([...identifiersIn(text, max)]).toEqual(names)
})

it('identifiersIn reads at most 200,000 characters', () => {
  const before = (length: number) => `${' '.repeat(length - 'lastName'.length)}lastName`
  expect([...identifiersIn(`${before(200_000)} another`, 9)]).toEqual(['lastName'])
  expect([...identifiersIn(before(200_001), 9)]).toEqual(['lastNam'])
})
