import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tokenizer } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { calls, deepFreeze, exchange, result, user } from '../testing/messages.ts'
import { countMessage, countMessages, countPart, estimateTokens, estimator } from './count-tokens.ts'

/** Counts characters, and remembers which texts it was asked about. */
function countingTokenizer(): Tokenizer & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    name: 'characters',
    asked,
    count(text) {
      asked.push(text)
      return text.length
    },
  }
}

const media = (mediaType: string, data: unknown): Part => ({ type: 'media', mediaType, data })
const call = (input: unknown): Part => ({ type: 'tool-call', callId: 'c', tool: 'Read', input })
const answer = (value: unknown): Part => ({ type: 'tool-result', callId: 'c', tool: null, content: { type: 'json', value } })

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

function cycle(): unknown {
  const value: Record<string, unknown> = { name: 'loop' }
  value['self'] = value
  return value
}

describe('countPart', () => {
  const parts: readonly (readonly [name: string, part: Part, expected: number])[] = [
    ['text', { type: 'text', text: 'hello' }, 5],
    ['reasoning', { type: 'reasoning', text: 'because' }, 7],
    ['a call: name, raw arguments and frame', call('{"a":1}'), 4 + 7 + 8],
    ['a call with parsed arguments, as JSON', call({ a: 1 }), 4 + 7 + 8],
    ['a call without arguments', call(undefined), 4 + 8],
    ['a result of text', { type: 'tool-result', callId: 'c', tool: null, content: { type: 'text', text: 'done' } }, 4 + 4],
    ['a result of JSON', answer({ a: 1 }), 7 + 4],
    [
      'a result with an image',
      {
        type: 'tool-result',
        callId: 'c',
        tool: null,
        content: {
          type: 'list',
          items: [
            { type: 'text', text: 'shot' },
            { type: 'media', mediaType: 'image/png', data: 'iVBORw0' },
          ],
        },
      },
      4 + 4 + 1500,
    ],
    ['an image of any size', media('image/png', 'A'.repeat(4_000_000)), 1500],
    ['a small document', media('application/pdf', 'A'.repeat(400)), 1500],
    ['a large document, by its bytes', media('application/pdf', 'A'.repeat(399_998)), 10_000],
    ["a vendor's own block, by its length as JSON", media('vendor/thing', { text: 'x'.repeat(390) }), 101],
  ]
  it.each(parts)('%s', (_name, part, expected) => {
    expect(countPart(deepFreeze(part), countingTokenizer())).toBe(expected)
  })

  it('counts bytes as base64, as they are sent', () => {
    expect(countPart(media('application/pdf', new Uint8Array(300_000)), estimator)).toBe(10_000)
    expect(countPart(media('application/pdf', { data: new ArrayBuffer(300_000) }), estimator)).toBe(10_001)
  })

  const odd: readonly (readonly [name: string, value: unknown])[] = [
    ['a cycle', cycle()],
    ['a BigInt', { size: 10n }],
    ['100,000 levels of nesting', nested(100_000)],
    ['null', null],
    ['a function', () => 1],
  ]
  it.each(odd)('counts %s instead of throwing', (_name, value) => {
    for (const part of [call(value), answer(value), media('vendor/odd', value)]) {
      expect(countPart(part, estimator)).toBeGreaterThan(0)
      expect(Number.isSafeInteger(countPart(part, estimator))).toBe(true)
    }
  })
})

describe('countMessage and countMessages', () => {
  it('adds a frame to the parts', () => {
    expect(countMessage(user('1', 'hello'), countingTokenizer())).toBe(5 + 4)
    expect(countMessage({ id: '2', role: 'assistant', parts: [] }, countingTokenizer())).toBe(4)
  })

  it('counts the texts of a list as one joined text', () => {
    const items = ['one', 'two', 'three'].map((text) => ({ type: 'text', text }) as const)
    const tokenizer = countingTokenizer()
    const list = result('m', 'c', '', { content: { type: 'list', items } }).parts[0] as Part
    expect(countPart(list, tokenizer)).toBe(countPart(result('m', 'c', 'one\ntwo\nthree').parts[0] as Part, tokenizer))
  })

  it('adds up a list, and returns zero for an empty one', () => {
    expect(countMessages([user('1', 'hello'), user('2', 'you')], countingTokenizer())).toBe(5 + 4 + 3 + 4)
    expect(countMessages([], countingTokenizer())).toBe(0)
  })

  it('never counts an unchanged message twice', () => {
    const tokenizer = countingTokenizer()
    const messages = deepFreeze([user('1', 'question'), ...exchange('2', 'Read', { path: 'a' }, 'content')])
    const first = countMessages(messages, tokenizer)
    expect(tokenizer.asked).toEqual(['question', 'Read', '{"path":"a"}', 'content'])
    expect(countMessages([...messages, user('3', 'more')], tokenizer)).toBe(first + 4 + 4)
    expect(tokenizer.asked).toEqual(['question', 'Read', '{"path":"a"}', 'content', 'more'])
  })

  it('never counts an unchanged part of a changed message twice', () => {
    const tokenizer = countingTokenizer()
    const message = calls('1', ['a', 'Read', '{}'], ['b', 'Grep', '{}'])
    countMessage(message, tokenizer)
    tokenizer.asked.length = 0
    const changed: Message = { ...message, parts: [...message.parts.slice(0, 1), { type: 'text', text: 'new' }] }
    expect(countMessage(changed, tokenizer)).toBe(4 + 2 + 8 + 3 + 4)
    expect(tokenizer.asked).toEqual(['new'])
  })

  it('remembers per tokenizer', () => {
    const message = result('1', 'c', 'answer')
    const double: Tokenizer = { name: 'double', count: (text) => text.length * 2 }
    expect(countMessage(message, countingTokenizer())).toBe(6 + 4 + 4)
    expect(countMessage(message, double)).toBe(12 + 4 + 4)
    expect(countMessage(message, countingTokenizer())).toBe(6 + 4 + 4)
  })
})

describe('estimateTokens', () => {
  const texts: readonly (readonly [text: string, exact: number])[] = [
    ['', 0],
    ['a', 1],
    ['Hello world, this is plain text.', 8],
    ['1234567890', 4],
    ['\n\n    \n', 1],
    ['const answer = compute(input)\n', 7],
    ['========', 1],
  ]
  it.each(texts)('%j is %i tokens, as in o200k', (text, exact) => {
    expect(estimateTokens(text)).toBe(exact)
  })

  it('counts messages as the estimator does', () => {
    const messages = [user('1', 'Hello world, this is plain text.')]
    expect(estimateTokens(messages)).toBe(8 + 4)
    expect(estimateTokens(messages)).toBe(countMessages(messages, estimator))
  })

  it('gives a whole number, at least one and at most about the bytes, for any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom(
        '\ud800',
        '\udfff',
        '\u001b[31m',
        '   ',
        '\r\n',
        "don't",
        "'",
        '中文',
        '한국어',
        '────',
        'camelCaseWORD',
        '0x1F',
      ),
    )
    let reached = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        if (/[\ud800-\udfff]/.test(text) && /\d/.test(text) && /\s/.test(text)) reached += 1
        const tokens = estimateTokens(text)
        expect(Number.isSafeInteger(tokens)).toBe(true)
        expect(tokens).toBeGreaterThanOrEqual(text === '' ? 0 : 1)
        expect(tokens).toBeLessThanOrEqual(2 * text.length + 1)
      }),
      { numRuns: 500 },
    )
    expect(reached).toBeGreaterThan(20)
  })

  it('grows linearly on a very long run of any character', () => {
    for (const unit of ['a', 'A', ' ', '\n', '=', '=-', '中', '😀', '9', 'é', '\u0000', 'aB', '\ud800']) {
      const small = estimateTokens(unit.repeat(10_000))
      const large = estimateTokens(unit.repeat(1_000_000))
      expect(Math.abs(large / small - 100)).toBeLessThan(2)
    }
  })
})
