import { APICallError, RetryError } from 'ai'
import { describe, expect, it } from 'vitest'
import { describeFailure, isContextOverflow } from './model-client.ts'

function refused(statusCode: number, message: string, responseBody = ''): APICallError {
  return new APICallError({ message, url: 'http://127.0.0.1/v1', requestBodyValues: {}, statusCode, responseBody })
}

function retried(error: Error): RetryError {
  return new RetryError({ message: 'Failed after 2 attempts.', reason: 'maxRetriesExceeded', errors: [error, error] })
}

describe('isContextOverflow', () => {
  it.each([
    ['OpenAI', refused(400, 'bad request', '{"error":{"code":"context_length_exceeded"}}')],
    ['vLLM', refused(400, 'Bad Request', '{"object":"error","message":"This model\'s maximum context length is 4096 tokens."}')],
    ['llama.cpp', refused(400, 'the request exceeds the available context size, try increasing it')],
    ['Anthropic', refused(400, 'prompt is too long: 210000 tokens > 200000 maximum')],
    ['Gemini', refused(400, 'The input token count (1100000) exceeds the maximum number of tokens allowed')],
    ['an error in a stream', { message: 'context_length_exceeded' }],
    ['one that was tried again', retried(refused(500, 'maximum context length is 8192 tokens'))],
  ])('knows the words of %s', (_name, error) => expect(isContextOverflow(error)).toBe(true))

  it.each([
    ['a rate limit', refused(429, 'rate limit reached: too many tokens in a minute')],
    ['a wrong key', refused(401, 'invalid key')],
    ['a server that is down', new TypeError('fetch failed')],
    ['nothing', undefined],
    ['a number', 400],
  ])('does not take %s for one', (_name, error) => expect(isContextOverflow(error)).toBe(false))

  it('is done with a long body at once', () => {
    const body = 'exceeds the '.repeat(500_000)
    expect(isContextOverflow(refused(400, body, body))).toBe(false)
  })
})

describe('describeFailure', () => {
  it.each([
    ['a status and the words', refused(503, 'model is\n  loading'), 'HTTP 503: model is loading'],
    ['the last of several tries', retried(refused(500, 'broken')), 'HTTP 500: broken'],
    [
      'the cause below',
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
      'fetch failed: connect ECONNREFUSED',
    ],
    ['a text', 'overloaded', 'overloaded'],
    ['an object with a message', { message: 'overloaded' }, 'overloaded'],
    ['nothing', undefined, 'no reason given'],
    ['an object with nothing to say', { message: 7 }, 'no reason given'],
  ])('gives %s', (_name, error, expected) => expect(describeFailure(error)).toBe(expected))

  it('blanks a key that the server repeats', () => {
    expect(describeFailure(refused(401, 'no such key: s3cr3t+key'), ['', 's3cr3t+key'])).toBe('HTTP 401: no such key: ***')
  })

  it('keeps a page to 300 characters', () => {
    expect(describeFailure(refused(502, '<html>'.repeat(100_000)))).toHaveLength(300)
  })
})
