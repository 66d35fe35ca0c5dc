import { describe, expect, it } from 'vitest'
import { ContextLengthExceededError, isContextLengthExceeded, providerError } from './context-length-error.ts'

describe('ContextLengthExceededError', () => {
  it('R002-15 has the message, the name and the fields', () => {
    const error = new ContextLengthExceededError(168_754, 131_072, 'deepseek')
    expect(error).toBeInstanceOf(Error)
    expect({ ...error, message: error.message, name: error.name }).toEqual({
      message: '上下文长度超出限制',
      name: 'ContextLengthExceededError',
      code: 'CONTEXT_LENGTH_EXCEEDED',
      requestedTokens: 168_754,
      maxTokens: 131_072,
      provider: 'deepseek',
    })
  })

  it.each<[name: string, error: unknown, expected: boolean]>([
    ['its own', new ContextLengthExceededError(null, null, 'x'), true],
    [
      'that of another copy',
      Object.assign(new Error('x'), { name: 'ContextLengthExceededError', requestedTokens: 1, maxTokens: null }),
      true,
    ],
    ['one with the name alone', Object.assign(new Error('x'), { name: 'ContextLengthExceededError' }), false],
    ['any other', new Error('上下文长度超出限制'), false],
    ['a plain object', { name: 'ContextLengthExceededError', requestedTokens: 1, maxTokens: 1 }, false],
    ['nothing', undefined, false],
  ])('is distinguished from other errors: %s', (_name, error, expected) => expect(isContextLengthExceeded(error)).toBe(expected))
})

describe('providerError', () => {
  const refused = (message: string, status = 400) =>
    Object.assign(new Error('refused'), { response: { status, data: { error: { message } } } })

  it.each<[provider: string, message: string, requested: number | null, max: number | null]>([
    [
      'deepseek',
      "This model's maximum context length is 131072 tokens. However, you requested 168754 tokens (168754 in the messages, 0 in the completion).",
      168_754,
      131_072,
    ],
    [
      'openai',
      "This model's maximum context length is 8,192 tokens.\nHowever, your messages resulted in 9,000 tokens.",
      9000,
      8192,
    ],
    ['anthropic', 'prompt is too long: 205880 tokens > 200000 maximum', 205_880, 200_000],
    ['anthropic', 'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000', 206_192, 200_000],
    ['gemini', 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).', 1_100_000, 1_048_576],
    ['other', 'context_length_exceeded', null, null],
    [
      'openai',
      "Invalid 'input': string too long. Expected a string with maximum length 1048576, but got a string with length 2000000 instead.",
      null,
      null,
    ],
  ])('R002-16 Q-19b reads the sizes that %s names', (provider, message, requested, max) => {
    const error = refused(message)
    const thrown = providerError(error, provider)
    expect(isContextLengthExceeded(thrown) && [thrown.requestedTokens, thrown.maxTokens, thrown.provider, thrown.cause]).toEqual([
      requested,
      max,
      provider,
      error,
    ])
  })

  it('R002-16 reads it from an error of a model library', () => {
    const error = Object.assign(new Error('refused'), {
      statusCode: 400,
      responseBody: '{"error":{"message":"prompt is too long: 3 tokens > 2 maximum"}}',
    })
    expect(providerError(error, 'anthropic')).toEqual(new ContextLengthExceededError(3, 2, 'anthropic', { cause: error }))
  })

  it('R002-17 includes the status and the response of any other failure', () => {
    const error = refused('no such model', 404)
    expect(providerError(error, 'deepseek')).toEqual(
      new Error('DeepSeek API error: 404 - {"error":{"message":"no such model"}}', { cause: error }),
    )
  })

  it.each<[name: string, error: unknown]>([
    ['an error', new TypeError('fetch failed')],
    ['a text', 'maximum context length is 5, requested 9'],
    ['nothing', undefined],
  ])('R002-17 leaves %s without an answer as it is', (_name, error) => expect(providerError(error, 'deepseek')).toBe(error))

  it('describes a response that cannot be written as JSON', () => {
    const data: Record<string, unknown> = {}
    data['self'] = data
    expect(providerError({ response: { status: 500, data } }, 'mine')).toMatchObject({
      message: 'mine API error: 500 - {…}',
    })
  })
})
