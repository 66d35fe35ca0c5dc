import { parseJson } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { mendLine } from './mend-line.ts'

type Fields = Readonly<Record<string, unknown>>

const rules = {
  parse: (text: string) => {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  },
  isEntry: (value: Fields) => 'type' in value && 'id' in value,
}
const entry = (id: string, text = 'x') => JSON.stringify({ type: 'message', id, message: { type: 'text', text } })

describe('mendLine', () => {
  it.each([
    ['a whole line', entry('a'), [entry('a')], []],
    ['a blank line', '  ', [], []],
    ['two entries', `${entry('a')}${entry('b')}`, [entry('a'), entry('b')], ['split-line']],
    ['two entries with a comma', `${entry('a')},${entry('b')}`, [entry('a'), entry('b')], ['split-line', 'cut-piece']],
    ['a piece and an entry', `${entry('a').slice(0, 20)}${entry('b')}`, [entry('b')], ['cut-piece']],
    ['an entry and a piece', `${entry('a')}${entry('b').slice(0, 20)}`, [entry('a')], ['cut-piece']],
    ['a piece that ends with an inner object', '"message":{"type":"text","text":"x"}', [], ['cut-line']],
    ['a piece alone', entry('a').slice(0, -3), [], ['cut-line']],
    ['only NUL bytes', '\0\0\0', [], ['nul-bytes']],
    [
      'a raw tab in a text',
      entry('a', 'TAB').replace('TAB', '\t'),
      [entry('a', 'TAB').replace('TAB', '\\u0009')],
      ['control-characters'],
    ],
    ['half a character', entry('a', 'H').replace('H', '\\uD83D'), [entry('a', 'H').replace('H', '\\ufffd')], ['lone-surrogates']],
    [
      'halves the wrong way round',
      entry('a', 'H').replace('H', '\\ude00\\ud83d'),
      [entry('a', 'H').replace('H', '\\ufffd\\ufffd')],
      ['lone-surrogates'],
    ],
    ['a whole pair', entry('a', 'H').replace('H', '\\ud83d\\ude00'), [entry('a', 'H').replace('H', '\\ud83d\\ude00')], []],
    [
      'words that look like an escape',
      entry('a', 'H').replace('H', '\\\\ud83d'),
      [entry('a', 'H').replace('H', '\\\\ud83d')],
      [],
    ],
  ])('%s', (_name, line, texts, kinds) => expect(mendLine(line, rules)).toEqual({ texts, kinds }))

  it('looks at a long line of braces only so often', () => {
    expect(mendLine('{"'.repeat(200_000), rules)).toEqual({ texts: [], kinds: ['cut-line'] })
  })
})
