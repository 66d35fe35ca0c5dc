import { describe, expect, it } from 'vitest'
import { failureWords } from './failure-body.ts'

describe('failureWords', () => {
  it.each([
    ['OpenAI', { error: { message: 'Rate limit reached', type: 'requests' } }, 'Rate limit reached'],
    ['vLLM, as text', '{"object":"error","message":"too long"}', 'too long'],
    ['a stream', 'data: {"error":{"message":"overloaded"}}\n\n', 'overloaded'],
    ['a page', '<html><title>502 Bad Gateway</title></html>', '502 Bad Gateway'],
    ['a text', 'no such model', 'no such model'],
    ['nothing', '', ''],
    ['something else', 7, ''],
  ])('finds the message of %s', (_name, body, expected) => expect(failureWords(body)).toBe(expected))
})
