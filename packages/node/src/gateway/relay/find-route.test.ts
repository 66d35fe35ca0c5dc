import { describe, expect, test } from 'vitest'
import { findRoute, type RequestTarget, readTarget } from './find-route.ts'
import { readHead } from './request-head.ts'

const route = (method: string, target: string, headers: readonly string[] = []) => {
  const { dialect, name, kind, model } = findRoute(method, readTarget(target) as RequestTarget, readHead(headers))
  return [dialect, name, kind, model]
}

describe('findRoute', () => {
  test.each([
    ['/v1/messages?beta=true', ['anthropic', '/v1/messages', 'generate', null]],
    ['/messages', ['anthropic', '/v1/messages', 'generate', null]],
    ['/v1/messages/count_tokens', ['anthropic', '/v1/messages/count_tokens', 'count', null]],
    ['/v1/chat/completions', ['openai-chat', '/v1/chat/completions', 'generate', null]],
    ['/chat/completions', ['openai-chat', '/v1/chat/completions', 'generate', null]],
    ['/v1/responses', ['openai-responses', '/v1/responses', 'generate', null]],
    ['/responses', ['openai-responses', '/v1/responses', 'generate', null]],
    ['/t/work/v1/responses', ['openai-responses', '/v1/responses', 'generate', null]],
    [
      '/v1beta/models/gemini-2.5-pro:generateContent',
      ['gemini', '/v1beta/models/*:generateContent', 'generate', 'gemini-2.5-pro'],
    ],
    ['/v1beta/models/g:streamGenerateContent?alt=sse', ['gemini', '/v1beta/models/*:streamGenerateContent', 'generate', 'g']],
    ['/v1beta/models/g:countTokens', ['gemini', '/v1beta/models/*:countTokens', 'count', 'g']],
    ['/v1/models/g:generateContent', ['gemini', '/v1beta/models/*:generateContent', 'generate', 'g']],
    [
      '/v1/projects/p/locations/l/publishers/google/models/g:generateContent',
      ['gemini', '/v1beta/models/*:generateContent', 'generate', 'g'],
    ],
    ['/v1/messages/batches', ['anthropic', '/v1/messages/*', null, null]],
    ['/v1/responses/compact', ['openai-responses', '/v1/responses/*', 'compact', null]],
    ['/v1/responses/input_tokens', ['openai-responses', '/v1/responses/*', null, null]],
    ['/v1/responses/resp_1/cancel', ['openai-responses', '/v1/responses/*', null, null]],
    ['/v1beta/models/g:embedContent', ['gemini', '/v1beta/*', null, null]],
    ['/upload/v1beta/files', ['gemini', '/v1beta/*', null, null]],
    ['/v1internal:generateContent', ['gemini', '/v1beta/*', null, null]],
    ['/v1/embeddings', ['openai-chat', 'other', null, null]],
    ['/v1/messagesque', ['openai-chat', 'other', null, null]],
  ])('POST %s', (target, expected) => {
    expect(route('POST', target)).toEqual(expected)
  })

  test.each([
    [['anthropic-version', '2023-06-01'], '/v1/models', 'anthropic'],
    [['x-api-key', 'k'], '/v1/models', 'anthropic'],
    [['x-goog-api-key', 'k'], '/v1/models', 'gemini'],
    [[], '/v1/models?key=k', 'gemini'],
    [['authorization', 'Bearer k'], '/v1/models', 'openai-chat'],
    [['authorization', 'Bearer k'], '/models/gpt-6', 'openai-chat'],
    [[], '/v1/models', 'openai-chat'],
  ])('GET models with %j at %s goes to the caller’s own dialect', (headers, target, dialect) => {
    expect(route('GET', target, headers)).toEqual([dialect, '/v1/models', null, null])
  })

  test('plans only POST requests', () => {
    expect(route('GET', '/v1/responses')).toEqual(['openai-responses', '/v1/responses/*', null, null])
  })
})
