import { describe, expect, it } from 'vitest'
import type { ToolCallPart } from '../message.ts'
import { deepFreeze } from '../testing/messages.ts'
import { cutCall } from './shrink-parts.ts'

const call = (input: unknown): ToolCallPart => ({ type: 'tool-call', callId: 'c', tool: 'Write', input })
const long = 'abcdefghij'.repeat(50)
const cut = 'abcdefghijabcdefghij… [480 characters cut; recall 0123456789ab]'
const shortened = (input: unknown) => cutCall(deepFreeze(call(input)), 20, '0123456789ab')

const nested = (value: unknown, times: number): unknown => (times === 0 ? value : nested([value], times - 1))
/** With a shortened list and one more field these make 1,000 characters of JSON. */
const fields = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`field${index}`, 'x'.repeat(86)]))

describe('Q-24 the arguments of an old call', () => {
  it.each<[name: string, input: unknown, expected: unknown]>([
    [
      'a value',
      { path: 'a.ts', content: long, lines: 4, flag: true, none: null },
      { path: 'a.ts', content: cut, lines: 4, flag: true, none: null },
    ],
    ['inside lists and fields', { edits: [{ old: 'x', new: long }, 3] }, { edits: [{ old: 'x', new: cut }, 3] }],
    ['JSON as text', JSON.stringify({ path: 'a.ts', content: long }), JSON.stringify({ path: 'a.ts', content: cut })],
    ['a list as text', JSON.stringify([long]), JSON.stringify([cut])],
    ['free text', long, cut],
    ['truncated arguments', `{"content": "${long}`, '{"content": "abcdefg… [493 characters cut; recall 0123456789ab]'],
    [
      'characters outside the basic plane',
      { text: '🎉'.repeat(200) },
      { text: `${'🎉'.repeat(20)}… [180 characters cut; recall 0123456789ab]` },
    ],
    ['a text at the maximum depth', nested(long, 9), nested(cut, 9)],
    ['a field called __proto__', JSON.parse(`{"__proto__": "${long}"}`), JSON.parse(`{"__proto__": "${cut}"}`)],
  ])('%s', (_name, input, expected) => expect(shortened(input)).toEqual(call(expected)))

  it.each<[name: string, input: unknown]>([
    ['short texts', { path: 'a.ts', content: 'x'.repeat(100) }],
    ['a short text', 'x'.repeat(100)],
    ['a short text that is JSON', JSON.stringify({ path: 'a.ts' })],
    ['nothing', undefined],
    ['null', null],
    ['a number', 4],
    ['the maximum number of short values', { rows: [...Array.from({ length: 493 }, () => 1), 100] }],
    ['a text below the maximum depth', nested(long, 10)],
    ['a date with a text', Object.assign(new Date(0), { text: long })],
    ['bytes', new Uint8Array(5000)],
  ])('returns null for %s', (_name, input) => expect(cutCall(call(input), 20, 'h')).toBe(null))

  it.each<[name: string, input: unknown, expected: unknown]>([
    [
      'many short values',
      { path: 'a.ts', rows: Array.from({ length: 3000 }, () => 1) },
      { path: 'a.ts', rows: '[1,1,1,1,1,1,1,1,1,1… [5,981 characters cut; recall 0123456789ab]' },
    ],
    [
      'many short values next to a few, and next to a text of the maximum length',
      { rows: Array.from({ length: 3000 }, () => 1), none: null, one: { a: 1 }, text: 'x'.repeat(100) },
      {
        rows: '[1,1,1,1,1,1,1,1,1,1… [5,981 characters cut; recall 0123456789ab]',
        none: null,
        one: { a: 1 },
        text: 'x'.repeat(100),
      },
    ],
    [
      'many short values among the maximum number of fields',
      { rows: Array.from({ length: 3000 }, () => 1), ...fields, last: 'x'.repeat(32) },
      { rows: '[1,1,1,1,1,1,1,1,1,1… [5,981 characters cut; recall 0123456789ab]', ...fields, last: 'x'.repeat(32) },
    ],
    [
      'a list of a list of many values',
      [Array.from({ length: 3000 }, () => 1)],
      { arguments: '[[1,1,1,1,1,1,1,1,1,… [5,983 characters cut; recall 0123456789ab]' },
    ],
    [
      'many short values in JSON as text',
      JSON.stringify({ rows: Array.from({ length: 3000 }, () => 1) }),
      JSON.stringify({ rows: '[1,1,1,1,1,1,1,1,1,1… [5,981 characters cut; recall 0123456789ab]' }),
    ],
    [
      'a deeply nested text',
      { deep: [[[[[[[[[['x'.repeat(2000)]]]]]]]]]] },
      { deep: '[[[[[[[[[["xxxxxxxxx… [2,002 characters cut; recall 0123456789ab]' },
    ],
    [
      'only brackets',
      '['.repeat(100_000) + ']'.repeat(100_000),
      `${'['.repeat(20)}… [199,980 characters cut; recall 0123456789ab]`,
    ],
    [
      'a list of many values',
      Array.from({ length: 3000 }, () => 1),
      { arguments: '[1,1,1,1,1,1,1,1,1,1… [5,981 characters cut; recall 0123456789ab]' },
    ],
    ['a long name', { ['n'.repeat(2000)]: 1 }, { arguments: `{"${'n'.repeat(18)}… [1,986 characters cut; recall 0123456789ab]` }],
    [
      'many names',
      Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 1])),
      { arguments: '{"k0":1,"k1":1,"k2":… [28,871 characters cut; recall 0123456789ab]' },
    ],
  ])('shortens arguments without a long text near the top: %s', (_name, input, expected) =>
    expect(shortened(input)).toEqual(call(expected)),
  )

  it('reads only the first 20,000 values', () => {
    const ones = Array.from({ length: 19_998 }, () => 1)
    const text = 'y'.repeat(3000)
    const shown = `${'y'.repeat(2000)}… [1,000 characters cut; recall h]`
    expect(cutCall(call([...ones, text, text]), 2000, 'h')).toEqual(call([...ones, shown, text]))
  })

  it('terminates for circular and endlessly nested values', () => {
    const loop: Record<string, unknown> = { long }
    for (let index = 0; index < 50; index += 1) loop[`self${index}`] = loop
    expect(cutCall(call(loop), 20, 'h')?.input).toMatchObject({ long: expect.stringContaining('cut; recall h]') })
    let deep: unknown = long
    for (let index = 0; index < 50_000; index += 1) deep = [deep]
    expect(cutCall(call({ deep }), 20, 'h')).toBe(null)
  })
})
