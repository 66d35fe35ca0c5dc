import { knownPrices, priceOf } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import { ownPriceOf, priceOfModel } from './price-of-model.ts'

/** With dates, regions, providers, windows and effort. */
const namesInLogs = `
  claude-3-opus-20240229 claude-3-sonnet-20240229 claude-3-haiku-20240307 claude-3-5-sonnet-20240620
  claude-3-5-sonnet-20241022 claude-3-5-sonnet-latest claude-3-5-haiku-20241022 claude-3-5-haiku-latest
  claude-3-7-sonnet-20250219 claude-3-7-sonnet-latest claude-sonnet-4-20250514 claude-sonnet-4-20250514[1m]
  claude-opus-4-20250514 claude-opus-4-0 claude-opus-4-1 claude-opus-4-1-20250805 claude-sonnet-4-5-20250929
  claude-sonnet-4-5-20250929[1m] claude-sonnet-4-5 claude-haiku-4-5-20251001 claude-opus-4-5-20251101 claude-opus-4-5
  claude-opus-4-6 claude-opus-4-6[1m] claude-opus-4-7 claude-sonnet-4-6 claude-opus-5 claude-opus-5[1m] claude-sonnet-5.5
  claude-sonnet-5-5 claude-opus-5-5 claude-fable-5-1 claude-haiku-5-5-20261001 us.anthropic.claude-sonnet-4-20250514-v1:0
  us.anthropic.claude-sonnet-4-5-20250929-v1:0 eu.anthropic.claude-opus-4-1-20250805-v1:0
  apac.anthropic.claude-3-7-sonnet-20250219-v1:0 global.anthropic.claude-opus-4-5-20251101-v1:0
  global.anthropic.claude-opus-4-6-v1 anthropic.claude-3-5-sonnet-20241022-v2:0
  bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0 claude-sonnet-4@20250514 claude-opus-4-1@20250805
  claude-haiku-4-5@20251001 claude-sonnet-4-5@20250929 claude-opus-4-5@20251101 claude-opus-4-6@default
  vertex_ai/claude-sonnet-4-5@20250929 anthropic/claude-sonnet-4 anthropic/claude-sonnet-4.5 anthropic/claude-opus-4.1
  anthropic/claude-opus-4.5 anthropic/claude-3.7-sonnet anthropic/claude-3.7-sonnet:thinking anthropic/claude-3.5-haiku
  anthropic/claude-haiku-4.5 openrouter/anthropic/claude-sonnet-4 openrouter/anthropic/claude-sonnet-4.5 claude-sonnet-4.5
  claude-opus-4.6 claude-opus-4.6-fast claude-sonnet-4-5-thinking claude-opus-4-5-thinking gpt-4o gpt-4o-2024-08-06
  gpt-4o-mini gpt-4.1 gpt-4.1-mini gpt-4.1-2025-04-14 gpt-4-turbo chatgpt-4o-latest o1 o1-mini o3 o3-mini o4-mini
  codex-mini-latest gpt-5 gpt-5-2025-08-07 gpt-5-mini gpt-5-nano gpt-5-codex gpt-5-codex-mini gpt-5-pro gpt-5-chat-latest
  gpt-5.1 gpt-5.1-codex gpt-5.1-codex-mini gpt-5.1-codex-max gpt-5.2 gpt-5.2-codex gpt-5.2-pro gpt-5.2-chat-latest
  gpt-5.3-codex gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.4-pro gpt-5.5 gpt-5.5-pro gpt-6-sol openai/gpt-5
  openai/gpt-5-codex openai/gpt-5.1-codex azure/gpt-5 azure/gpt-4.1 github-copilot/gpt-5 github_copilot/claude-sonnet-4.5
  openai/gpt-oss-120b gpt-oss-120b gpt-5-high gpt-5-codex-high gemini-1.5-pro gemini-1.5-flash gemini-2.0-flash
  gemini-2.0-flash-001 gemini-2.0-flash-exp gemini-2.5-pro gemini-2.5-pro-preview-06-05 gemini-2.5-pro-preview-05-06
  gemini-2.5-pro-exp-03-25 gemini-2.5-flash gemini-2.5-flash-lite gemini-2.5-flash-preview-09-2025 gemini-3-pro-preview
  gemini-3-flash-preview gemini-3.1-pro-preview gemini-3.1-pro-preview-customtools gemini-3.1-flash-lite-preview
  gemini-flash-latest models/gemini-2.5-pro google/gemini-2.5-pro google/gemini-3-pro-preview
  google/gemini-2.5-flash-preview-09-2025 vertex_ai/gemini-2.5-pro x-ai/grok-4 x-ai/grok-code-fast-1 x-ai/grok-4-fast
  grok-4 grok-4-fast grok-4-0709 grok-4-1-fast-reasoning grok-3 grok-3-mini deepseek-chat deepseek-reasoner deepseek-v3
  deepseek-v3.1 deepseek-v3.2 deepseek/deepseek-chat-v3-0324 deepseek/deepseek-r1-0528 deepseek/deepseek-v3.2-exp
  deepseek-ai/DeepSeek-V3.1 deepseek-v4-pro deepseek-v4-flash deepseek-r1 qwen3-coder-plus qwen3-coder qwen/qwen3-coder
  Qwen/Qwen3-Coder-480B-A35B-Instruct qwen3-max qwen3-coder-flash qwen3-235b-a22b qwen3.5-397b-a17b moonshotai/kimi-k2
  moonshotai/kimi-k2-instruct kimi-k2-0905-preview kimi-k2-0711-preview kimi-k2-turbo-preview kimi-k2-thinking kimi-k2.5
  kimi-k2.6 moonshotai/Kimi-K2-Instruct-0905 z-ai/glm-4.5 glm-4.5 glm-4.5-air glm-4.6 glm-4.7 glm-5 glm-5.1
  zai-org/GLM-4.6 minimax-m2 MiniMax-M2 MiniMax-M2.1 MiniMax-M2.5 mistral-large-latest mistral-medium-latest
  mistral-medium-2508 codestral-latest devstral-small-2507 devstral-2512 magistral-medium-latest
  meta-llama/llama-4-maverick meta-llama/llama-3.3-70b-instruct llama-3.3-70b-versatile cohere/command-a command-r-plus
  amazon.nova-pro-v1:0 us.amazon.nova-premier-v1:0 opencode/claude-sonnet-4-5 opencode/kimi-k2 xiaomi/mimo-v2-flash
  mimo-v2-flash step-3.5-flash perplexity/sonar-pro sonar-pro fireworks/kimi-k2-instruct
  accounts/fireworks/models/deepseek-v3 groq/moonshotai/kimi-k2-instruct-0905 gpt-5-nano-2025-08-07 copilot/gpt-4.1
  o3-2025-04-16 o3-pro o4-mini-2025-04-16 gpt-4o-2024-11-20 gpt-3.5-turbo gpt-4
`
  .trim()
  .split(/\s+/)

describe('the price of a model', () => {
  it('is the one of our own table, which has more than the public list', () => {
    for (const { model } of knownPrices.models) expect(priceOfModel(model)).toBe(priceOf(model))
  })

  // Input, cached input, written input, the same for an hour, and output: as the providers published them.
  it.each([
    ['claude-3-opus-20240229', [15, 1.5, 18.75, 30, 75]],
    ['claude-3-5-haiku-20241022', [0.8, 0.08, 1, 1.6, 4]],
    ['claude-3-7-sonnet-20250219', [3, 0.3, 3.75, 6, 15]],
    ['claude-sonnet-4-20250514', [3, 0.3, 3.75, 6, 15]],
    ['claude-opus-4-1-20250805', [15, 1.5, 18.75, 30, 75]],
    ['claude-haiku-4-5', [1, 0.1, 1.25, 2, 5]],
    ['claude-haiku-4-5@20251001', [1, 0.1, 1.25, 2, 5]],
    ['global.anthropic.claude-haiku-4-5-20251001-v1:0', [1, 0.1, 1.25, 2, 5]],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', [1.1, 0.11, 1.375, 2.2, 5.5]],
    ['arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5', [5.5, 0.55, 6.875, 11, 27.5]],
    ['anthropic/claude-haiku-4.5', [1, 0.1, 1.25, 2, 5]],
    ['gpt-4.1', [2, 0.5, 2, null, 8]],
    ['gpt-5-codex', [1.25, 0.125, 1.25, null, 10]],
    ['openai/gpt-5', [1.25, 0.125, 1.25, null, 10]],
    ['o3', [2, 0.5, 2, null, 8]],
    ['gemini-2.5-pro', [1.25, 0.125, 1.25, null, 10]],
    ['grok-code-fast-1', [0.2, 0.02, 0.2, null, 1.5]],
    ['kimi-k2-thinking', [0.6, 0.15, 0.6, null, 2.5]],
  ] as const)('is found in the public list for an older model: %s', (model, prices) => {
    const { input, cacheRead, cacheWrite, cacheWriteHour, output, source } = priceOfModel(model) ?? {}
    expect([input, cacheRead, cacheWrite, cacheWriteHour, output]).toEqual(prices)
    expect(source).toBe(model.startsWith('claude-sonnet-4-2') ? 'provider' : 'list')
  })

  it.each([
    'qwen3-coder-plus',
    'glm-4.6',
    'minimax-m2',
    'us.amazon.nova-pro-v1:0',
    'bedrock/amazon.nova-lite-v1:0',
    'groq/llama-3.3-70b-versatile',
    'xiaomi/mimo-v2.5-pro',
  ])('is found for a model of a maker without rows of its own, or by its provider: %s', (model) => {
    expect(priceOfModel(model)?.input).toBeGreaterThan(0)
  })

  it('is found for every name of a model as logs have it', () => {
    expect(namesInLogs.length).toBeGreaterThan(100)
    expect(namesInLogs.filter((model) => !((priceOfModel(model, '2026-06-01')?.output ?? 0) > 0))).toEqual([])
  })

  it('is nothing for a name that OpenRouter has no price for', () => {
    const free = priceOfModel('deepseek/deepseek-chat-v3-0324:free')
    expect([free?.input, free?.cacheRead, free?.cacheWrite, free?.output]).toEqual([0, 0, 0, 0])
    expect(priceOfModel('qwen/qwen3-coder:nitro')).toEqual(priceOfModel('qwen/qwen3-coder'))
  })

  it('is a multiple of the usual price in fast mode, also of the user’s own', () => {
    const input = (model: string, own = {}) => priceOfModel(model, '2026-06-01', own)?.input
    const models = [
      'claude-opus-4-6-fast',
      'anthropic/claude-opus-4.7-fast',
      'claude-opus-5-fast',
      'gpt-5.4-fast',
      'gpt-5.5-fast',
    ]
    expect(models.map((model) => input(model))).toEqual([30, 30, 10, 5, 12.5])
    expect(priceOfModel('claude-opus-5-fast')).toMatchObject({ cacheRead: 1, cacheWrite: 12.5, cacheWriteHour: 20, output: 50 })
    expect(input('claude-opus-5-fast', { 'claude-opus-5': { input: 7, output: 8 } })).toBe(14)
    expect(['grok-4-fast', 'claude-9-zeta-fast'].map((model) => input(model))).toEqual([0.2, undefined])
  })

  it('depends on the day, and on the length of the prompt', () => {
    expect(priceOfModel('claude-sonnet-4-6', '2026-02-20')?.longPrompt).toEqual({ above: 200_000, input: 2, output: 1.5 })
    expect(priceOfModel('claude-sonnet-4-6', '2026-03-20')?.longPrompt).toBeNull()
    expect(priceOfModel('claude-sonnet-4-5[1m]')?.longPrompt).toEqual({ above: 200_000, input: 2, output: 1.5 })
    expect(priceOfModel('claude-sonnet-4-20250514', '2025-08-11')?.longPrompt).toBeNull()
    expect(priceOfModel('claude-sonnet-4-20250514', '2025-08-12')?.longPrompt).toEqual({ above: 200_000, input: 2, output: 1.5 })
    const output = (day: string) => priceOfModel('deepseek-chat', day)?.output
    expect(['2025-08-01', '2025-09-05', '2025-09-29', '2026-05-01'].map(output)).toEqual([1.1, 1.68, 0.42, 0.28])
    expect(['2026-08-16', '2026-08-17'].map((day) => priceOfModel('deepseek-v4-pro', day)?.input)).toEqual([0.435, 0.66])
  })

  it('has the price of a thousand web searches, if that is published', () => {
    const search = (model: string, own = {}) => priceOfModel(model, '2026-06-01', own)?.webSearch
    expect(['claude-opus-4-5', 'claude-opus-5', 'gpt-5', 'gpt-5.5', 'gemini-2.5-pro'].map((model) => search(model))).toEqual([
      10,
      10,
      10,
      10,
      undefined,
    ])
    expect(search('gpt-5', { 'gpt-5': { input: 1, output: 1 } })).toBe(10)
    expect(search('gpt-5', { 'gpt-5': { input: 1, output: 1, web_search: 3 } })).toBe(3)
  })

  it('has the cache rules of its vendor', () => {
    const minPrefix = (model: string) => priceOfModel(model)?.cache.minPrefix
    expect(['claude-opus-4-6', 'claude-opus-4-7', 'claude-sonnet-4-5', 'gpt-5', 'gemini-2.5-pro'].map(minPrefix)).toEqual([
      4096, 2048, 1024, 1024, 4096,
    ])
    expect(priceOfModel('gpt-5')?.cache.match).toBe('longest-prefix')
    expect(priceOfModel('gpt-5.6-sol')?.cache.match).toBe('latest-breakpoints')
  })

  it.each(['<synthetic>', 'claude-9-zeta', 'gpt-99', 'big-pickle', '', '__proto__', 'x'.repeat(100_000)])(
    'is unknown for a name that nobody prices (%#)',
    (model) => expect(priceOfModel(model)).toBeNull(),
  )

  describe('in the configuration', () => {
    const own = {
      '*': { input: 1, output: 1 },
      'gpt-*': { input: 2, output: 2 },
      'gpt-*-mini': { input: 3, output: 3 },
      'gpt-5.5': { input: 4, output: 4 },
      'openrouter/gpt-5.5': { input: 5, output: 5 },
    }

    it.each([
      ['gpt-5.5', 4],
      ['GPT-5-5', 4],
      ['azure/gpt-5.5-2026-04-01', 4],
      ['openrouter/gpt-5.5', 5],
      ['gpt-5.5-mini', 3],
      ['gpt-4.1', 2],
      ['claude-opus-5[1m]', 1],
    ])('comes before all others, by name and then by the longest pattern: %s', (model, input) => {
      expect(priceOfModel(model, '2026-11-15', own)).toMatchObject({ input, source: 'configuration' })
    })

    it.each([
      ['a*b', 'ab', true],
      ['a*b', 'aab', true],
      ['a*b*b', 'ab', false],
      ['*-x-*', 'a-x-b', true],
      ['ab*ba', 'aba', false],
      ['a.*', 'abc', false],
    ])('fits a pattern: %s %s', (key, model, fits) => {
      expect(ownPriceOf(model, { [key]: { input: 1, output: 1 } }) !== null).toBe(fits)
    })

    it('takes the price of input for a cache without prices, and the cache rules of the model', () => {
      const price = priceOfModel('claude-opus-5', '2026-11-15', { 'claude-opus-5': { input: 7, output: 8 } })
      expect(price).toMatchObject({ cacheRead: 7, cacheWrite: 7, cacheWriteHour: null, longPrompt: null })
      expect(price?.cache).toEqual(priceOf('claude-opus-5')?.cache)
    })
  })

  it('is unknown on a day that is none', () => expect(priceOfModel('gpt-5', 'yesterday')).toBeNull())
})
