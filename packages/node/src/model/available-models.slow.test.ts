import { describe, expect, it } from 'vitest'
import { availableModels } from './default-model.ts'
import { startPathServer } from './testing/path-server.ts'

const config = { models: {} }

describe('the models to choose from', () => {
  it('contain only the offline model without a key', async () => {
    expect(await availableModels({ first: 'offline', config, environment: {} })).toEqual(['offline'])
  })

  it('contain one for each key, the default first', async () => {
    const environment = { ANTHROPIC_API_KEY: 'a', DEEPSEEK_API_KEY: 'd' }
    const [first, ...others] = await availableModels({ first: 'deepseek/mine', config, environment })
    expect([first, ...others.map((name) => name.split('/')[0])]).toEqual(['deepseek/mine', 'anthropic', 'deepseek', 'offline'])
  })

  it('include configured models whose provider is available', async () => {
    const models = { 'anthropic/one': {}, 'openai/two': {}, 'ollama/three': {} }
    const environment = { OPENAI_API_KEY: 'o' }
    const names = await availableModels({ first: 'offline', config: { models }, environment })
    expect(names.filter((name) => /one|two|three/.test(name))).toEqual(['openai/two', 'ollama/three'])
  })

  it('contain only those of a given server and the offline model', async () => {
    const { origin } = await startPathServer({
      '/v1/models': { data: [{ id: 'small' }, { id: 'text-embedding' }, { id: 'large' }] },
    })
    const environment = { ANTHROPIC_API_KEY: 'a' }
    expect(await availableModels({ first: 'small', config, environment, url: `${origin}/v1` })).toEqual([
      'small',
      'large',
      'offline',
    ])
  })

  it('are listed without a server that does not answer', async () => {
    const url = 'http://127.0.0.1:1/v1'
    expect(await availableModels({ first: 'default', config, environment: {}, url })).toEqual(['default', 'offline'])
  })
})
