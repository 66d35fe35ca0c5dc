import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { knownPrices } from '../bill/prices.ts'
import { knownModels, type ModelFacts } from './catalogue.ts'
import { modelFacts } from './model-facts.ts'

const unknown = (model: string): ModelFacts => ({
  model,
  window: null,
  inputLimit: null,
  outputLimit: null,
  hasPromptCache: null,
  source: null,
})

describe('modelFacts', () => {
  it.each<[string, string, number]>([
    ['deepseek-chat', 'deepseek-chat', 131_072],
    ['deepseek/deepseek-chat', 'deepseek-chat', 131_072],
    ['claude-opus-5-5', 'claude-opus-5.5', 1_000_000],
    ['anthropic/claude-sonnet-4-5-20250929', 'claude-sonnet-4.5', 200_000],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-sonnet-4', 200_000],
    ['claude-sonnet-4@20250514', 'claude-sonnet-4', 200_000],
    ['claude-3-5-haiku-latest', 'claude-3.5-haiku', 200_000],
    ['openrouter/openai/gpt-5', 'gpt-5', 400_000],
    ['gpt-5-2025-08-07', 'gpt-5', 400_000],
    ['gpt-5-chat-latest', 'gpt-5-chat', 128_000],
    ['GPT-4.1', 'gpt-4.1', 1_047_576],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro', 1_048_576],
  ])('Q-50 knows the window of %s', (model, name, window) => {
    const facts = modelFacts(model)
    expect([facts.model, facts.window]).toEqual([name, window])
  })

  it('prefers the row of a dated release to that of its model', () => {
    expect([modelFacts('gpt-4o-2024-05-13').outputLimit, modelFacts('gpt-4o-2024-08-06').outputLimit]).toEqual([4096, 16_384])
  })

  it.each([
    'claude',
    'claude-opus',
    'claude-opus-6',
    'gpt-5-turbo',
    'gpt-5:free',
    'my-gpt-5',
    'qwen3:8b',
    'unknown[1m]',
    '[1m]',
    '',
    '/',
  ])('Q-50 guesses nothing about %s', (model) => expect(modelFacts(model)).toEqual(unknown(model)))

  it('reads a window of a million tokens from the suffix', () => {
    expect(modelFacts('claude-opus-5-fast')).toEqual(modelFacts('claude-opus-5'))
    const facts = modelFacts('claude-sonnet-4-5[1m]')
    expect(facts).toEqual({ ...modelFacts('claude-sonnet-4-5'), window: 1_000_000 })
  })

  it('Q-50 prefers a row of the caller to its own', () => {
    const own: ModelFacts = { ...unknown('gpt-5'), window: 64_000 }
    expect([modelFacts('openai/gpt-5', [own]), modelFacts('gpt-5.2', [own]).window]).toEqual([own, 400_000])
  })

  it('never takes one model for another of the same family', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...knownModels.models),
        fc.stringMatching(/^[-.:](?:[a-km-z]{1,2}|[xyz]{3,9})[0-9]{0,3}$/),
        ({ model }, suffix) => {
          expect(modelFacts(`${model}${suffix}`)).toEqual(unknown(`${model}${suffix}`))
        },
      ),
    ))

  it('answers any name', () => {
    fc.assert(
      fc.property(fc.string(), (model) => {
        expect(modelFacts(model)).toEqual(unknown(model))
      }),
    )
    const strange = [undefined, null, 5, {}, 'x'.repeat(1_000_000), '[1m]'.repeat(100_000)] as readonly string[]
    expect(strange.map((model) => modelFacts(model).window)).toEqual(strange.map(() => null))
  })
})

describe('knownModels', () => {
  it('has a date, one row for each model, and limits that leave room for each other', () => {
    expect(knownModels.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(new Set(knownModels.models.map(({ model }) => model)).size).toBe(knownModels.models.length)
    for (const { model, window, inputLimit, outputLimit, source } of knownModels.models) {
      const input = inputLimit ?? window
      expect({
        model,
        isSound: (input ?? 0) > 100_000 && (input ?? 0) <= (window ?? 0) && (outputLimit ?? 1) < (window ?? 0),
        source,
      }).toEqual({ model, isSound: true, source: expect.stringMatching(/^(?:provider|list|quoted)$/) as string })
    }
  })

  it('knows the window of every model it knows the price of, and that it has a cache where cached input is cheaper', () => {
    for (const { model, cacheRead, input } of knownPrices.models) {
      const { window, hasPromptCache } = modelFacts(model)
      expect([model, window === null, hasPromptCache]).toEqual([model, false, cacheRead < input])
    }
  })
})
