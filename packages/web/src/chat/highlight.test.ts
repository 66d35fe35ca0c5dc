import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diffNumbers } from '../parts/long-text.tsx'
import { codePieces } from './highlight.tsx'

const kinds = (code: string, language: string) =>
  codePieces(code, language).flatMap(({ kind, text }) => (kind === null ? [] : [`${kind} ${text}`]))

it.each([
  ['ts', "const a = 'x' // why\nreturn 12", ['keyword const', "string 'x'", 'comment // why', 'keyword return', 'number 12']],
  ['python', 'def f(): # why\n  return a // b', ['keyword def', 'comment # why', 'keyword return']],
  ['css', 'a { color: #fff }', []],
  ['sql', 'SELECT 1 -- why', ['keyword SELECT', 'number 1', 'comment -- why']],
  ['js', 'i--\nlet j', ['keyword let']],
  ['', 'const a = 1', []],
])('colours %s', (language, code, expected) => expect(kinds(code, language)).toEqual(expected))

it('keeps every character', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('ts', 'python', 'sql', ''), (code, language) => {
      expect(
        codePieces(code, language)
          .map(({ text }) => text)
          .join(''),
      ).toBe(code)
    }),
    { numRuns: 200 },
  )
})

it('numbers the lines of a diff on both sides', () => {
  const diff = ['--- a', '+++ b', '@@ -3,2 +3,3 @@', ' one', '-two', '+three', '+four', ' five'].map((line) => line)
  expect(diffNumbers(diff)).toEqual([null, null, null, [3, 3], [4, null], [null, 4], [null, 5], [5, 6]])
  expect(diffNumbers(['-- not a diff', '+x'])).toEqual([null, null])
})
