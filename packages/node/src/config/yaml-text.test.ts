import { describe, expect, it, vi } from 'vitest'
import { problemLine } from './config-error.ts'
import { readYaml } from './yaml-text.ts'

const laughs = Array.from({ length: 8 }, (_, level) => {
  const before = level === 0 ? 'ha' : `*l${level - 1}`
  return `l${level}: &l${level} [${Array.from({ length: 9 }, () => before).join(', ')}]`
}).join('\n')

describe('reading YAML', () => {
  const good: readonly (readonly [name: string, text: string, value: unknown])[] = [
    ['an empty text', '', null],
    ['only comments', '# nothing yet\n', null],
    ['a byte order mark', '\ufeffa: 1', { a: 1 }],
    ['words that old YAML took for true and false', 'a: yes\nb: no\nc: on', { a: 'yes', b: 'no', c: 'on' }],
    ['an alias', 'a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['Windows line ends', 'a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ]
  it.each(good)('%s', (_name, text, value) => {
    expect(readYaml('f', text)).toMatchObject({ value, problems: [] })
  })

  const bad: readonly (readonly [name: string, text: string, line: string])[] = [
    ['a key twice', 'a: 1\nb: 2\na: 3\n', 'f:3:1: expected each key once, got it twice'],
    ['a tab as indentation', 'a:\n\tb: 1', 'f:2:1: tabs are not allowed as indentation'],
    ['two documents', 'a: 1\n---\nb: 1', 'f:2:1: expected one YAML document, got several'],
    ['a list as a key', '? [a]\n: 1', 'f:1:3: expected a plain key, got a list or a mapping'],
    ['a tag that makes code', 'a: !!js/function x', 'f:1:4: unresolved tag: tag:yaml.org,2002:js/function'],
    ['a key that reaches the prototype', 'a: 1\nb:\n  __proto__: { c: 1 }', 'f:3:3: __proto__: not allowed as a key'],
    ['aliases that unfold without end', laughs, 'f:1:1: excessive alias count indicates a resource exhaustion attack'],
    ['lists without end', `a: ${'['.repeat(50_000)}`, 'f:1:1: nested too deeply'],
    ['mappings without end', `a: ${'{a: '.repeat(50_000)}`, 'f:1:1: nested too deeply'],
  ]
  it.each(bad)('refuses %s', (_name, text, line) => {
    const { value, problems } = readYaml('f', text)
    expect(value).toBeUndefined()
    expect(problems.map(problemLine)).toEqual([line])
  })

  it('looks at each key of a mapping once for any number of places', () => {
    const keys = Array.from({ length: 300 }, (_, index) => `key${index}`)
    const { where } = readYaml('f', keys.map((key) => `${key}: 1`).join('\n'))
    where(['key0'], 'key')
    const find = vi.spyOn(Array.prototype, 'find')
    const places = keys.map((key) => where([key], 'key'))
    const searches = find.mock.calls.length
    find.mockRestore()
    expect(places).toEqual(keys.map((_, index) => `f:${index + 1}:1`))
    expect(searches).toBe(0)
  })

  it('says no more than ten things about one broken text', () => {
    expect(readYaml('f', 'a: ]\n'.repeat(100)).problems).toHaveLength(10)
  })

  const text = 'first:\n  - 1\n  - deep: yes\nsecond: &s { inside: 2 }\nthird: *s\n'
  const places: readonly (readonly [path: readonly (string | number)[], of: 'key' | 'value', where: string])[] = [
    [[], 'value', 'f:1:1'],
    [['first'], 'key', 'f:1:1'],
    [['first'], 'value', 'f:2:3'],
    [['first', 1, 'deep'], 'key', 'f:3:5'],
    [['first', 1, 'deep'], 'value', 'f:3:11'],
    [['second', 'inside'], 'value', 'f:4:22'],
    [['third', 'inside'], 'value', 'f:4:22'],
    [['second', 'absent'], 'key', 'f:4:12'],
    [['absent', 'more'], 'key', 'f:1:1'],
  ]
  it.each(places)('finds the place of %j (%s)', (path, of, where) => {
    expect(readYaml('f', text).where(path, of)).toBe(where)
  })
})
