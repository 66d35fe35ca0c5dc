import { parseJson } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { repairLine } from './repair-line.ts'

type Fields = Readonly<Record<string, unknown>>

const rules = {
  parse: (text: string) => {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  },
  isEntry: (value: Fields) => 'type' in value && 'id' in value,
}
const entry = (id: string, text = 'x') => JSON.stringify({ type: 'message', id, message: { type: 'text', text } })

describe('repairLine', () => {
  it.each([
    ['an intact line', entry('a'), [entry('a')], []],
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
    ['a lone surrogate', entry('a', 'H').replace('H', '\\uD83D'), [entry('a', 'H').replace('H', '\\ufffd')], ['lone-surrogates']],
    [
      'surrogates in the wrong order',
      entry('a', 'H').replace('H', '\\ude00\\ud83d'),
      [entry('a', 'H').replace('H', '\\ufffd\\ufffd')],
      ['lone-surrogates'],
    ],
    ['a surrogate pair', entry('a', 'H').replace('H', '\\ud83d\\ude00'), [entry('a', 'H').replace('H', '\\ud83d\\ude00')], []],
    [
      'text that looks like an escape',
      entry('a', 'H').replace('H', '\\\\ud83d'),
      [entry('a', 'H').replace('H', '\\\\ud83d')],
      [],
    ],
  ])('repairs %s', (_name, line, texts, kinds) => expect(repairLine(line, rules)).toEqual({ texts, kinds }))

  it('gives up on a long line of braces after a limited number of attempts', () => {
    expect(repairLine('{"'.repeat(200_000), rules)).toEqual({ texts: [], kinds: ['cut-line'] })
  })
})
