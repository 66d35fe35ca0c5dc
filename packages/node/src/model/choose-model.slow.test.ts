import { planCompaction, type Segment } from '@plimsoll/core/compaction'
import { jsonSchema, streamText, tool } from 'ai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseModel, keysIn } from './choose-model.ts'
import { describeFailure } from './model-client.ts'
import { ModelChoiceError } from './server-access.ts'
import { createModelWriter } from './summary-writer.ts'
import { type ClosedNetwork, closeNetwork } from './testing/closed-network.ts'
import { longConversation } from './testing/long-conversation.ts'
import { type ProviderAnswer, type ProviderServer, startProviderServer } from './testing/provider-server.ts'

const conversation = longConversation()
const segment = planCompaction(conversation, { keepRounds: 10 }) as Segment
const good: ProviderAnswer = { kind: 'text', text: 'A summary of four rounds.' }

let server: ProviderServer | undefined
let network: ClosedNetwork

beforeEach(() => {
  network = closeNetwork()
  // A conversation that another model began is worth a remark to the AI SDK.
  vi.stubGlobal('AI_SDK_LOG_WARNINGS', false)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await server?.close()
  server = undefined
  expect(network.refused).toEqual([])
})

async function serve(...answers: readonly [ProviderAnswer, ...ProviderAnswer[]]): Promise<ProviderServer> {
  server = await startProviderServer(...answers)
  return server
}

type Variables = Readonly<Record<string, string>>

function summarise(name: string, environment: Variables, url?: string): Promise<string> {
  const model = chooseModel(name, { environment, url })
  return createModelWriter({ model, maxInputTokens: 100_000, maxOutputTokens: 8192, secrets: keysIn(environment) })(segment, {})
}

/** A provider as the tests see it. */
interface Row {
  readonly provider: string
  /** The model as the user names it. */
  readonly name: string
  /** The same without its provider, where that is known too. */
  readonly alone?: string
  readonly keys: Variables
  /** Its own address. */
  readonly home: string
  /** The variable for another address, and the path in it after the origin. */
  readonly variable: string
  readonly base: string
  readonly path: string
  /** Where another path is asked at another address. */
  readonly pathElsewhere?: string
  /** The header that carries the key. */
  readonly header: readonly [name: string, value: string]
  /** The fields of the request that say which model, and how much it may write. */
  readonly fields: object
  readonly fieldsElsewhere?: object
  /** Its answer if a request is too long. */
  readonly overflow: unknown
}

const rows: readonly Row[] = [
  {
    provider: 'OpenAI',
    name: 'openai/gpt-9-example',
    alone: 'gpt-9-example',
    keys: { OPENAI_API_KEY: 'secret-openai' },
    home: 'https://api.openai.com',
    variable: 'OPENAI_BASE_URL',
    base: '/v1',
    path: '/v1/responses',
    pathElsewhere: '/v1/chat/completions',
    header: ['authorization', 'Bearer secret-openai'],
    fields: { model: 'gpt-9-example', max_output_tokens: 8192, store: false, stream: true },
    fieldsElsewhere: { model: 'gpt-9-example', max_completion_tokens: 8192, stream: true },
    overflow: {
      error: {
        message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    },
  },
  {
    provider: 'Anthropic',
    // A model unknown to the package, which allows it 4,096 tokens by default.
    name: 'anthropic/claude-example-9',
    alone: 'claude-example-9',
    keys: { ANTHROPIC_API_KEY: 'secret-anthropic' },
    home: 'https://api.anthropic.com',
    variable: 'ANTHROPIC_BASE_URL',
    base: '',
    path: '/v1/messages',
    header: ['x-api-key', 'secret-anthropic'],
    fields: { model: 'claude-example-9', max_tokens: 8192, stream: true },
    overflow: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
  },
  {
    provider: 'Google',
    name: 'google/gemini-9-example',
    alone: 'gemini-9-example',
    keys: { GEMINI_API_KEY: 'secret-google' },
    home: 'https://generativelanguage.googleapis.com',
    variable: 'GOOGLE_GEMINI_BASE_URL',
    base: '/',
    path: '/v1beta/models/gemini-9-example:streamGenerateContent?alt=sse',
    header: ['x-goog-api-key', 'secret-google'],
    fields: { generationConfig: { maxOutputTokens: 8192 } },
    overflow: {
      error: {
        code: 400,
        message: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
  },
  {
    provider: 'DeepSeek',
    name: 'deepseek/deepseek-example',
    alone: 'deepseek-example',
    keys: { DEEPSEEK_API_KEY: 'secret-deepseek' },
    home: 'https://api.deepseek.com',
    variable: 'DEEPSEEK_BASE_URL',
    base: '',
    path: '/chat/completions',
    header: ['authorization', 'Bearer secret-deepseek'],
    fields: { model: 'deepseek-example', max_tokens: 8192, stream: true },
    overflow: {
      error: {
        message:
          "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (70000 in the messages).",
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_request_error',
      },
    },
  },
  {
    provider: 'OpenRouter',
    name: 'openrouter/some-vendor/some-model:free',
    keys: { OPENROUTER_API_KEY: 'secret-openrouter' },
    home: 'https://openrouter.ai',
    variable: 'OPENROUTER_BASE_URL',
    base: '/api/v1',
    path: '/api/v1/chat/completions',
    header: ['authorization', 'Bearer secret-openrouter'],
    fields: { model: 'some-vendor/some-model:free', max_tokens: 8192, stream: true },
    overflow: {
      error: {
        message:
          "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (40000 of text input).",
        code: 400,
      },
    },
  },
  {
    provider: 'Ollama',
    name: 'ollama/hf.co/somebody/some-model:7b',
    keys: {},
    home: 'http://127.0.0.1:11434',
    variable: 'OLLAMA_HOST',
    base: '',
    path: '/v1/chat/completions',
    header: ['authorization', ''],
    fields: { model: 'hf.co/somebody/some-model:7b', max_tokens: 8192, stream: true },
    overflow: { error: 'the prompt is longer than the context length currently available to the model' },
  },
  {
    provider: 'llama.cpp',
    name: 'llamacpp/some-model',
    keys: { LLAMA_API_KEY: 'secret-llama' },
    home: 'http://127.0.0.1:8080',
    variable: 'LLAMACPP_BASE_URL',
    base: '',
    path: '/v1/chat/completions',
    header: ['authorization', 'Bearer secret-llama'],
    fields: { model: 'some-model', max_tokens: 8192, stream: true },
    overflow: {
      error: { code: 400, message: 'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it' },
    },
  },
]

function elsewhere({ variable, base, keys }: Row, { origin }: ProviderServer): Variables {
  return { ...keys, [variable]: `${origin}${base}` }
}

describe.each(rows)('a model of $provider', (row) => {
  it('R004-30 writes a summary at its own address, with its key and its own name for the model', async () => {
    const { origin, requests } = await serve(good)
    network.lead(row.home, origin)
    expect(await summarise(row.name, row.keys)).toBe(good.text)
    expect(network.origins).toEqual([row.home])
    expect(requests).toHaveLength(1)
    const { path, headers, body } = requests[0] ?? expect.fail()
    expect(path).toBe(row.path)
    expect(headers[row.header[0]] ?? '').toBe(row.header[1])
    expect(body).toMatchObject(row.fields)
    expect(body['tools']).toBeUndefined()
    expect(JSON.stringify(body)).toContain('Please go on with part 1 of the work.')
  })

  it('R004-30 writes a summary at the address that its variable names', async () => {
    const started = await serve(good)
    expect(await summarise(row.name, elsewhere(row, started))).toBe(good.text)
    expect(network.origins).toEqual([started.origin])
    const { path, headers, body } = started.requests[0] ?? expect.fail()
    expect(path).toBe(row.pathElsewhere ?? row.path)
    expect(headers[row.header[0]] ?? '').toBe(row.header[1])
    expect(body).toMatchObject(row.fieldsElsewhere ?? row.fields)
  })

  it('is recognised by its name alone if that is unambiguous', async () => {
    const { origin, requests } = await serve(good)
    network.lead(row.home, origin)
    if (row.alone === undefined) return
    await summarise(row.alone, row.keys)
    expect(network.origins).toEqual([row.home])
    expect(requests[0]?.path).toBe(row.path)
    expect(requests[0]?.body).toMatchObject(row.fields)
  })

  it('sends no key but its own', async () => {
    const { requests, ...rest } = await serve(good)
    const all = Object.assign({}, ...rows.map(({ keys }) => keys)) as Variables
    await summarise(row.name, { ...all, ...elsewhere(row, { requests, ...rest }) })
    const sent = JSON.stringify(requests)
    for (const key of Object.values(all)) expect(sent.includes(key)).toBe(Object.values(row.keys).includes(key))
  })

  it('gives the reason for a rejected key without the key', async () => {
    const key = Object.values(row.keys)[0] ?? 'nothing'
    const body = JSON.stringify({
      type: 'error',
      error: { message: `no such key: ${key}`, code: 401, status: 'UNAUTHENTICATED', type: 'auth' },
    })
    const started = await serve({ kind: 'body', status: 401, body })
    await expect(summarise(row.name, elsewhere(row, started))).rejects.toMatchObject({
      code: 'summary_failed',
      message: `HTTP 401: no such key: ${key === 'nothing' ? key : '***'}`,
    })
    expect(started.requests).toHaveLength(1)
  })

  it('retries once when asked to wait', async () => {
    const body = JSON.stringify({
      type: 'error',
      error: { message: 'slow down', code: 429, status: 'RESOURCE_EXHAUSTED', type: 'rate_limit_error' },
    })
    const started = await serve({ kind: 'body', status: 429, body, headers: { 'retry-after-ms': '1' } })
    await expect(summarise(row.name, elsewhere(row, started))).rejects.toMatchObject({
      code: 'summary_failed',
      message: 'HTTP 429: slow down',
    })
    expect(started.requests).toHaveLength(2)
  })

  it('sends less when the provider says that it was too much', async () => {
    const started = await serve({ kind: 'body', status: 400, body: JSON.stringify(row.overflow) }, good)
    expect(await summarise(row.name, elsewhere(row, started))).toBe(good.text)
    const [first, second] = started.requests.map(({ body }) => JSON.stringify(body).length)
    expect(second).toBeLessThan((first ?? 0) * 0.75)
  })

  it('gives the reason for an error inside a stream', async () => {
    const { origin } = await serve({ kind: 'stream-error', message: 'the machine is on fire', code: 'server_error' })
    network.lead(row.home, origin)
    await expect(summarise(row.name, row.keys)).rejects.toMatchObject({
      code: 'summary_failed',
      message: expect.stringContaining('the machine is on fire') as string,
    })
  })

  it('sends less when a stream says that it was too much', async () => {
    const tooLong = { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' }
    const { origin, requests } = await serve({ kind: 'stream-error', ...tooLong }, good)
    network.lead(row.home, origin)
    expect(await summarise(row.name, row.keys)).toBe(good.text)
    expect(requests).toHaveLength(2)
  })

  it('runs no tool that was offered with the conversation', async () => {
    const started = await serve(good)
    let runs = 0
    const inputSchema = jsonSchema<{ command: string }>({ type: 'object', properties: { command: { type: 'string' } } })
    const tools = { Bash: tool({ inputSchema, execute: () => Promise.resolve(String((runs += 1))) }) }
    const model = chooseModel(row.name, { environment: elsewhere(row, started) })
    const live = { messages: conversation, tools }
    expect(await createModelWriter({ model, live, maxInputTokens: 100_000 })(segment, {})).toBe(good.text)
    expect(started.requests.map(({ body }) => (body['tools'] as readonly unknown[]).length)).toEqual([1])
    expect(runs).toBe(0)
  })

  it('cuts off an endless answer', async () => {
    const started = await serve({ kind: 'text', text: 'x'.repeat(300_000) })
    const model = chooseModel(row.name, { environment: elsewhere(row, started), maxBytes: 200_000 })
    const { stream } = streamText({ model, prompt: 'hello', maxRetries: 0, onError: () => undefined })
    expect(describeFailure(await firstFailure(stream))).toContain('the server sent more than 200000 bytes')
  })

  it('does not follow redirects', async () => {
    const other = await startProviderServer(good)
    const headers = { location: `${other.origin}${row.path}` }
    const started = await serve({ kind: 'body', status: 307, body: '', headers })
    await expect(summarise(row.name, elsewhere(row, started))).rejects.toMatchObject({
      code: 'summary_failed',
      message: expect.stringContaining('HTTP 307') as string,
    })
    await other.close()
    expect(other.requests).toEqual([])
  })
})

describe('chooseModel', () => {
  it.each([
    ['a custom name', 'small'],
    ['a name with the provider of another address', 'anthropic/claude-example-9'],
    ['a name that is known elsewhere', 'gemini-9-example'],
  ])('sends full names to a given address: %s', async (_name, model) => {
    const { origin, requests } = await serve(good)
    const environment = {
      OPENAI_API_KEY: 'secret-openai',
      ANTHROPIC_API_KEY: 'secret-anthropic',
      GEMINI_API_KEY: 'secret-google',
    }
    await summarise(model, { ...environment, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, `${origin}/v1`)
    expect(requests.map(({ path, body, headers }) => [path, body['model'], headers.authorization])).toEqual([
      ['/v1/chat/completions', model, 'Bearer secret-openai'],
    ])
  })

  it.each(['small', 'somebody/some-model', 'deepseek-example', 'claude-example-9', 'gpt-oss:20b', 'constructor', '__proto__/x'])(
    'sends a name without a provider, %s, to the server of OPENAI_BASE_URL',
    async (model) => {
      const { origin, requests } = await serve(good)
      const environment = { DEEPSEEK_API_KEY: 'secret-deepseek', ANTHROPIC_API_KEY: 'secret-anthropic' }
      await summarise(model, { ...environment, OPENAI_BASE_URL: `${origin}/v1` })
      expect(requests.map(({ body, headers }) => [body['model'], headers.authorization])).toEqual([[model, undefined]])
    },
  )

  it('keeps other providers’ names if OPENAI_BASE_URL is OpenAI’s own address', async () => {
    const { origin } = await serve(good)
    network.lead('https://api.anthropic.com', origin)
    await summarise('claude-example-9', { ANTHROPIC_API_KEY: 'k', OPENAI_BASE_URL: 'https://api.openai.com/v1' })
    expect(network.origins).toEqual(['https://api.anthropic.com'])
  })

  it.each([
    ['openai/gpt-9-example', ['OPENAI_API_KEY']],
    ['gpt-9-example', ['OPENAI_API_KEY']],
    ['o3-example', ['OPENAI_API_KEY']],
    ['anthropic/claude-example-9', ['ANTHROPIC_API_KEY']],
    ['claude-example-9', ['ANTHROPIC_API_KEY']],
    ['google/gemini-9-example', ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY']],
    ['deepseek-example', ['DEEPSEEK_API_KEY']],
    ['openrouter/some-vendor/some-model', ['OPENROUTER_API_KEY']],
  ])('names the variable for the key of %s', (name, variables) => {
    for (const value of [undefined, '', ' \n']) {
      const environment = Object.fromEntries(variables.map((variable) => [variable, value]))
      expect(problemOf(() => chooseModel(name, { environment }))).toEqual({ kind: 'no-key', variables })
    }
  })

  it.each(['small', 'mistral/some-model', 'openai/', 'constructor/x', '', 'gpt-oss-20b', 'deepseek-r1:8b'])(
    'names the providers there are for a name that tells none: %j',
    (name) => {
      const choose = () => chooseModel(name, { environment: {} })
      expect(problemOf(choose)).toEqual({ kind: 'no-server' })
      expect(choose).toThrow('where PROVIDER is one of openai, anthropic, google, deepseek, openrouter, ollama, llamacpp')
    },
  )

  it.each(rows)('rejects an invalid address for $provider, and does not repeat it', ({ name, keys, variable }) => {
    for (const address of ['my model', 'file:///etc/passwd', 'http://me:hunter2@127.0.0.1/v1']) {
      const choose = () => chooseModel(name, { environment: { ...keys, [variable]: address } })
      expect(problemOf(choose)).toEqual({ kind: 'bad-address', source: variable })
      expect(choose).not.toThrow(/hunter2|passwd/)
    }
  })

  it.each(['two words', 'a\nb', 'ключ', '\u0000'])('rejects a key that cannot be sent, %j, and does not repeat it', (key) => {
    const choose = () => chooseModel('claude-example-9', { environment: { ANTHROPIC_API_KEY: key } })
    expect(problemOf(choose)).toEqual({ kind: 'bad-key', variable: 'ANTHROPIC_API_KEY' })
    expect(choose).toThrow(/^ANTHROPIC_API_KEY: expected an API key of plain letters, digits and signs, without spaces$/)
  })

  it('trims blanks around a key, and takes Google’s from either of its variables', async () => {
    const { origin, requests } = await serve(good)
    const base = { GOOGLE_GEMINI_BASE_URL: `${origin}/v1beta/` }
    await summarise('gemini-9-example', { ...base, GEMINI_API_KEY: ' one\n' })
    await summarise('gemini-9-example', { ...base, GEMINI_API_KEY: 'one', GOOGLE_GENERATIVE_AI_API_KEY: 'two' })
    expect(requests.map(({ headers }) => headers['x-goog-api-key'])).toEqual(['one', 'two'])
  })

  it('ignores keys and addresses in the environment of the process', async () => {
    const { origin } = await serve(good)
    vi.stubEnv('ANTHROPIC_API_KEY', 'of-the-process')
    vi.stubEnv('ANTHROPIC_BASE_URL', `${origin}/v1`)
    vi.stubEnv('OPENAI_API_KEY', 'of-the-process')
    try {
      for (const name of ['claude-example-9', 'gpt-9-example'])
        expect(problemOf(() => chooseModel(name, { environment: {} }))).toMatchObject({ kind: 'no-key' })
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

/** The errors of a stream, in its parts or while reading it. */
async function firstFailure(stream: AsyncIterable<{ readonly type: string }>): Promise<unknown> {
  try {
    for await (const part of stream) if ('error' in part) return part.error
    return null
  } catch (error) {
    return error
  }
}

function problemOf(choose: () => unknown): unknown {
  try {
    choose()
  } catch (error) {
    return error instanceof ModelChoiceError ? error.problem : error
  }
  return null
}
