import { knownPrices, priceOf } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import { priceOfModel } from './price-of-model.ts'

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

  it.each(['qwen3-coder-plus', 'glm-4.6', 'minimax-m2'])(
    'is found for a model of a maker without rows of its own: %s',
    (model) => {
      expect(priceOfModel(model)?.input).toBeGreaterThan(0)
    },
  )

  it('depends on the day, and on the length of the prompt', () => {
    expect(priceOfModel('claude-sonnet-4-6', '2026-02-20')?.longPrompt).toEqual({ above: 200_000, input: 2, output: 1.5 })
    expect(priceOfModel('claude-sonnet-4-6', '2026-03-20')?.longPrompt).toBeNull()
    expect(priceOfModel('claude-sonnet-4-5[1m]')?.longPrompt).toEqual({ above: 200_000, input: 2, output: 1.5 })
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

  it('is unknown on a day that is none', () => expect(priceOfModel('gpt-5', 'yesterday')).toBeNull())
})
