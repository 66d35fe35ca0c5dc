import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolResultPart } from '../../message.ts'
import { type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { exchange } from '../../testing/messages.ts'
import { defaultEconomyRules } from './economy-rules.ts'
import { isStub, placeholderText, type StubSource, stubSourceOf, stubText } from './stub-text.ts'

const source = {
  class: 'terminal',
  tool: 'Bash',
  about: ['make'],
  place: null,
  handle: '0123456789ab',
  lines: 240,
  exitCode: null,
  isError: false,
} as const
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
  ['no subject', [], '[Bash; 240 lines removed; recall 0123456789ab]'],
  ['one subject', ['make'], '[Bash: make; 240 lines removed; recall 0123456789ab]'],
  ['several subjects', ['a.ts', 'b.ts'], '[Bash: a.ts, b.ts; 240 lines removed; recall 0123456789ab]'],
  ['at most twenty subjects', Array.from('abcdefghijklmnopqrstuvwxy'), '[Bash: a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t; 240 lines removed; recall 0123456789ab]'],
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
    const removed = result.isError === true ? '240 lines removed, failed' : '240 lines removed'
    const head = `[Bash: make; ${removed}; recall 0123456789ab]`
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
    expect(stubText(given, rules)).toBe(`[Bash: make.ts; 240 lines removed; recall 0123456789ab]\n${expected}`)
  }) // biome-ignore format: a table
})

it.each([
  [8000, true],
  [8001, false],
])('isStub accepts %i characters that start like a stub: %s', (characters, expected) => {
  expect(isStub('[Read: a.ts; recall 0123456789ab]\n'.padEnd(characters, 'x'))).toBe(expected)
})

describe('placeholderText says how it ended', () => {
  it.each<readonly [name: string, result: Partial<StubSource>, expected: string]>([
    ['by its exit code', { exitCode: 2, isError: true }, '[Bash: make; 240 lines removed, exit code 2; recall 0123456789ab]'],
    ['as a failure without a code', { isError: true }, '[Bash: make; 240 lines removed, failed; recall 0123456789ab]'],
    ['with one line', { lines: 1 }, '[Bash: make; 1 line removed; recall 0123456789ab]'],
    ['without a number of lines for an extract', { lines: null }, '[Bash: make; removed; recall 0123456789ab]'],
    ['with the place that was searched', { tool: 'Grep', about: ['sum'], place: 'src' }, '[Grep: sum in src; 240 lines removed; recall 0123456789ab]'],
  ])('%s', (_name, result, expected) => {
    expect(placeholderText({ ...source, text: '', ...result }, defaultEconomyRules)).toBe(expected)
  }) // biome-ignore format: a table
})

describe('stubText of a search names the file of a line that is quoted by its number', () => {
  it.each<readonly [name: string, result: Partial<StubSource>, expected: string]>([
    ['from the heading above it', { text: 'src/a.ts\n1:x\n2:y\n\nsrc/b.ts\n7:z\n9:last' }, 'src/b.ts:9:last'],
    ['from the file that was searched', { text: '1:x\n2:last', place: 'src/a.ts' }, 'src/a.ts:2:last'],
    ['if it is known', { text: '1:x\n2:last' }, '2:last'],
    ['that has its file', { text: 'src/a.ts:1:x\nsrc/a.ts:2:last', place: 'src' }, 'src/a.ts:2:last'],
  ])('%s', (_name, result, expected) => {
    const shown = stubText({ ...source, class: 'search', text: '', ...result }, defaultEconomyRules)
    expect(shown.split('\n').filter((line) => !line.startsWith('paths: ')).at(-1)).toBe(expected)
  }) // biome-ignore format: a table
})

it('stubText does not take reminders of the host for output', () => {
  const reminder = '<system-reminder>\nError: read docs/rules.md first\n</system-reminder>'
  const text = `${reminder}\nbuilt src/a.ts\ndone\n\n${reminder}\n<system-reminder>and src/b.ts`
  expect(stubText({ ...source, text }, defaultEconomyRules)).toBe(
    '[Bash: make; 240 lines removed; recall 0123456789ab]\ndone\npaths: src/a.ts',
  )
  const many = '<system-reminder>x</system-reminder>'.repeat(30_000)
  expect(stubText({ ...source, text: many }, defaultEconomyRules)).toBe('[Bash: make; 240 lines removed; recall 0123456789ab]')
})

describe('stubSourceOf', () => {
  const sourceOf = (tool: string, input: object, text: string, result: Partial<ToolResultPart> = {}) => {
    const [placed] = toolResults(exchange('r', tool, input, text, result), {})
    return stubSourceOf(placed as PlacedResult, 'other')
  }
  it.each<readonly [tool: string, input: object, about: readonly string[]]>([
    ['WebFetch', { prompt: 'summarise', url: 'https://a.de/b' }, ['https://a.de/b']],
    ['WebSearch', { query: 'plimsoll line' }, ['plimsoll line']],
    ['mcp__tracker__get', { id: 'ISSUE-7', verbose: true }, ['ISSUE-7']],
    ['Bash', { command: 'make' }, ['make']],
    ['wait', { seconds: 5 }, []],
  ])('says what a call of %s was about', (tool, input, about) => {
    expect(sourceOf(tool, input, 'done').about).toEqual(about)
  })

  it.each<readonly [name: string, text: string, result: Partial<ToolResultPart>, code: number | null]>([
    ['its text', 'done\nExit code: 3', {}, 3],
    ['JSON', '{"stdout":"","exitCode":4}', {}, 4],
    ['JSON with metadata', '{"output":"","metadata":{"exit_code":5}}', {}, 5],
    ['what its tool keeps beside the text', 'done', { metadata: { exitCode: 6 } }, 6],
    ['nothing', 'done', {}, null],
  ])('reads the exit code from %s', (_name, text, result, code) => {
    expect(sourceOf('Bash', { command: 'make' }, text, result).exitCode).toBe(code)
  })
})

it('a stub of any output has the command, the lines, the outcome and the handle, the first failure and the last line, and nothing that the output has not', () => {
  const line = fc.constantFrom(
    'compiled src/part.ts',
    'Error: disk gone',
    'npm error code 7',
    'ok',
    '',
    'see docs/a.md',
    '<system-reminder>be kind</system-reminder>',
  )
  let failures = 0
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), fc.nat(3), (lines, exitCode) => {
      const text = lines.join('\n')
      const stub = stubText({ ...source, text, lines: lines.length, exitCode }, defaultEconomyRules)
      const [head, ...rest] = stub.split('\n')
      expect(head).toBe(
        `[Bash: make; ${lines.length} ${lines.length === 1 ? 'line' : 'lines'} removed, exit code ${exitCode}; recall 0123456789ab]`,
      )
      const shown = rest.filter((one) => !one.startsWith('paths: '))
      for (const one of shown) expect(lines).toContain(one)
      const last = lines.findLast((one) => one !== '' && !one.startsWith('<'))
      if (last !== undefined) expect(shown).toContain(last)
      if (lines.includes('Error: disk gone')) {
        failures += 1
        expect(shown).toContain('Error: disk gone')
      }
      const paths =
        rest
          .find((one) => one.startsWith('paths: '))
          ?.slice('paths: '.length)
          .split(' ') ?? []
      for (const path of paths) expect(text).toContain(path)
      expect(stub).not.toContain('be kind')
      expect(isStub(stub)).toBe(true)
    }),
    { seed: 7, numRuns: 80 },
  )
  expect(failures).toBeGreaterThan(20)
})
