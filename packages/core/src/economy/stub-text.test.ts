import { expect, it } from 'vitest'
import { defaultEconomyRules } from './economy-rules.ts'
import { isStub, placeholderText, stubText } from './stub-text.ts'

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
