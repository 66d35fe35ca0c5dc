import { describe, expect, it } from 'vitest'
import { type ProbeOptions, probeServer } from './open-client.ts'
import { type PathAnswer, startPathServer } from './testing/path-server.ts'

type Answers = Readonly<Record<string, PathAnswer>>

async function probe(answers: Answers, options: Partial<ProbeOptions> = {}) {
  const { origin } = await startPathServer(answers)
  return probeServer({ url: `${origin}/v1`, provider: 'local', model: 'some-model', ...options })
}

const llamaModels = {
  object: 'list',
  data: [{ id: 'some-model', object: 'model', owned_by: 'llamacpp', meta: { n_vocab: 128_256, n_ctx_train: 131_072 } }],
}
const props = { default_generation_settings: { id: 0, n_ctx: 8192, params: { n_predict: -1 } }, total_slots: 1 }
const tags = { models: [{ name: 'some-model:latest', model: 'some-model:latest', size: 4_000_000_000 }] }
const shown = (parameters?: string) => ({
  ...(parameters === undefined ? {} : { parameters }),
  details: { family: 'llama', parameter_size: '8.0B' },
  model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072, 'llama.embedding_length': 4096 },
})

describe('probeServer', () => {
  it.each<[name: string, provider: string, answers: Answers, expected: object | null]>([
    [
      'llama.cpp, by what it runs with',
      'llamacpp',
      { '/v1/models': llamaModels, '/props': props },
      { window: 131_072, loaded: 8192, clips: false, models: ['some-model'] },
    ],
    [
      'llama.cpp that hides its properties',
      'local',
      { '/v1/models': llamaModels },
      { window: 131_072, loaded: null, clips: false, models: ['some-model'] },
    ],
    [
      'an older llama.cpp without a list of models',
      'llamacpp',
      { '/props': { default_generation_settings: { n_ctx: 4096 } } },
      { window: 4096, loaded: 4096, clips: false, models: [] },
    ],
    [
      'vLLM',
      'local',
      { '/v1/models': { object: 'list', data: [{ id: 'some-model', owned_by: 'vllm', max_model_len: 32_768 }] } },
      { window: 32_768, loaded: 32_768, clips: false, models: ['some-model'] },
    ],
    [
      'LM Studio, among several models',
      'local',
      {
        '/v1/models': {
          data: [{ id: 'other' }, { id: 'some-model', max_context_length: 262_144, loaded_context_length: 16_384 }],
        },
      },
      { window: 262_144, loaded: 16_384, clips: false, models: ['other', 'some-model'] },
    ],
    [
      'a list that says nothing of windows',
      'local',
      { '/v1/models': { data: [{ id: 'a' }, { id: 'some-model' }] } },
      { window: null, loaded: null, clips: false, models: ['a', 'some-model'] },
    ],
    [
      'Ollama, by the setting of the model',
      'ollama',
      { '/api/tags': tags, '/api/show': shown('stop "<|eot|>"\nnum_ctx                        16384\ntemperature 1') },
      { window: 131_072, loaded: 16_384, clips: true, models: ['some-model:latest'] },
    ],
    [
      'Ollama, by what the model is loaded with',
      'ollama',
      {
        '/api/tags': tags,
        '/api/show': shown('num_ctx 16384'),
        '/api/ps': { models: [{ name: 'some-model:latest', context_length: 32_768 }] },
      },
      { window: 131_072, loaded: 32_768, clips: true, models: ['some-model:latest'] },
    ],
    [
      'Ollama, by its default, found behind a mere address',
      'local',
      { '/v1/models': { data: [{ id: 'some-model:latest' }] }, '/api/tags': tags, '/api/show': shown() },
      { window: 131_072, loaded: 4096, clips: true, models: ['some-model:latest'] },
    ],
    [
      'Ollama, of a model that reads less than its setting',
      'ollama',
      {
        '/api/tags': tags,
        '/api/show': { parameters: 'num_ctx 9000', model_info: { 'general.architecture': 'bert', 'bert.context_length': 512 } },
      },
      { window: 512, loaded: 512, clips: true, models: ['some-model:latest'] },
    ],
    [
      'Ollama with an architecture that is not text',
      'ollama',
      { '/api/tags': tags, '/api/show': { model_info: { 'general.architecture': { toString: 1 } } } },
      { window: null, loaded: 4096, clips: true, models: ['some-model:latest'] },
    ],
    ['a server that is something else', 'local', { '/': { hello: 'world' } }, null],
  ])('understands %s', async (_name, provider, answers, expected) => expect(await probe(answers, { provider })).toEqual(expected))

  it.each<[name: string, answers: Answers]>([
    ['no JSON', { '/v1/models': (response) => response.end('<html>') }],
    [
      'JSON of another shape',
      { '/v1/models': [1, null, 'x'], '/props': { default_generation_settings: 5 }, '/api/tags': { models: 7 } },
    ],
    ['absurd numbers', { '/v1/models': {}, '/props': { n_ctx: -5 }, '/api/tags': { models: {} } }],
    ['an error', { '/v1/models': (response) => response.writeHead(500).end('{"data":[{"id":"x"}]}') }],
    ['a redirection', { '/v1/models': (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end() }],
    [
      'more than anybody reads',
      {
        '/v1/models': (response) => {
          response.on('error', () => undefined)
          response.writeHead(200)
          response.write('{"data":[')
          const more = () => void (response.destroyed || (response.write(`{"id":"${'x'.repeat(100_000)}"},`), setImmediate(more)))
          more()
        },
      },
    ],
    ['a connection that breaks', { '/v1/models': (response) => response.destroy() }],
  ])('gives up on %s', async (_name, answers) => expect(await probe(answers)).toBeNull())

  it('gives up on an unreachable server, an invalid address, and when cancelled', async () => {
    const base = { provider: 'local', model: null }
    expect(await probeServer({ ...base, url: 'http://127.0.0.1:1/v1' })).toBeNull()
    expect(await probeServer({ ...base, url: 'nonsense' })).toBeNull()
    const silent: Answers = { '/v1/models': () => undefined }
    expect(await probe(silent, { signal: AbortSignal.abort() })).toBeNull()
    const controller = new AbortController()
    const waiting = probe(silent, { signal: controller.signal })
    controller.abort()
    expect(await waiting).toBeNull()
  })

  it('waits no longer than its limit for a server that never answers', async () => {
    expect(await probe({ '/v1/models': () => undefined, '/props': props })).toEqual({
      window: 8192,
      loaded: 8192,
      clips: false,
      models: [],
    })
  })

  it('sends the key that it is given, and asks Ollama about the model by name', async () => {
    const { origin, requests } = await startPathServer({ '/api/tags': tags, '/api/show': shown() })
    await probeServer({ url: `${origin}/v1`, provider: 'ollama', model: 'some-model', apiKey: 'secret-key' })
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(requests.map(() => 'Bearer secret-key'))
    expect(requests.filter(({ path }) => path === '/api/show').map(({ body }) => body)).toEqual(['{"model":"some-model"}'])
  })
})
