import { describe, expect, it } from 'vitest'
import { callInput, type ResultContent, resultText, type ToolResultPart } from './message.ts'

const part = (content: ResultContent): ToolResultPart => ({ type: 'tool-result', callId: null, tool: null, content })

describe('resultText', () => {
  it.each<[string, ResultContent, string]>([
    ['text', { type: 'text', text: 'as it is' }, 'as it is'],
    ['a value', { type: 'json', value: { a: [1] } }, '{"a":[1]}'],
    ['a value that is a string', { type: 'json', value: 'plain' }, 'plain'],
    ['no value', { type: 'json', value: undefined }, ''],
    [
      'a list, pictures left out',
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

  it('a value that JSON cannot write has no text and does no harm', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    expect(resultText(part({ type: 'json', value: cycle }))).toBe('')
    expect(resultText(part({ type: 'json', value: deep }))).toBe('')
    expect(resultText(part({ type: 'json', value: 1n }))).toBe('')
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

it('callInput does not read arguments that are nested without end, which no request could hold again', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}"]\\"["${']'.repeat(levels)}}`
  const read = (levels: number) => callInput({ type: 'tool-call', callId: '', tool: '', input: nested(levels) })
  expect(read(499)).not.toBeNull()
  expect([read(500), read(100_000)]).toEqual([null, null])
})
