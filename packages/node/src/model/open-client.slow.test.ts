import { completeConfig } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import { type OpenClientOptions, openModelClient, type SmallWindow } from './open-client.ts'
import { type PathAnswer, startPathServer } from './testing/path-server.ts'

const llamaCpp = (window: number): Readonly<Record<string, PathAnswer>> => ({
  '/v1/models': { data: [{ id: 'qwen', meta: { n_ctx_train: 131_072 } }] },
  '/props': { default_generation_settings: { n_ctx: window } },
})
const ollama = (window: number, max = 131_072): Readonly<Record<string, PathAnswer>> => ({
  '/api/tags': { models: [{ name: 'qwen:latest', model: 'qwen:latest' }] },
  '/api/show': { model_info: { 'general.architecture': 'q', 'q.context_length': max }, parameters: `num_ctx ${window}` },
})

async function open(answers: Readonly<Record<string, PathAnswer>>, options: Partial<OpenClientOptions> = {}, name = 'qwen') {
  const { origin, requests } = await startPathServer(answers)
  const told: SmallWindow[] = []
  const { facts } = await openModelClient({
    name,
    environment: { OLLAMA_HOST: origin, LLAMACPP_BASE_URL: origin, OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: 'some-key' },
    config: completeConfig({}),
    onSmallWindow: (small) => told.push(small),
    ...options,
  })
  return { window: facts.window, source: facts.source, told, requests }
}

describe('the window of a model on a local server', () => {
  it.each<
    [name: string, model: string, answers: Readonly<Record<string, PathAnswer>>, window: number, told: readonly SmallWindow[]]
  >([
    ['llama.cpp', 'llamacpp/qwen', llamaCpp(32_768), 32_768, []],
    ['a small llama.cpp', 'llamacpp/qwen', llamaCpp(8192), 8192, [{ window: 8192, max: 131_072, clips: false }]],
    ['Ollama', 'ollama/qwen', ollama(4096), 4096, [{ window: 4096, max: 131_072, clips: true }]],
    ['Ollama with much room', 'ollama/qwen', ollama(65_536), 65_536, [{ window: 65_536, max: 131_072, clips: true }]],
    ['Ollama with all the room there is', 'ollama/qwen', ollama(131_072), 131_072, []],
    ['a mere address', 'qwen', llamaCpp(16_384), 16_384, []],
    [
      'a server that names the most alone',
      'qwen',
      { '/v1/models': { data: [{ id: 'qwen', context_length: 40_000 }] } },
      40_000,
      [],
    ],
  ])('comes from %s', async (_name, model, answers, window, told) =>
    expect(await open(answers, {}, model)).toMatchObject({ window, source: 'reported', told }),
  )

  it('comes from the server at a given address, which gets the key', async () => {
    const { origin, requests } = await startPathServer(llamaCpp(20_000))
    const environment = { OPENAI_API_KEY: 'some-key' }
    const { facts } = await openModelClient({ name: 'gpt-4o', url: `${origin}/v1`, environment, config: completeConfig({}) })
    expect([facts.window, facts.inputLimit, facts.source]).toEqual([20_000, null, 'reported'])
    expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer some-key']))
  })

  it.each(['ollama/qwen', 'qwen'])('comes from the configuration of %s without a request', async (key) => {
    const config = completeConfig({ models: { [key]: { window: 50_000 } } })
    const { window, told, requests } = await open(ollama(4096), { config }, 'ollama/qwen')
    expect([window, told, requests]).toEqual([50_000, [], []])
  })

  it('is unknown if the server does not report it or is unreachable', async () => {
    expect(await open({ '/v1/models': { data: [{ id: 'qwen' }] } })).toMatchObject({ window: null, told: [] })
    const environment = { OLLAMA_HOST: '127.0.0.1:1' }
    expect(await open({}, { environment }, 'ollama/qwen')).toMatchObject({ window: null, told: [] })
  })
})

describe('other models', () => {
  it.each([
    ['offline', 200_000],
    ['anthropic/claude-opus-5', 1_000_000],
  ])('%s is not asked about', async (name, window) => {
    const environment = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }
    const fetch = () => Promise.reject(new Error('a model was asked about'))
    const { facts } = await openModelClient({ name, environment, config: completeConfig({}), fetch })
    expect(facts.window).toBe(window)
  })

  it('report what is missing as before', async () => {
    const opened = openModelClient({ name: 'anthropic/claude-opus-5', environment: {}, config: completeConfig({}) })
    await expect(opened).rejects.toMatchObject({ name: 'ModelChoiceError', problem: { kind: 'no-key' } })
  })
})
