import { describe, expect, it } from 'vitest'
import { createOfflineModel } from './offline/offline-model.ts'
import { createLazyModel, providers } from './providers.ts'

describe('createLazyModel', () => {
  it('loads with the first call, and once', async () => {
    let loads = 0
    const offline = createOfflineModel()
    const model = createLazyModel({ provider: 'plimsoll', modelId: 'offline' }, async () => {
      loads += 1
      return offline
    })
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hello' }] }]
    expect([model.provider, model.modelId, loads]).toEqual(['plimsoll', 'offline', 0])
    const answers = await Promise.all([model.doGenerate({ prompt }), model.doGenerate({ prompt })])
    expect(answers).toEqual([await offline.doGenerate({ prompt }), await offline.doGenerate({ prompt })])
    expect([await model.supportedUrls, loads]).toEqual([offline.supportedUrls, 1])
  })

  it('fails the call, not the start, if a module cannot be loaded', async () => {
    const model = createLazyModel({ provider: 'x', modelId: 'y' }, () => Promise.reject(new Error('no such library')))
    await expect(model.doStream({ prompt: [] })).rejects.toThrow('no such library')
  })
})

describe('the providers whose libraries are loaded later', () => {
  const libraries: readonly [name: string, load: () => Promise<{ readonly provider: string }>][] = [
    ['openai', async () => (await import('@ai-sdk/openai')).createOpenAI({ apiKey: 'k' }).responses('m')],
    ['anthropic', async () => (await import('@ai-sdk/anthropic')).createAnthropic({ apiKey: 'k' })('m')],
    ['google', async () => (await import('@ai-sdk/google')).createGoogle({ apiKey: 'k' })('m')],
    ['deepseek', async () => (await import('@ai-sdk/deepseek')).createDeepSeek({ apiKey: 'k' })('m')],
  ]

  it.each(libraries)('%s is called by the name that its library gives it', async (name, load) => {
    const row = providers.find((provider) => provider.name === name)
    const access = { baseURL: row?.home ?? '', apiKey: 'k', fetch }
    expect(row?.create?.(access, 'm').provider).toBe((await load()).provider)
  })
})
