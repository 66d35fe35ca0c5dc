import { describe, expect, it } from 'vitest'
import { aboveMarker, hasAboveMarker, readAboveMarker, restated } from './shown-above.ts'

const source = { label: 'Read a.ts', handle: '0123456789ab', isNumbered: true }
const first = aboveMarker({ count: 20, sourceFrom: 4, sourceCount: 20, source })
const often = aboveMarker({ count: 16, sourceFrom: 0, sourceCount: 2, source: { ...source, handle: 'ba9876543210' } })
const cut = aboveMarker({ count: 3, sourceFrom: 7, sourceCount: 3, source: { ...source, isNumbered: false } })

describe('the marker for lines shown above', () => {
  it('contains their number, their place, and the handle to recall them', () => {
    expect([first, often, cut]).toEqual([
      '[20 lines as shown above: Read a.ts, lines 5-24; recall 0123456789ab]',
      '[16 lines as shown above over and over: Read a.ts, lines 1-2; recall ba9876543210]',
      '[3 lines as shown above: Read a.ts; recall 0123456789ab]',
    ])
  })

  it.each<[name: string, text: string, handles: readonly string[]]>([
    ['alone', first, ['0123456789ab']],
    ['several, in order', `one\n${often}\ntwo\n${first}\n`, ['ba9876543210', '0123456789ab']],
    ['without numbers', `${cut}\nmore`, ['0123456789ab']],
    ['no such line', 'one\ntwo', []],
    ['its text in a sentence', 'The 20 lines as shown above are wrong.', []],
    ['after other text on its line', `> ${first}`, []],
    ['before something else on its line', `${first}.`, []],
    ['an invalid handle', first.replace('ab]', 'xy]'), []],
  ])('is known again in a text: %s', (_name, text, handles) => {
    expect(text.split('\n').flatMap((line) => readAboveMarker(line)?.handle ?? [])).toEqual(handles)
    expect(hasAboveMarker(text)).toBe(handles.length > 0)
  })

  it('is parsed with its line numbers, if it has them', () => {
    expect([first, cut].map((line) => readAboveMarker(line)?.lines)).toEqual([{ from: 4, to: 24 }, null])
  })

  it('makes no claim once restated, and names the text it belongs to', () => {
    const lines = [first, often, cut].map((line) => restated(line, 'ffffffffffff'))
    expect(lines).toEqual([
      '[20 lines: Read a.ts; recall ffffffffffff]',
      '[16 lines: Read a.ts; recall ffffffffffff]',
      '[3 lines: Read a.ts; recall ffffffffffff]',
    ])
    expect(lines.map((line) => [readAboveMarker(line), hasAboveMarker(line)])).toEqual(lines.map(() => [null, true]))
    expect(restated('some other line', 'ffffffffffff')).toBe('some other line')
  })
})
