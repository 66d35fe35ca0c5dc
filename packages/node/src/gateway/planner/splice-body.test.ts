import { type Patch, patchValue } from '@plimsoll/core/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spliceBytes } from '../relay/plan-request.ts'
import { createBodyReader, type ReadBody } from './read-body.ts'
import { spliceBody } from './splice-view.ts'

function bodyOf(text: string): ReadBody {
  const body = createBodyReader().read(Buffer.from(text), 'messages', 'x')
  if (body === null) throw new Error('the body cannot be read')
  return body
}

function spliced(text: string, patches: readonly Patch[]): string | null {
  const splices = spliceBody(bodyOf(text), patches)
  return splices === null ? null : (spliceBytes(Buffer.from(text), splices)?.toString() ?? null)
}

describe('patches become splices of bytes', () => {
  test('every byte outside the changes stays', () => {
    const text = '{ "n": 1.0, "messages": [ {"content" : "old", "x":1e3}, {"content":"é"} ] , "z":0 }'
    expect(spliced(text, [{ op: 'set', path: ['messages', 0, 'content'], value: 'nëw "1"' }])).toBe(
      '{ "n": 1.0, "messages": [ {"content" : "nëw \\"1\\"", "x":1e3}, {"content":"é"} ] , "z":0 }',
    )
  })

  test.each([
    ['first', '{"context":{"edits":[1]},"messages":[]}', '{"messages":[]}'],
    ['in the middle', '{"a":1, "context":{"edits":[1]}, "messages":[]}', '{"a":1, "messages":[]}'],
    ['last', '{"messages":[], "context":{"edits":[1]} }', '{"messages":[] }'],
    ['alone', '{ "context":{"edits":[1]} }', '{  }'],
  ])('a field is removed with its comma: %s', (_name, text, expected) => {
    expect(spliced(text, [{ op: 'remove', path: ['context'] }])).toBe(expected)
  })

  test('one of several edits is removed from a field next to the messages', () => {
    const text = '{"context":{"edits":[1,2,3]},"messages":[{"content":"a"}]}'
    expect(
      spliced(text, [
        { op: 'remove', path: ['context', 'edits', 1] },
        { op: 'set', path: ['messages', 0, 'content'], value: 'b' },
      ]),
    ).toBe('{"context":{"edits":[1,3]},"messages":[{"content":"b"}]}')
  })

  test.each<[string, string, Patch]>([
    ['a field twice at the top', '{"a":1,"messages":[{"c":1}],"a":2}', { op: 'set', path: ['messages', 0, 'c'], value: 2 }],
    [
      'a field twice on the way',
      '{"messages":[{"c":{"d":1},"c":{"d":2}}]}',
      { op: 'set', path: ['messages', 0, 'c', 'd'], value: 3 },
    ],
    [
      'a field twice, once with escapes',
      '{"messages":[{"c":1,"\\u0063":2}]}',
      { op: 'set', path: ['messages', 0, 'c'], value: 3 },
    ],
    ['a place that is not there', '{"messages":[{"c":1}]}', { op: 'set', path: ['messages', 0, 'd', 'e'], value: 3 }],
    ['a message that goes', '{"messages":[{"c":1}]}', { op: 'remove', path: ['messages', 0] }],
    ['a message that comes', '{"messages":[{"c":1}]}', { op: 'insert', path: ['messages', 1], value: {} }],
    ['a field that is not there', '{"messages":[]}', { op: 'remove', path: ['context'] }],
  ])('nothing is done where there is doubt: %s', (_name, text, patch) => {
    expect(spliced(text, [patch])).toBeNull()
  })

  test('property: parsing the spliced bytes gives the patched value', () => {
    let changed = 0
    fc.assert(
      fc.property(
        messageLists,
        fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { maxLength: 4 }),
        fc.nat(2),
        (list, edits, space) => {
          const value = { model: 'm', messages: list, tools: [] }
          const text = JSON.stringify(value, null, space)
          const patches = new Map<number, Patch>()
          for (const [at, put] of edits) {
            const index = at % list.length
            patches.set(index, { op: 'set', path: ['messages', index, 'content', 0, 'text'], value: put })
          }
          const all = [...patches.values()]
          if (all.length > 0) changed += 1
          expect(JSON.parse(spliced(text, all) ?? 'null')).toEqual(JSON.parse(JSON.stringify(patchValue(value, all))))
        },
      ),
      { numRuns: 200, examples: [[[{ role: 'user', content: [{ text: '\u2028é\ud83d', more: null }] }], [[0, 'ü"\\']], 2]] },
    )
    expect(changed).toBeGreaterThan(50)
  })
})

const messageLists = fc.array(
  fc.record({
    role: fc.constant('user'),
    content: fc.tuple(fc.record({ text: fc.string({ unit: 'binary' }), more: fc.jsonValue({ maxDepth: 1 }) })),
  }),
  { minLength: 1, maxLength: 6 },
)
