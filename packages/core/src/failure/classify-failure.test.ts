import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { knownFailure, message, otherBodies, overflowBodies, reservationBodies, tooLong } from '../testing/failure-bodies.ts'
import { deepFreeze } from '../testing/messages.ts'
import { classifyFailure } from './classify-failure.ts'

describe('classifyFailure', () => {
  it.each(overflowBodies)('Q-19b detects an input that is too long: %s', (_name, status, body, expected) =>
    expect(classifyFailure({ status, body: deepFreeze(body) })).toEqual(expected),
  )

  it.each(reservationBodies)('Q-19b detects an answer that has no room: %s', (_name, status, body, expected) =>
    expect(classifyFailure({ status, body })).toEqual(expected),
  )

  it.each(otherBodies)('classifies: %s', (_name, status, body, expected) =>
    expect(classifyFailure({ status, body })).toEqual(expected),
  )

  it.each(
    [...overflowBodies, ...reservationBodies, ...otherBodies].filter(
      ([, , body]) => typeof body === 'object' && !(body instanceof Error),
    ),
  )('reads the same from the text of the body: %s', (_name, status, body, expected) =>
    expect(classifyFailure({ status, body: JSON.stringify(body, null, 1) })).toEqual(expected),
  )

  it('reads the same however often it is wrapped', () => {
    const wrapped = fc
      .tuple(
        fc.constantFrom(...[...overflowBodies, ...reservationBodies].filter(([, , body]) => isPlain(body))),
        fc.array(fc.constantFrom(...wrappers), { minLength: 1, maxLength: 4 }),
      )
      .map(([[, , body, expected], around]) => ({ body: around.reduce<unknown>((inside, wrap) => wrap(inside), body), expected }))
    let nested = 0
    fc.assert(
      fc.property(wrapped, fc.constantFrom(200, 400, 500, 502, null), ({ body, expected }, status) => {
        if (typeof body === 'string' && body.includes('\\\\')) nested += 1
        const { provider: _, ...sizes } = expected
        expect(classifyFailure({ status, body })).toMatchObject(sizes)
      }),
      { numRuns: 500 },
    )
    expect(nested).toBeGreaterThan(10)
  })

  it.each<[name: string, headers: unknown, expected: string | null]>([
    ['a plain object', { 'X-Groq-Region': 'x' }, 'groq'],
    ['a map', new Map([['apim-request-id', 'x']]), 'azure'],
    ['headers of fetch', new Headers({ 'OpenAI-Organization': 'x' }), 'openai'],
    ['headers that throw', new Proxy({}, { get: throwing, ownKeys: throwing }), null],
    ['a text', 'x-groq-region: x', null],
  ])('takes the provider from %s', (_name, headers, provider) =>
    expect(classifyFailure({ status: 400, body: { error: { code: 'context_length_exceeded' } }, headers })).toEqual(
      knownFailure('overflow', { provider }),
    ),
  )

  it('reads a code from a header', () =>
    expect(
      classifyFailure({ status: 400, body: { message: null }, headers: { 'x-amzn-errortype': 'ThrottlingException:http://x' } }),
    ).toEqual(knownFailure('rate_limit', { provider: 'bedrock' })))
})

describe('a hostile body', () => {
  const cyclic: Record<string, unknown> = { code: 'x' }
  cyclic['error'] = [cyclic, { error: cyclic }]
  let deep: unknown = 'prompt is too long'
  for (let depth = 0; depth < 100_000; depth += 1) deep = { error: deep }
  const size = 10_000_000

  it.each<[name: string, body: unknown]>([
    ['with itself inside', cyclic],
    ['deep', deep],
    ['deep as text', '{"error":'.repeat(size / 9)],
    ['of brackets', '['.repeat(size)],
    ['of braces after a word', `x${'{'.repeat(size)}`],
    ['of quotes', '"'.repeat(size)],
    ['of escaped quotes', '\\"'.repeat(size / 2)],
    ['of half a tag', '<p '.repeat(size / 3)],
    ['of digits', `maximum context length is ${'1'.repeat(size)}`],
    ['of half a field', '{"message":'.repeat(size / 11)],
    ['of blanks', `{"error":${' '.repeat(size)}`],
    ['of events', 'data: {"x":1}\n'.repeat(size / 14)],
    ['of many errors', { errors: Array.from({ length: 100_000 }, (_, index) => ({ message: `text ${index}` })) }],
    ['whose status is an object that cannot become a number', { code: { toString: 1, valueOf: null } }],
    ['that throws', new Proxy({}, { get: throwing })],
    ['of another sort', 7n],
    ['of bytes', new Uint8Array(1000)],
  ])('classifies %s, and not as an overflow', (_name, body) => expect(classifyFailure({ status: 500, body }).kind).toBe('other'))

  it('is classified even if it repeats half a sentence', () =>
    expect(classifyFailure({ status: 500, body: 'maximum context length is 1 '.repeat(size / 28) })).toEqual(
      knownFailure('overflow', { limit: 1 }),
    ))

  it('is classified if the error is next to an echo of ten million characters', () => {
    const body = JSON.stringify({ request: 'x'.repeat(size), ...message('prompt is too long: 300 tokens > 200 maximum') })
    expect(classifyFailure({ status: 400, body })).toEqual(tooLong(200, 300, 'anthropic'))
  })

  it('is read at both ends of a long message', () => {
    const text = `${'word '.repeat(size / 5)} prompt is too long: 300 tokens > 200 maximum`
    expect(classifyFailure({ status: 400, body: message(text) })).toEqual(tooLong(200, 300, 'anthropic'))
  })
})

describe('no overflow without words for it', () => {
  const plain = fc.constantFrom(
    'the',
    'river',
    'runs',
    'a',
    'book',
    'request',
    'error',
    'was',
    'tool',
    '42',
    'of',
    'minutes',
    'and',
    'value',
  )
  const subjects = fc.constantFrom('context length', 'prompt', 'tokens', 'context window', 'input', '131072', 'model')
  const excesses = fc.constantFrom('exceeds', 'too long', 'larger than', 'overflow', '200000', 'limit', 'maximum')
  const prose = fc
    .tuple(fc.constantFrom(plain, subjects, excesses), fc.nat(2))
    .chain(([kind]) => fc.array(fc.oneof(plain, kind), { minLength: 1, maxLength: 30 }))
    .map((words) => words.join(' '))

  it('never takes prose that says only half of it for an overflow', () => {
    let half = 0
    fc.assert(
      fc.property(prose, fc.constantFrom(200, 400, 413, 422, 500, 502, null), (text, status) => {
        if (/context|exceeds|too long/.test(text)) half += 1
        for (const body of [text, message(text), { detail: text }])
          expect(['overflow', 'output_reservation']).not.toContain(classifyFailure({ status, body }).kind)
      }),
    )
    expect(half).toBeGreaterThan(20)
  })

  it('never takes a status alone for an overflow', () =>
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.constantFrom(null, undefined, '', {}, [], 'null'), (status, body) => {
        expect(['rate_limit', 'auth', 'payload_bytes', 'other']).toContain(classifyFailure({ status, body }).kind)
      }),
    ))

  it('answers anything, and never with a negative size', () =>
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (body, headers) => {
        const { limit, requested, input, output } = classifyFailure({ status: 400, body, headers })
        for (const value of [limit, requested, input, output]) expect(value === null || value >= 0).toBe(true)
      }),
    ))

  it('never takes what 429 says for an overflow', () =>
    fc.assert(
      fc.property(fc.constantFrom(...overflowBodies, ...reservationBodies), ([, , body]) => {
        expect(['rate_limit', 'tpm_single_request']).toContain(classifyFailure({ status: 429, body }).kind)
      }),
    ))
})

function throwing(): never {
  throw new Error('not to be read')
}

/** Wrappers that relays and libraries put around a response. */
const wrappers: readonly ((body: unknown) => unknown)[] = [
  (body) => ({ error: body }),
  (body) => [{ error: body }],
  (body) => ({ detail: { message: body } }),
  (body) => ({ response: { status: 'failed', error: body } }),
  (body) => ({ error: { message: 'Provider returned error', metadata: { raw: JSON.stringify(body) } } }),
  (body) => JSON.stringify(body),
  (body) => `Error from provider: ${JSON.stringify(body)}`,
  (body) => `event: error\ndata: ${JSON.stringify(body)}\n\n`,
]

function isPlain(body: unknown): boolean {
  return typeof body === 'object' && !(body instanceof Error)
}
