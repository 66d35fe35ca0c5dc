import type { PartialConfig } from '@plimsoll/core'
import { ownServerTerms, usualTerms } from '@plimsoll/core/bill'
import { completeConfig, emptyLedger } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import { createModelClient } from './create-client.ts'
import { noCache, termsInForce } from './prompt-cache.ts'

const environment = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'b', DEEPSEEK_API_KEY: 'c', OPENROUTER_API_KEY: 'd' }
const now = () => Date.parse('2026-11-15')

function terms(name: string, url?: string, config: PartialConfig = {}) {
  return createModelClient({ name, url, environment, config: completeConfig(config), now }).cacheTerms
}

const here = 'http://127.0.0.1:8000/v1'
const priced = (cache_read?: number): PartialConfig => ({
  prices: { mine: { input: 2, output: 8, ...(cache_read === undefined ? {} : { cache_read, cache_write: 3 }) } },
})

describe('what caching costs', () => {
  it.each<[name: string, given: ReturnType<typeof terms>, expected: object]>([
    ['comes from the price', terms('anthropic/claude-opus-5.5'), { read: 0.05, write: 1.25, lifetimeSeconds: 300 }],
    [
      'has no end where the provider names none',
      terms('deepseek/deepseek-flash'),
      { read: 0.02, write: 1, lifetimeSeconds: null },
    ],
    [
      'comes from the price wherever a model is run',
      terms('claude-opus-5.5', here),
      { read: 0.05, write: 1.25, lifetimeSeconds: 300 },
    ],
    ['is the usual one if the price is unknown', terms('openrouter/some/model'), usualTerms],
    ['is the usual of a server elsewhere', terms('mine', 'https://models.example.com/v1'), usualTerms],
    ['comes from the user’s own price', terms('mine', here, priced(0.2)), { read: 0.1, write: 1.5, lifetimeSeconds: 300 }],
    ['is nothing where the user’s own price knows no cache', terms('mine', here, priced()), { read: 1, write: 1 }],
    ['is nothing for the offline model', terms('offline'), noCache],
    ['is a tenth, kept without end, on a server on this machine', terms('mine', here), ownServerTerms],
    ['is the same for one by name', terms('mine', 'http://localhost:1234/v1'), ownServerTerms],
    ['is the same for Ollama, wherever it runs', terms('ollama/qwen3'), ownServerTerms],
    [
      'is the same for a model whose input costs nothing',
      terms('mine', here, { prices: { mine: { input: 0, output: 0 } } }),
      { read: 0.1, write: 1 },
    ],
  ])('%s', (_name, given, expected) => expect(given).toMatchObject(expected))

  const learned = (atLeastSeconds: number | null, zeroReads: number) => ({
    ...emptyLedger,
    learned: { atLeastSeconds, atMostSeconds: null, zeroReads },
  })

  it('goes by what reports have taught', () => {
    expect(termsInForce({}, emptyLedger)).toEqual(usualTerms)
    expect(termsInForce({}, learned(400, 0))).toEqual({ ...usualTerms, lifetimeSeconds: 800 })
    expect(termsInForce({}, learned(null, 3))).toEqual(noCache)
  })

  it('learns on a server on this machine how long it keeps prompts, but not from missing reports that it keeps none', () => {
    const own = { cacheTerms: terms('mine', here) ?? noCache }
    expect(termsInForce(own, learned(null, 3))).toEqual(ownServerTerms)
    const gone = { ...learned(20, 0), learned: { atLeastSeconds: 20, atMostSeconds: 900, zeroReads: 0 } }
    expect(termsInForce(own, gone)).toEqual({ ...ownServerTerms, lifetimeSeconds: 900 })
    expect(termsInForce({ cacheTerms: terms('mine', here, priced()) ?? usualTerms }, learned(20, 0))).toMatchObject({ write: 1 })
  })
})
