import { describe, expect, it } from 'vitest'
import type { CacheTerms } from '../facts.ts'
import { cacheTermsOf, ownServerTerms } from './cache-terms-of.ts'
import { knownPrices, type Price, priceOf } from './prices.ts'

const named = (model: string): Price => priceOf(model) as Price

describe('cacheTermsOf', () => {
  it.each<[name: string, price: Price, lifetime: 'provider' | 'hour', expected: CacheTerms]>([
    ['Opus 5.5', named('claude-opus-5.5'), 'provider', { read: 0.05, write: 1.25, lifetimeSeconds: 300 }],
    ['Opus 5.5 for an hour', named('claude-opus-5.5'), 'hour', { read: 0.05, write: 2, lifetimeSeconds: 3600 }],
    ['GPT-6.1 Sol', named('gpt-6.1-sol'), 'provider', { read: 0.05, write: 1.25, lifetimeSeconds: 1800 }],
    ['an hour if the model has no such price', named('gpt-5.5'), 'hour', { read: 0.1, write: 1, lifetimeSeconds: 600 }],
    ['an unstated lifetime', named('gemini-3.1-pro-preview'), 'provider', { read: 0.1, write: 1, lifetimeSeconds: null }],
    [
      'input that costs nothing',
      { ...named('claude-opus-5.5'), input: 0, cacheRead: 0, cacheWrite: 0 },
      'provider',
      ownServerTerms,
    ],
    [
      'an invalid price',
      { ...named('gpt-5.5'), cacheRead: Number.NaN },
      'provider',
      { read: 0.1, write: 1.25, lifetimeSeconds: 600 },
    ],
  ])('%s', (_name, price, lifetime, expected) => expect(cacheTermsOf(price, lifetime)).toEqual(expected))

  it('has terms for every known price, with reading never more expensive than writing', () => {
    for (const price of knownPrices.models) {
      const { read, write } = cacheTermsOf(price)
      expect(0 < read && read < 1 && 1 <= write).toBe(true)
    }
  })
})
