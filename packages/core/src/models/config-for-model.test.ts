import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeConfig, outputReserve, type PartialConfig } from '../config.ts'
import type { ModelFacts } from './catalogue.ts'
import { modelFacts, withModelWindow, withOutputLimit } from './model-facts.ts'

const sizes = (model: string, settings: PartialConfig = {}) => {
  const config = withModelWindow(completeConfig(settings), modelFacts(model))
  return [config.context_window, outputReserve(config)]
}

describe('withModelWindow', () => {
  it.each<[string, readonly number[]]>([
    ['deepseek-chat', [131_072, 8192]],
    ['claude-opus-5.5', [1_000_000, 8192]],
    ['claude-3-opus', [200_000, 4096]],
    ['gpt-5', [280_192, 8192]],
    ['unheard-of', [200_000, 8192]],
  ])('Q-50 gives %s its window and its reserve: %j', (model, expected) => expect(sizes(model)).toEqual(expected))

  it('keeps a configured reserve regardless of the output limit', () =>
    expect(sizes('claude-3-opus', { output_reserve: 20_000 })).toEqual([200_000, 20_000]))

  it('returns the same configuration if nothing is known', () => {
    const config = completeConfig({ context_window: 5000 })
    expect(withModelWindow(config, modelFacts('unheard-of'))).toBe(config)
  })

  it('never leaves more usable than the model reads, and loses no more than a token of it', () => {
    let limited = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000_000 }),
        fc.integer({ min: 1, max: 2_000_000 }),
        fc.option(fc.integer({ min: 0, max: 2_000_000 })),
        fc.option(fc.integer({ min: 1, max: 500_000 })),
        (window, input, output_reserve, outputLimit) => {
          const inputLimit = Math.min(window, input)
          const facts: ModelFacts = { ...modelFacts('unheard-of'), window, inputLimit, outputLimit }
          const config = withModelWindow(completeConfig({ output_reserve }), facts)
          const usable = config.context_window - outputReserve(config)
          expect(config.context_window).toBeLessThanOrEqual(window)
          expect(usable).toBeLessThanOrEqual(inputLimit)
          if (config.context_window < window) {
            limited += 1
            expect(usable).toBeGreaterThanOrEqual(inputLimit - 1)
          }
        },
      ),
    )
    expect(limited).toBeGreaterThan(10)
  })
})

describe('withOutputLimit', () => {
  it('lowers only the reserve', () => {
    const config = completeConfig({ context_window: 50_000 })
    expect(withOutputLimit(config, modelFacts('claude-3-opus'))).toEqual({ ...config, output_reserve: 4096 })
    expect(withOutputLimit(config, modelFacts('claude-opus-5.5'))).toBe(config)
  })
})
