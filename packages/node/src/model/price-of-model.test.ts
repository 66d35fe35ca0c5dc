import { knownPrices, priceOf } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import { ownPriceOf, priceOfModel } from './price-of-model.ts'

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
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', [1, 0.1, 1.25, 2, 5]],
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
    expect(source).toBe('list')
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

  it('depends on the day, and on the length of the prompt', () => {
    expect(priceOfModel('claude-sonnet-4-6', '2026-02-20')?.longPrompt).toEqual({ above: 200_000, input: 2, output: 1.5 })
    expect(priceOfModel('claude-sonnet-4-6', '2026-03-20')?.longPrompt).toBeNull()
    expect(priceOfModel('claude-sonnet-4-5[1m]')?.longPrompt).toEqual({ above: 200_000, input: 2, output: 1.5 })
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
