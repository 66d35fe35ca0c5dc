import { describe, expect, it } from 'vitest'
import {
  callInput,
  type MediaPart,
  type ResultContent,
  resultText,
  type ToolResultPart,
  withoutMedia,
  withShownText,
} from './message.ts'

const part = (content: ResultContent): ToolResultPart => ({ type: 'tool-result', callId: null, tool: null, content })

describe('resultText', () => {
  it.each<[string, ResultContent, string]>([
    ['text', { type: 'text', text: 'plain text' }, 'plain text'],
    ['a value', { type: 'json', value: { a: [1] } }, '{"a":[1]}'],
    ['a value that is a string', { type: 'json', value: 'plain' }, 'plain'],
    ['no value', { type: 'json', value: undefined }, ''],
    [
      'a list, without images',
      {
        type: 'list',
        items: [
          { type: 'text', text: 'a' },
          { type: 'media', mediaType: 'image/png', data: {} },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
  ])('%s', (_name, content, text) => expect(resultText(part(content))).toBe(text))

  it('returns an empty text for a value that JSON cannot represent', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    expect(resultText(part({ type: 'json', value: cycle }))).toBe('')
    expect(resultText(part({ type: 'json', value: deep }))).toBe('')
    expect(resultText(part({ type: 'json', value: 1n }))).toBe('')
  })
})

describe('withShownText', () => {
  const image: MediaPart = { type: 'media', mediaType: 'image/png', data: {} }
  const marked = { type: 'text', text: 'a', providerOptions: { anthropic: { cacheControl: {} } } } as const
  const short = { type: 'text', text: 'short' } as const

  it.each<[string, ResultContent, ResultContent]>([
    ['a text stays a text', { type: 'text', text: 'long' }, short],
    [
      'a list of one text stays a list',
      { type: 'list', items: [{ type: 'text', text: 'long' }] },
      { type: 'list', items: [short] },
    ],
    [
      'the first text block takes the text and keeps its fields, media stay in place',
      { type: 'list', items: [image, marked, image, { type: 'text', text: 'b' }] },
      { type: 'list', items: [image, { ...marked, text: 'short' }, image] },
    ],
    ['a list without a text gets one in front', { type: 'list', items: [image] }, { type: 'list', items: [short, image] }],
    ['a value that is a string stays a value', { type: 'json', value: 'long' }, { type: 'json', value: 'short' }],
    ['any other value becomes a text', { type: 'json', value: { a: 'long' } }, short],
  ])('%s', (_name, before, after) => {
    const shown = withShownText(part(before), 'short')
    expect(shown).toEqual(part(after))
    expect(resultText(shown)).toBe('short')
  })

  it.each<ResultContent>([
    { type: 'text', text: 'a\nb' },
    { type: 'list', items: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }] },
    { type: 'json', value: 'a\nb' },
  ])('returns the same part if it shows that text already: %j', (content) => {
    const given = part(content)
    expect(withShownText(given, 'a\nb')).toBe(given)
  })

  it('shows a placeholder without images after withoutMedia', () => {
    const given = part({ type: 'list', items: [image, marked, image] })
    expect(withShownText(withoutMedia(given), 'short')).toEqual(part({ type: 'list', items: [{ ...marked, text: 'short' }] }))
    const plain = part({ type: 'list', items: [marked] })
    expect(withoutMedia(plain)).toBe(plain)
  })
})

it.each<[unknown, unknown]>([
  ['{"a":1}', { a: 1 }],
  [{ a: 1 }, { a: 1 }],
  ['[1]', null],
  ['{"a":', null],
  ['"text"', null],
  [null, null],
  [7, null],
])('callInput reads %j as %j', (input, expected) =>
  expect(callInput({ type: 'tool-call', callId: '', tool: '', input })).toEqual(expected),
)

it('callInput rejects endlessly nested arguments, which no request could contain again', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}"]\\"["${']'.repeat(levels)}}`
  const read = (levels: number) => callInput({ type: 'tool-call', callId: '', tool: '', input: nested(levels) })
  expect(read(499)).not.toBeNull()
  expect([read(500), read(100_000)]).toEqual([null, null])
})
