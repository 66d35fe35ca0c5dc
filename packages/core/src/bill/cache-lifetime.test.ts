import { describe, expect, it } from 'vitest'
import { chooseCacheLifetime, promptsCost, type SentPrompt } from './cache-lifetime.ts'
import { cacheTermsOf } from './cache-terms-of.ts'
import { knownPrices, type Price, priceOf } from './prices.ts'

/** Reads at a tenth of input; writes at 1.25 for five minutes, at 2 for an hour. */
const price = priceOf('claude-opus-5', knownPrices, '2026-11-15') as Price

/** Prompts by the second they were sent at, and their tokens. */
const sent = (...prompts: readonly (readonly [second: number, tokens: number])[]): readonly SentPrompt[] =>
  prompts.map(([second, tokens]) => ({ at: 1_794_721_480_000 + second * 1000, tokens }))

const quick = sent([0, 1000], [200, 1500])
const paused = sent([0, 1000], [400, 1500])

describe('what prompts cost', () => {
  it.each<[name: string, prompts: readonly SentPrompt[], minutes: number, hour: number]>([
    ['nothing', [], 0, 0],
    ['the first, written', sent([0, 1000]), 1250, 2000],
    ['one within five minutes: 1,000 read, 500 written', quick, 1250 + 100 + 625, 2000 + 100 + 1000],
    ['one after exactly five minutes', sent([0, 1000], [300, 1500]), 1975, 3100],
    ['one after more: an hour still reads', paused, 1250 + 1875, 2000 + 100 + 1000],
    ['one after exactly an hour', sent([0, 1000], [3600, 1500]), 3125, 3100],
    ['one after more than an hour', sent([0, 1000], [3601, 1500]), 3125, 2000 + 3000],
    ['one that shrank, written anew', sent([0, 1000], [10, 400]), 1250 + 500, 2000 + 800],
    ['one that grew after it shrank', sent([0, 1000], [10, 400], [20, 600]), 1750 + 40 + 250, 2800 + 40 + 400],
    ['those that each renew the cache', sent([0, 1000], [200, 1000], [400, 1000]), 1250 + 200, 2000 + 200],
  ])('%s', (_name, prompts, minutes, hour) => {
    expect(promptsCost(prompts, cacheTermsOf(price))).toBeCloseTo(minutes, 9)
    expect(promptsCost(prompts, cacheTermsOf(price, 'hour'))).toBeCloseTo(hour, 9)
  })
})

describe('how long the next session should be cached', () => {
  it.each<[name: string, sessions: readonly (readonly SentPrompt[])[], expected: string, of?: Price]>([
    ['five minutes without earlier sessions', [], 'provider'],
    ['five minutes after short pauses', [quick], 'provider'],
    ['an hour after pauses that pay for it', [paused], 'hour'],
    // 45 × 25 saved, 1 × 1,125 lost: as much.
    ['five minutes if both cost the same', [...Array.from({ length: 45 }, () => paused), quick], 'provider'],
    ['an hour if the sum is lower', [...Array.from({ length: 46 }, () => paused), quick], 'hour'],
    [
      'what the provider does by itself, where no price is known for an hour',
      [paused],
      'provider',
      { ...price, cacheWriteHour: null },
    ],
  ])('is %s', (_name, sessions, expected, of = price) => expect(chooseCacheLifetime(sessions, of)).toBe(expected))
})
