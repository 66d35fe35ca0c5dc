import { describe, expect, it } from 'vitest'
import { defaultEconomyRules } from './economy-rules.ts'
import { isStub, placeholderText, type StubSource, stubText } from './weighed-results.ts'

const source = { class: 'terminal', tool: 'Bash', about: ['make'], handle: '0123456789ab', isError: false } as const
const long = Array.from({ length: 900 }, (_, at) => `${'deep/'.repeat(50)}file${at}.ts:${at}: error: it broke ${at}`).join('\n')

it.each<[name: string, text: string, expected: boolean]>([
  ['a placeholder', placeholderText({ ...source, text: '' }, defaultEconomyRules), true],
  [
    'the longest stub of many long paths and errors',
    stubText({ ...source, text: long, isError: true }, defaultEconomyRules),
    true,
  ],
  [
    'one of a command that holds anything',
    placeholderText({ ...source, about: ['a\n[b]; recall x'], text: '' }, defaultEconomyRules),
    true,
  ],
  ['a result that begins with lines as shown above', '[5 lines as shown above: Read a.ts; recall 0123456789ab]\nmore', false],
  ['a long result that pretends to be one', `[Read: a.ts; recall 0123456789ab]\n${'x'.repeat(9000)}`, false],
  ['a handle of other digits', '[Read: a.ts; recall 0123456789AZ]', false],
  ['something behind it', '[Read: a.ts; recall 0123456789ab] and more', false],
  ['nothing', '', false],
])('a stub is told: %s', (_name, text, expected) => {
  expect(isStub(text)).toBe(expected)
})

it.each<readonly [name: string, about: readonly string[], expected: string]>([
  ['nothing', [], '[Bash; recall 0123456789ab]'],
  ['one thing', ['make'], '[Bash: make; recall 0123456789ab]'],
  ['several', ['a.ts', 'b.ts'], '[Bash: a.ts, b.ts; recall 0123456789ab]'],
  ['very many', Array.from('abcdefghijklmnopqrstuvwxy'), '[Bash: a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t; recall 0123456789ab]'],
])('one line says what a call was about: %s', (_name, about, expected) => {
  expect(placeholderText({ ...source, about, text: '' }, defaultEconomyRules)).toBe(expected)
}) // biome-ignore format: a table

describe('what is left of a result besides its head', () => {
  const blank = '\n'.repeat(5000)
  const text = '\n  first words\nsomething\nTypeError: it broke\nmore of it\nlast words\n\n'
  it.each<readonly [name: string, result: Partial<StubSource>, expected: readonly string[]]>([
    ['of a command its errors and its last line', { text }, ['TypeError: it broke', 'last words']],
    ['of a search its first line too', { class: 'search', text }, ['first words', 'TypeError: it broke', 'last words']],
    ['of a failure its first line too', { isError: true, text }, ['first words', 'TypeError: it broke', 'last words']],
    ['of a read nothing', { class: 'read', text }, []],
    ['of a read that failed its first line and its errors', { class: 'read', isError: true, text }, ['first words', 'TypeError: it broke']],
    ['a line once', { class: 'search', text: 'TypeError: it broke' }, ['TypeError: it broke']],
    ['one line as first and last', { class: 'search', text: 'only' }, ['only']],
    ['nothing of blanks', { class: 'search', text: ' \n \n' }, []],
    ['nothing of nothing', { class: 'search', text: '' }, []],
    ['a first line that is not far', { class: 'search', text: `${blank}words\nmore\nlast` }, ['last']],
    ['a last line that is not far', { class: 'search', text: `first\nwords${blank}` }, ['first']],
    ['of a line without end its beginning', { class: 'search', text: 'abc '.repeat(5000) }, [`${'abc '.repeat(39)}abc…`]],
  ])('%s', (_name, result, expected) => {
    const head = '[Bash: make; recall 0123456789ab]'
    expect(stubText({ ...source, text: '', ...result }, defaultEconomyRules).split('\n')).toEqual([head, ...expected])
  }) // biome-ignore format: a table
})

describe('the paths of a result', () => {
  const rules = { ...defaultEconomyRules, stubPaths: 2 }
  it.each<readonly [name: string, text: string, expected: string]>([
    ['those there are', 'one.ts\nlast', 'last\npaths: one.ts'],
    ['so many of them', 'one.ts two.ts three.ts four.ts\nlast', 'last\npaths: one.ts two.ts'],
    ['in place of those that a line names, others', 'one.ts\ntwo.ts\nthree.ts\nsee one.ts', 'see one.ts\npaths: two.ts three.ts'],
    ['none that the head names', 'make.ts\nlast', 'last'],
    ['looked for up to twice as many', 'one.ts two.ts three.ts four.ts five.ts\none.ts two.ts three.ts', 'one.ts two.ts three.ts\npaths: four.ts'],
  ])('%s', (_name, text, expected) => {
    const given = { ...source, about: ['make.ts'], text }
    expect(stubText(given, rules)).toBe(`[Bash: make.ts; recall 0123456789ab]\n${expected}`)
  }) // biome-ignore format: a table
})

it.each([
  [8000, true],
  [8001, false],
])('%i characters that begin like a stub may be one: %s', (characters, expected) => {
  expect(isStub('[Read: a.ts; recall 0123456789ab]\n'.padEnd(characters, 'x'))).toBe(expected)
})
