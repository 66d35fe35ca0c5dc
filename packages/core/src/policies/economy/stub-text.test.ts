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
    'a stub of a command with brackets and newlines',
    placeholderText({ ...source, about: ['a\n[b]; recall x'], text: '' }, defaultEconomyRules),
    true,
  ],
  [
    'a result that starts with a reference to earlier lines',
    '[5 lines as shown above: Read a.ts; recall 0123456789ab]\nmore',
    false,
  ],
  ['a long result that starts like a stub', `[Read: a.ts; recall 0123456789ab]\n${'x'.repeat(9000)}`, false],
  ['a handle with invalid digits', '[Read: a.ts; recall 0123456789AZ]', false],
  ['text after the stub', '[Read: a.ts; recall 0123456789ab] and more', false],
  ['an empty text', '', false],
])('isStub: %s', (_name, text, expected) => {
  expect(isStub(text)).toBe(expected)
})

it.each<readonly [name: string, about: readonly string[], expected: string]>([
  ['no subject', [], '[Bash; recall 0123456789ab]'],
  ['one subject', ['make'], '[Bash: make; recall 0123456789ab]'],
  ['several subjects', ['a.ts', 'b.ts'], '[Bash: a.ts, b.ts; recall 0123456789ab]'],
  ['at most twenty subjects', Array.from('abcdefghijklmnopqrstuvwxy'), '[Bash: a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t; recall 0123456789ab]'],
])('placeholderText names %s', (_name, about, expected) => {
  expect(placeholderText({ ...source, about, text: '' }, defaultEconomyRules)).toBe(expected)
}) // biome-ignore format: a table

describe('stubText keeps after its first line', () => {
  const blank = '\n'.repeat(5000)
  const text = '\n  first words\nsomething\nTypeError: it broke\nmore of it\nlast words\n\n'
  it.each<readonly [name: string, result: Partial<StubSource>, expected: readonly string[]]>([
    ['the errors and the last line of a command', { text }, ['TypeError: it broke', 'last words']],
    ['the first line of a search too', { class: 'search', text }, ['first words', 'TypeError: it broke', 'last words']],
    ['the first line of a failure too', { isError: true, text }, ['first words', 'TypeError: it broke', 'last words']],
    ['nothing of a read', { class: 'read', text }, []],
    ['the first line and the errors of a failed read', { class: 'read', isError: true, text }, ['first words', 'TypeError: it broke']],
    ['each line once', { class: 'search', text: 'TypeError: it broke' }, ['TypeError: it broke']],
    ['a single line once', { class: 'search', text: 'only' }, ['only']],
    ['nothing of blank lines', { class: 'search', text: ' \n \n' }, []],
    ['nothing of an empty text', { class: 'search', text: '' }, []],
    ['no first line after thousands of blank lines', { class: 'search', text: `${blank}words\nmore\nlast` }, ['last']],
    ['no last line before thousands of blank lines', { class: 'search', text: `first\nwords${blank}` }, ['first']],
    ['the start of a very long line', { class: 'search', text: 'abc '.repeat(5000) }, [`${'abc '.repeat(39)}abc…`]],
  ])('%s', (_name, result, expected) => {
    const head = '[Bash: make; recall 0123456789ab]'
    expect(stubText({ ...source, text: '', ...result }, defaultEconomyRules).split('\n')).toEqual([head, ...expected])
  }) // biome-ignore format: a table
})

describe('stubText lists paths', () => {
  const rules = { ...defaultEconomyRules, stubPaths: 2 }
  it.each<readonly [name: string, text: string, expected: string]>([
    ['of the result', 'one.ts\nlast', 'last\npaths: one.ts'],
    ['up to the given number', 'one.ts two.ts three.ts four.ts\nlast', 'last\npaths: one.ts two.ts'],
    ['that no kept line names', 'one.ts\ntwo.ts\nthree.ts\nsee one.ts', 'see one.ts\npaths: two.ts three.ts'],
    ['but not the subject of the call', 'make.ts\nlast', 'last'],
    ['among the first ones found, up to twice the number', 'one.ts two.ts three.ts four.ts five.ts\none.ts two.ts three.ts', 'one.ts two.ts three.ts\npaths: four.ts'],
  ])('%s', (_name, text, expected) => {
    const given = { ...source, about: ['make.ts'], text }
    expect(stubText(given, rules)).toBe(`[Bash: make.ts; recall 0123456789ab]\n${expected}`)
  }) // biome-ignore format: a table
})

it.each([
  [8000, true],
  [8001, false],
])('isStub accepts %i characters that start like a stub: %s', (characters, expected) => {
  expect(isStub('[Read: a.ts; recall 0123456789ab]\n'.padEnd(characters, 'x'))).toBe(expected)
})
