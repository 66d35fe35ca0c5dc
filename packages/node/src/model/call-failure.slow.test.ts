import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { classifyFailure } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { afterEach, describe, expect, it } from 'vitest'
import { overflowBodies } from '../../../core/src/testing/failure-bodies.ts'
import { createModelClient, type ModelClientOptions } from './create-client.ts'
import { ModelCallError } from './model-client.ts'
import { type Answer, type OpenAiServer, startOpenAiServer } from './testing/openai-server.ts'
import { type ProviderAnswer, type ProviderServer, startProviderServer } from './testing/provider-server.ts'

const key = 'sk-s3cr3t-key'
const servers: (OpenAiServer | ProviderServer)[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function ask(options: Partial<ModelClientOptions>): Promise<ModelCallError> {
  const client = createModelClient({
    name: 'test-model',
    environment: { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GEMINI_API_KEY: key, DEEPSEEK_API_KEY: key },
    config: completeConfig({}),
    ...options,
  })
  const signal = new AbortController().signal
  const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }] }] as const
  const error: unknown = await client
    .call({ messages, tools: [], maxOutputTokens: 500, breakpoints: [], signal }, () => undefined)
    .then(
      (answer) => expect.fail(`answered ${JSON.stringify(answer)}`),
      (reason: unknown) => reason,
    )
  expect(error).toBeInstanceOf(ModelCallError)
  expect((error as Error).message).not.toContain(key)
  expect((error as Error).cause).toBeUndefined()
  return error as ModelCallError
}

async function askServer(answer: Answer, options: Partial<ModelClientOptions> = {}): Promise<ModelCallError> {
  const server = await startOpenAiServer(answer)
  servers.push(server)
  return ask({ url: server.url, ...options })
}

const body = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  kind: 'body',
  status,
  body: typeof value === 'string' ? value : JSON.stringify(value),
  headers,
})
const said = (message: string, fields: object = {}) => ({ error: { message, ...fields } })
const tooMuch = 'prompt is too long: 5000 tokens > 4096 maximum'
const half = 'data: {"choices":[{"index":0,"delta":{"content":"I will"},"finish_reason":null}]}\n\n'
const halfCall =
  'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"Write","arguments":"{\\"file_path\\":"}}]},"finish_reason":null}]}\n\n'

describe('a refusal', () => {
  it.each([
    ['a wrong key', body(401, said(`Incorrect API key provided: ${key}.`, { code: 'invalid_api_key' })), 'auth', false, 401],
    ['a forbidden model', body(403, said('not allowed')), 'auth', false, 403],
    ['too many requests', body(429, said('Rate limit reached', { code: 'rate_limit_exceeded' })), 'rate_limit', true, 429],
    [
      'an empty purse',
      body(429, said('You exceeded your current quota', { code: 'insufficient_quota' })),
      'rate_limit',
      false,
      429,
    ],
    ['a bill', body(402, said('Insufficient credits')), 'other', false, 402],
    ['an overload', body(529, said('Overloaded', { type: 'overloaded_error' })), 'rate_limit', true, 529],
    ['a broken server', body(500, said('The server had an error')), 'other', true, 500],
    [
      'a gateway’s page',
      body(502, '<html><title>502 Bad Gateway</title></html>', { 'content-type': 'text/html' }),
      'other',
      true,
      502,
    ],
    ['an empty 503', body(503, ''), 'other', true, 503],
    ['a time-out', body(408, said('timed out')), 'other', true, 408],
    ['a model that is not there', body(404, said('The model does not exist', { code: 'model_not_found' })), 'other', false, 404],
    ['a wrong request', body(400, said('Unknown parameter')), 'other', false, 400],
    ['a redirection', body(302, '', { location: 'http://127.0.0.1:1/' }), 'other', false, 302],
  ] as const)('for %s', async (_name, answer, kind, isTransient, status) => {
    const error = await askServer(answer)
    expect({ kind: error.failure.kind, isTransient: error.isTransient, status: error.status }).toEqual({
      kind,
      isTransient,
      status,
    })
  })

  it.each([
    ['http://127.0.0.1:9/v1/chat/completions?key=x', 'the server redirects to http://127.0.0.1:9/v1/chat/completions, which is'],
    ['', 'the server redirects, which is not followed'],
  ])('names the target of a redirect: %j', async (location, words) => {
    const error = await askServer(body(302, '', location === '' ? {} : { location }))
    expect(error.message).toContain(words)
    expect(error).toMatchObject({ status: 302, isTransient: false })
  })

  it('is reported unchanged if the key is too short to redact', async () => {
    const error = await askServer(body(400, said('max_tokens is too large')), { environment: { OPENAI_API_KEY: 'x' } })
    expect(error.message).toBe('HTTP 400: max_tokens is too large')
  })

  it('is reported in the server’s text, without the key, in at most 300 characters', async () => {
    const wrongKey = await askServer(body(401, said(`Incorrect API key provided: ${key}.`)))
    expect(wrongKey.message).toBe('HTTP 401: Incorrect API key provided: ***.')
    const page = await askServer(body(500, said('many words '.repeat(1000))))
    expect(page.message).toHaveLength(300)
    const shaped = await askServer(body(400, { object: 'error', message: 'the model is\n not loaded' }))
    expect(shaped.message).toBe('HTTP 400: the model is not loaded')
  })

  it.each([
    [{ 'retry-after': '7' }, 'Slow down', 7000],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 'Slow down', 1500],
    [{ 'retry-after': 'Mon, 05 Jan 2026 09:00:30 GMT' }, 'Slow down', 30_000],
    [{ 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6m0s' }, 'Slow down', 360_000],
    [{}, 'Please try again in 1.5s.', 1500],
    [{}, 'Slow down', null],
    [{ 'retry-after': 'soon' }, 'Slow down', null],
  ])('gives the time to wait: %j', async (headers, message, expected) => {
    const now = () => Date.UTC(2026, 0, 5, 9, 0, 0)
    const error = await askServer(body(429, said(message), headers as Record<string, string>), { now })
    expect(error).toMatchObject({ retryAfter: expected, isTransient: true })
  })

  it('is transient if the budget is used up for a minute only', async () => {
    const error = await askServer(
      body(
        429,
        said('You exceeded your current quota, please check your plan and billing details.', {
          status: 'RESOURCE_EXHAUSTED',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }],
        }),
      ),
    )
    expect(error).toMatchObject({ retryAfter: 34_000, isTransient: true })
  })

  it('gives the provider’s name for the request', async () => {
    const error = await askServer(body(500, said('no'), { 'x-request-id': 'req_011CX' }))
    expect(error.requestId).toBe('req_011CX')
  })
})

describe('an invalid answer', () => {
  it.each([
    ['cut in the middle of a text', { kind: 'cut', text: 'I will' }, true],
    ['ended politely in the middle of a text', { kind: 'unfinished', text: 'I will' }, true],
    ['cut in the middle of a call', { kind: 'raw', pieces: [halfCall], ending: 'break' }, true],
    ['ended in the middle of a call', { kind: 'raw', pieces: [halfCall] }, true],
    ['ended in the middle of an event', { kind: 'raw', pieces: [half, half.slice(0, 30)] }, true],
    ['cut before it began', { kind: 'raw', pieces: [], ending: 'break' }, true],
    ['without an event', { kind: 'raw', pieces: [] }, true],
    ['of events that are not JSON', { kind: 'raw', pieces: [half, 'data: {"choices":[{]\n\n', half] }, true],
    ['of events that are something else', { kind: 'raw', pieces: ['data: {"hello":"world"}\n\n'] }, true],
    ['of noise', { kind: 'raw', pieces: ['\u0000\u0001 nonsense\n\n\n', ': ping\n\n'] }, true],
    [
      'of nothing but an end',
      {
        kind: 'raw',
        pieces: [half.replace('I will', ''), 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'],
      },
      true,
    ],
    [
      'held back by a filter',
      { kind: 'raw', pieces: ['data: {"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}\n\n'] },
      false,
    ],
    ['a page', { kind: 'raw', pieces: ['<html><title>Sign in</title></html>'], headers: { 'content-type': 'text/html' } }, false],
    ['an error in a 200', body(200, said('Upstream failed', { code: 502 })), true],
    ['a lasting error in a 200', body(200, said('no such model', { code: 404 })), false],
  ] as const)('%s', async (_name, answer, isTransient) => {
    const error = await askServer(answer)
    expect({ kind: error.failure.kind, isTransient: error.isTransient, status: error.status }).toEqual({
      kind: 'other',
      isTransient,
      status: 200,
    })
    expect(error.message).not.toBe('no reason given')
  })

  it.each([
    [said('Provider disconnected', { code: 502 }), 'Provider disconnected', 'other', true],
    [
      {
        ...said('Provider returned error', { code: 429 }),
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      },
      'Provider returned error',
      'rate_limit',
      true,
    ],
    [
      said("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."),
      "This model's maximum context length",
      'overflow',
      false,
    ],
  ])('is read as an error in the middle of a stream: %j', async (event, words, kind, isTransient) => {
    const error = await askServer({ kind: 'raw', pieces: [half, `data: ${JSON.stringify(event)}\n\n`] })
    expect(error.message).toContain(words)
    expect({ kind: error.failure.kind, isTransient: error.isTransient }).toEqual({ kind, isTransient })
  })

  it.each([
    ['vLLM, bare', `data: ${JSON.stringify({ object: 'error', message: tooMuch, type: 'BadRequestError', code: 400 })}\n\n`],
    ['words and nothing else', `data: ${JSON.stringify({ message: tooMuch })}\n\n`],
    ['a list', `data: ${JSON.stringify([said(tooMuch)])}\n\n`],
    ['details', `data: ${JSON.stringify({ detail: tooMuch })}\n\n`],
    ['an event of plain text', `event: error\r\ndata: ${tooMuch}\r\n\r\n`],
    ['an event over two lines', `event: error\ndata: {"error":{"message":\ndata: "${tooMuch}"}}\n\n`],
    ['an event of another shape', `event: error\ndata: ${JSON.stringify({ reason: tooMuch })}\n\n`],
  ])('is read as an error in another shape: %s', async (_name, piece) => {
    const error = await askServer({ kind: 'raw', pieces: [half, piece] })
    expect(error.message).toContain(tooMuch)
    expect(error).toMatchObject({ failure: { kind: 'overflow', limit: 4096, requested: 5000 }, isTransient: false })
  })

  it('does not read the model’s text about errors as an error of the server', async () => {
    const text = 'The log says: maximum context length is 4096 tokens, however you requested 5000 tokens.'
    const error = await askServer({ kind: 'cut', text })
    expect(error.failure.kind).toBe('other')
    expect(error.message).toContain('was cut off')
  })

  it('fails if it is empty', async () => {
    const error = await askServer(body(204, ''))
    expect(error).toMatchObject({ message: 'the server sent an empty answer', isTransient: true, status: 204 })
  })

  it('fails if it stalls', async () => {
    const server = await startOpenAiServer({ kind: 'raw', pieces: [half, 30, half], ending: 'wait' })
    servers.push(server)
    const error = await ask({ url: server.url, idleSeconds: 2 })
    expect(error).toMatchObject({ message: 'the server sent nothing for 2 seconds', isTransient: true, status: 200 })
    await server.abandoned
  })

  it('fails if it never starts', async () => {
    const error = await askServer({ kind: 'raw', pieces: [], ending: 'wait' }, { firstSeconds: 2 })
    expect(error).toMatchObject({ message: 'the server sent nothing for 2 seconds', isTransient: true })
  })
})

describe('a server that is not reached', () => {
  it.each([
    ['nothing listens there', 'http://127.0.0.1:1/v1', 'cannot reach 127.0.0.1:1'],
    ['there is no such name', 'http://nowhere.invalid/v1/secret-path', 'cannot reach nowhere.invalid'],
  ])('because %s', async (_name, url, words) => {
    const error = await ask({ url })
    expect(error).toMatchObject({ status: null, isTransient: true, failure: { kind: 'other' } })
    expect(error.message).toContain(words)
    expect(error.message).not.toContain('secret-path')
  })

  it('because it speaks no TLS', async () => {
    const server = await startOpenAiServer({ kind: 'text', text: 'no' })
    servers.push(server)
    const error = await ask({ url: server.url.replace('http:', 'https:') })
    expect(error).toMatchObject({ status: null, isTransient: true })
    expect(error.message).toContain('cannot reach 127.0.0.1')
  })
})

describe.each([
  ['Anthropic', 'anthropic/claude-opus-5', 'ANTHROPIC_BASE_URL', 'overloaded_error'],
  ['Gemini', 'google/gemini-3.1-pro-preview', 'GOOGLE_GEMINI_BASE_URL', 'UNAVAILABLE'],
  ['DeepSeek', 'deepseek/deepseek-v4-pro', 'DEEPSEEK_BASE_URL', 'server_error'],
])('a stream of %s', (_provider, name, variable, code) => {
  async function askProvider(answer: ProviderAnswer): Promise<ModelCallError> {
    const server = await startProviderServer(answer)
    servers.push(server)
    const environment = { ANTHROPIC_API_KEY: key, GEMINI_API_KEY: key, DEEPSEEK_API_KEY: key, [variable]: server.origin }
    return ask({ name, environment })
  }

  it('fails with an error it contains', async () => {
    const error = await askProvider({ kind: 'stream-error', message: 'It is overloaded', code })
    expect(error.message).toContain('It is overloaded')
    expect(error.isTransient).toBe(true)
  })

  it('fails if it ends early', async () => {
    const whole: Record<string, readonly object[]> = {
      ANTHROPIC_BASE_URL: [
        {
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            model: 't',
            content: [],
            stop_reason: null,
            usage: { input_tokens: 1, output_tokens: 1 },
          },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I will' } },
      ],
      GOOGLE_GEMINI_BASE_URL: [{ candidates: [{ content: { role: 'model', parts: [{ text: 'I will' }] }, index: 0 }] }],
      DEEPSEEK_BASE_URL: [{ choices: [{ index: 0, delta: { content: 'I will' }, finish_reason: null }] }],
    }
    const error = await askProvider({ kind: 'events', events: whole[variable] ?? [] })
    expect(error).toMatchObject({ message: 'the answer was cut off', isTransient: true, status: 200 })
  })
})

describe('Q-19b every known refusal, over HTTP', () => {
  const file = fileURLToPath(new URL('../../../../../shared/overflow/cases.json', import.meta.url))
  const recorded = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as readonly { id: string; status: number; body: unknown }[])
    : []
  const cases = [
    ...recorded.map(({ id, status, body: told }) => [id, status, told] as const),
    // Errors thrown by a library never went over the wire.
    ...overflowBodies
      .filter(([, , told]) => !(told instanceof Error))
      .map(([name, status, told]) => [name, status ?? 400, told] as const),
  ]

  it.each(cases)('%s', async (_name, status, told) => {
    const text = typeof told === 'string' ? told : JSON.stringify(told)
    const isStream = status < 400 && /^(?:event|data):/.test(text)
    const error = await askServer(isStream ? { kind: 'raw', pieces: [text] } : body(status, text))
    const expected = classifyFailure({ status, body: told })
    expect({ ...error.failure, provider: null }).toEqual({ ...expected, provider: null })
    if (expected.kind !== 'rate_limit' && expected.kind !== 'other') expect(error.isTransient).toBe(false)
  })
})
