import { expect, test } from 'vitest'
import { safeWords } from './model-error.ts'

const key = 'not-a-real-key-but-a-long-one'

test('a message of a server becomes one short line without the keys of the environment', () => {
  expect(safeWords(`no\n such key: ${key}`, { SOME_API_KEY: key })).toBe('no such key: ***')
  expect(safeWords('x'.repeat(500), {})).toBe(`${'x'.repeat(299)}…`)
})

test.each([3980, 3990, 4000, 7980, 7990, 8000])('half a key behind %i spaces is not shown either', (spaces) => {
  const line = safeWords(`refused${' '.repeat(spaces - 7)}${key} and more`, { SOME_API_KEY: key })
  expect(['refused', 'refused ***', 'refused *** and more', ...cut('*** and more')]).toContain(line)
})

/** The rest of a line that the first cut went through. */
function cut(words: string): readonly string[] {
  return Array.from(words, (_, end) => `refused ${words.slice(0, end)}`.trim())
}
