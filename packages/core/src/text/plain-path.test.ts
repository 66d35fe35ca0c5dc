import { expect, test } from 'vitest'
import { isPlainPath } from './patch.ts'

test.each<[string, string, (string | number)[], boolean]>([
  ['a field of a list of an object', '{"a":[0,{"b":1}]}', ['a', 1, 'b'], true],
  ['the complete value', ' 1', [], true],
  ['a twin elsewhere', '{"a":1,"c":{"a":1,"a":2}}', ['a'], true],
  ['a twin on the way', '{"a":{"b":1},"a":{"b":2}}', ['a', 'b'], false],
  ['a twin at the end', '{"a":{"b":1,"b":2}}', ['a', 'b'], false],
  ['a twin that is written differently', '{"b":1,"\\u0062":2}', ['b'], false],
  ['nothing there', '{"a":[]}', ['a', 0], false],
  ['a list instead of an object', '{"a":[1]}', ['a', 'b'], false],
])('whether a path leads to one place: %s', (_name, text, path, expected) => {
  expect(isPlainPath(text, path)).toBe(expected)
})
