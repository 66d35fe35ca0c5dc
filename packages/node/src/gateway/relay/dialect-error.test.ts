import { describe, expect, test } from 'vitest'
import { dialectError } from './dialect-error.ts'

describe('dialectError', () => {
  const refusal = { status: 502, code: 'upstream_closed', message: 'it closed.' }

  test('speaks the dialect of the client', () => {
    expect(JSON.parse(dialectError('anthropic', refusal, 'r'))).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'Plimsoll gateway: it closed.' },
      request_id: 'r',
    })
    for (const dialect of ['openai-chat', 'openai-responses', null] as const) {
      expect(JSON.parse(dialectError(dialect, refusal, 'r'))).toEqual({
        error: { message: 'Plimsoll gateway: it closed.', type: 'server_error', param: null, code: 'plimsoll_upstream_closed' },
      })
    }
    expect(JSON.parse(dialectError('gemini', refusal, 'r'))).toEqual({
      error: { code: 502, message: 'Plimsoll gateway: it closed.', status: 'UNAVAILABLE' },
    })
  })
})
