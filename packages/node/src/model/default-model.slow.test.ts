import { modelFacts } from '@plimsoll/core'
import { priceOf } from '@plimsoll/core/bill'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findModel } from './choose-model.ts'
import { defaultModelName } from './default-model.ts'
import { type ClosedNetwork, closeNetwork } from './testing/closed-network.ts'
import { startPathServer } from './testing/path-server.ts'

const unset = { model: null }
const keys = {
  ANTHROPIC_API_KEY: 'a',
  OPENAI_API_KEY: 'o',
  GOOGLE_GENERATIVE_AI_API_KEY: 'g',
  DEEPSEEK_API_KEY: 'd',
  OPENROUTER_API_KEY: 'r',
}

let network: ClosedNetwork

beforeEach(() => {
  network = closeNetwork()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('defaultModelName', () => {
  it('takes a model of the first provider with a key, without a request', async () => {
    const names = Object.keys(keys)
    const chosen = await Promise.all(
      names.map((_name, index) =>
        defaultModelName({ environment: Object.fromEntries(Object.entries(keys).slice(index)), config: unset }),
      ),
    )
    expect(chosen).toEqual([
      { name: 'anthropic/claude-sonnet-5-5', why: 'ANTHROPIC_API_KEY' },
      { name: 'openai/gpt-6-sol', why: 'OPENAI_API_KEY' },
      { name: 'google/gemini-4-argon', why: 'GOOGLE_GENERATIVE_AI_API_KEY' },
      { name: 'deepseek/deepseek-v4-pro', why: 'DEEPSEEK_API_KEY' },
      { name: 'openrouter/anthropic/claude-sonnet-5.5', why: 'OPENROUTER_API_KEY' },
    ])
    expect(await defaultModelName({ environment: { GEMINI_API_KEY: 'g' }, config: unset })).toEqual({
      name: 'google/gemini-4-argon',
      why: 'GEMINI_API_KEY',
    })
    for (const { name } of chosen) {
      const { model } = findModel(name, { environment: keys })
      expect([name, modelFacts(model).window === null, priceOf(model) === null]).toEqual([name, false, false])
    }
    expect(network.origins).toEqual([])
  })

  it.each<[name: string, environment: Readonly<Record<string, string>>]>([
    ['nothing is set', {}],
    ['a key is empty', { OPENAI_API_KEY: ' ' }],
  ])('takes the offline model if %s', async (_name, environment) =>
    expect(await defaultModelName({ environment, config: unset })).toEqual({ name: 'offline', why: null }),
  )

  it('takes the model of the settings before everything else', async () =>
    expect(await defaultModelName({ environment: keys, config: { model: 'my/own' }, url: 'http://127.0.0.1:1' })).toEqual({
      name: 'my/own',
      why: 'model',
    }))

  it.each<[name: string, models: readonly string[], expected: string]>([
    ['the first model that talks', ['nomic-embed-text', 'bge-m3:latest', 'qwen3:8b', 'llama3'], 'qwen3:8b'],
    ['the only one', ['text-embedding-3'], 'text-embedding-3'],
    ['any name where it lists none', [], 'default'],
  ])('takes from a local server %s', async (_name, models, expected) => {
    const { origin, requests } = await startPathServer({ '/v1/models': { data: models.map((id) => ({ id })) } })
    const environment = { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: 'secret-key', DEEPSEEK_API_KEY: 'd' }
    expect(await defaultModelName({ environment, config: unset })).toEqual({ name: expected, why: 'OPENAI_BASE_URL' })
    expect(await defaultModelName({ environment: {}, config: unset, url: `${origin}/v1` })).toEqual({
      name: expected,
      why: '--base-url',
    })
    expect(requests.some(({ headers }) => headers.authorization === 'Bearer secret-key')).toBe(true)
    expect(network.refused).toEqual([])
  })

  it('stays with an unreachable server, so that its absence is reported and no other provider is paid', async () => {
    const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', DEEPSEEK_API_KEY: 'd' }
    expect(await defaultModelName({ environment, config: unset })).toEqual({ name: 'default', why: 'OPENAI_BASE_URL' })
  })

  it('recognises OpenAI’s own address', async () => {
    const environment = { OPENAI_BASE_URL: 'https://api.openai.com/v1', OPENAI_API_KEY: 'o' }
    expect(await defaultModelName({ environment, config: unset })).toEqual({ name: 'openai/gpt-6-sol', why: 'OPENAI_API_KEY' })
    expect(network.origins).toEqual([])
  })
})
