import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'
import type { RefusedReply } from './reply.ts'

const retryAfter = { 'retry-after': '7' }

/** Original error responses of providers: rate limit, prompt too long, overloaded. */
export const refusals: Readonly<Record<WireDialect, Readonly<Record<'limited' | 'overflow' | 'overloaded', RefusedReply>>>> = {
  anthropic: {
    limited: anthropic(429, 'rate_limit_error', 'This request would exceed your rate limit.'),
    overflow: anthropic(400, 'invalid_request_error', 'prompt is too long: 215000 tokens > 200000 maximum'),
    overloaded: anthropic(529, 'overloaded_error', 'Overloaded'),
  },
  'openai-chat': openaiRefusals(),
  'openai-responses': openaiRefusals(),
  gemini: {
    limited: gemini(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.'),
    overflow: gemini(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ),
    overloaded: gemini(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  },
}

function anthropic(status: number, type: string, message: string): RefusedReply {
  return { status, headers: retryAfter, body: { type: 'error', error: { type, message }, request_id: 'req_fake' } }
}

function openaiRefusals() {
  const openai = (status: number, type: string, code: string, message: string): RefusedReply => ({
    status,
    headers: { ...retryAfter, 'x-ratelimit-remaining-tokens': '0' },
    body: { error: { message, type, param: null, code } },
  })
  return {
    limited: openai(429, 'tokens', 'rate_limit_exceeded', 'Rate limit reached for gpt-4.1.'),
    overflow: openai(
      400,
      'invalid_request_error',
      'context_length_exceeded',
      "This model's maximum context length is 1047576 tokens. However, your messages resulted in 1200000 tokens.",
    ),
    overloaded: openai(503, 'server_error', 'overloaded', 'The engine is currently overloaded.'),
  }
}

function gemini(code: number, status: string, message: string): RefusedReply {
  return { status: code, headers: retryAfter, body: { error: { code, message, status } } }
}
