import type { CacheRules } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import { type CacheUse, createPromptCache, type SentPrompt } from './prompt-cache.ts'

const rules = (match: CacheRules['match'], rest: Partial<CacheRules> = {}): CacheRules => ({
  match,
  minPrefix: 0,
  lifetimeSeconds: 300,
  step: 1,
  ...rest,
})

/** One block of 100 tokens for each letter, with breakpoints after the last and after each place in `marks`; `at` in seconds. */
function prompt(letters: string, at: number, marks: readonly number[] = [], rest: Partial<SentPrompt> = {}): SentPrompt {
  const keys = Array.from(letters, (letter) => letter.charCodeAt(0))
  const breakpoints = [...marks, ...(keys.length === 0 ? [] : [keys.length - 1])]
  return { keys, tokens: keys.map(() => 100), breakpoints, at: at * 1000, ...rest }
}
const use = (read: number, write: number, fresh = 0): CacheUse => ({ read, write, fresh })

/** Sends prompts in order and returns what each reads and writes. */
function sendAll(given: CacheRules, prompts: readonly SentPrompt[]): readonly CacheUse[] {
  const cache = createPromptCache(given)
  return prompts.map(cache.send)
}

const long = (length: number): string => Array.from({ length }, (_, index) => String.fromCharCode(1000 + index)).join('')

describe('createPromptCache, calculated by hand', () => {
  it.each<[name: string, given: CacheRules, prompts: readonly SentPrompt[], expected: readonly CacheUse[]]>([
    [
      'breakpoints: reads what the last prompt wrote',
      rules('breakpoints'),
      [prompt('abc', 0), prompt('abcde', 10), prompt('abcdef', 20)],
      [use(0, 300), use(300, 200), use(500, 100)],
    ],
    [
      'breakpoints: neither reads nor writes after the last one',
      rules('breakpoints'),
      [prompt('abc', 0, [], { breakpoints: [1] }), prompt('abcde', 10, [], { breakpoints: [2] })],
      [use(0, 200, 100), use(200, 100, 200)],
    ],
    [
      'breakpoints: keeps nothing between them',
      rules('breakpoints'),
      [prompt('abcd', 0), prompt('abxd', 10)],
      [use(0, 400), use(0, 400)],
    ],
    [
      'breakpoints: one at the boundary keeps the content before a change',
      rules('breakpoints'),
      [prompt('abcd', 0, [1]), prompt('abxd', 10, [1])],
      [use(0, 400), use(200, 200)],
    ],
    [
      'breakpoints: finds a prompt twenty blocks back',
      rules('breakpoints'),
      [prompt(long(5), 0), prompt(long(25), 10)],
      [use(0, 500), use(500, 2000)],
    ],
    [
      'breakpoints: does not find one twenty-one blocks back',
      rules('breakpoints'),
      [prompt(long(5), 0), prompt(long(26), 10)],
      [use(0, 500), use(0, 2600)],
    ],
    [
      'breakpoints: finds it with a second breakpoint in between',
      rules('breakpoints'),
      [prompt(long(5), 0), prompt(long(26), 10, [12])],
      [use(0, 500), use(500, 2100)],
    ],
    [
      'breakpoints: every prompt that sets one keeps it alive',
      rules('breakpoints'),
      [prompt('abc', 0, [0]), prompt('abcd', 200, [0]), prompt('ax', 400, [0])],
      [use(0, 300), use(300, 100), use(100, 100)],
    ],
    [
      'breakpoints: expire after the lifetime',
      rules('breakpoints'),
      [prompt('abc', 0), prompt('abc', 300), prompt('abc', 600.001)],
      [use(0, 300), use(300, 0), use(0, 300)],
    ],
    [
      'breakpoints: do not keep a prompt below the minimum',
      rules('breakpoints', { minPrefix: 301 }),
      [prompt('abc', 0), prompt('abcd', 10), prompt('abcde', 20)],
      [use(0, 0, 300), use(0, 400), use(400, 100)],
    ],
    [
      'latest breakpoints: are found at any distance',
      rules('latest-breakpoints'),
      [prompt(long(5), 0), prompt(long(95), 10)],
      [use(0, 500), use(500, 9000)],
    ],
    [
      'latest breakpoints: keep nothing between them',
      rules('latest-breakpoints'),
      [prompt('abcd', 0), prompt('abxd', 10)],
      [use(0, 400), use(0, 400)],
    ],
    [
      'longest prefix: reads the common start',
      rules('longest-prefix'),
      [prompt('abcd', 0), prompt('abxd', 10), prompt('abcdef', 20)],
      [use(0, 400), use(200, 200), use(400, 200)],
    ],
    [
      'longest prefix: rounds to steps, so a block may be read in part',
      rules('longest-prefix', { step: 128 }),
      [prompt('abcd', 0), prompt('abcde', 10)],
      [use(0, 400), use(384, 116)],
    ],
    [
      'longest prefix: reads nothing below the minimum',
      rules('longest-prefix', { minPrefix: 250 }),
      [prompt('abcd', 0), prompt('abxd', 10), prompt('abcy', 20)],
      [use(0, 400), use(0, 400), use(300, 100)],
    ],
    [
      'longest prefix: is renewed by every prompt that has it',
      rules('longest-prefix'),
      [prompt('abcd', 0), prompt('abx', 200), prompt('abcd', 400)],
      [use(0, 400), use(200, 100), use(200, 200)],
    ],
    [
      'best effort: works like the longest prefix',
      rules('best-effort'),
      [prompt('abcd', 0), prompt('abxd', 10)],
      [use(0, 400), use(200, 200)],
    ],
    [
      'prefix units: read the last prompt and its answer',
      rules('prefix-units', { lifetimeSeconds: null }),
      [prompt('abc', 0), prompt('abcde', 10), prompt('abcdefgh', 20, [], { answerBlocks: 2 })],
      [use(0, 300), use(400, 100), use(700, 100)],
    ],
    [
      'prefix units: do not read part of a unit',
      rules('prefix-units', { lifetimeSeconds: null }),
      [prompt('abcd', 0), prompt('abxy', 10)],
      [use(0, 400), use(0, 400)],
    ],
    [
      'prefix units: keep a common part as a unit from then on',
      rules('prefix-units', { lifetimeSeconds: null }),
      [prompt('abcd', 0), prompt('abxy', 10), prompt('abz', 20)],
      [use(0, 400), use(0, 400), use(200, 100)],
    ],
    ['none', rules('none'), [prompt('abc', 0), prompt('abc', 1)], [use(0, 0, 300), use(0, 0, 300)]],
    [
      'an unknown lifetime never ends',
      rules('longest-prefix', { lifetimeSeconds: null }),
      [prompt('ab', 0), prompt('abc', 1e9)],
      [use(0, 200), use(200, 100)],
    ],
    [
      'nothing expires if the clock goes back',
      rules('longest-prefix'),
      [prompt('ab', 9000), prompt('abc', 10), prompt('abcd', 20)],
      [use(0, 200), use(200, 100), use(300, 100)],
    ],
  ])('%s', (_name, given, prompts, expected) => expect(sendAll(given, prompts)).toEqual(expected))

  it('keeps the eighty breakpoints that were used last', () => {
    const cache = createPromptCache(rules('latest-breakpoints'))
    const numbered = (number: number, at: number): SentPrompt => ({ keys: [number], tokens: [100], breakpoints: [0], at })
    for (let number = 0; number < 80; number += 1) cache.send(numbered(number, number))
    expect(cache.send(numbered(0, 100))).toEqual(use(100, 0))
    cache.send(numbered(80, 101))
    expect([cache.send(numbered(0, 102)), cache.send(numbered(1, 103))]).toEqual([use(100, 0), use(0, 100)])
  })
})

describe('touch', () => {
  it.each<CacheRules['match']>(['breakpoints', 'latest-breakpoints', 'longest-prefix', 'best-effort', 'prefix-units'])(
    '%s: renews the last prompt while it is cached, but does not restore an expired one',
    (match) => {
      const cache = createPromptCache(rules(match))
      expect(cache.touch(0)).toBe(0)
      cache.send(prompt('abc', 0))
      expect([250, 500, 750].map((at) => cache.touch(at * 1000))).toEqual([300, 300, 300])
      expect(cache.send(prompt('abcd', 1000))).toEqual(match === 'prefix-units' ? use(400, 0) : use(300, 100))
      expect([cache.touch(1400 * 1000), cache.touch(1401 * 1000)]).toEqual([0, 0])
      expect(cache.send(prompt('abcd', 1402))).toEqual(use(0, 400))
    },
  )

  it('reads nothing without a cache', () => {
    const cache = createPromptCache(rules('none'))
    cache.send(prompt('abc', 0))
    expect(cache.touch(1)).toBe(0)
  })
})

describe('createPromptCache, with invalid input,', () => {
  const odd: readonly SentPrompt[] = [
    { keys: [], tokens: [], breakpoints: [], at: 0 },
    { keys: [1, 2, 3], tokens: [100], breakpoints: [2, 1, 1, -1, 7, 0.5, Number.NaN], at: Number.NaN },
    { keys: [1, 2, 3], tokens: [100, Number.NaN, -5], breakpoints: [], at: Number.POSITIVE_INFINITY },
    { keys: [Number.NaN, Number.NaN], tokens: [Number.POSITIVE_INFINITY, 50], breakpoints: [1], at: -1e300 },
    { keys: [1, 2, 3], tokens: [100, 0, 0], breakpoints: [2], at: 1e300, answerBlocks: Number.NaN },
  ]
  it.each<CacheRules['match']>(['none', 'breakpoints', 'latest-breakpoints', 'longest-prefix', 'best-effort', 'prefix-units'])(
    '%s returns sums that add up',
    (match) => {
      for (const given of [rules(match), { match, minPrefix: Number.NaN, lifetimeSeconds: Number.NaN, step: Number.NaN }]) {
        const cache = createPromptCache(Object.freeze(given))
        for (const one of [...odd, ...odd]) {
          const { read, write, fresh } = cache.send(Object.freeze(one))
          expect(Math.min(read, write, fresh)).toBeGreaterThanOrEqual(0)
          expect(read + write + fresh).toBe(one.keys[0] === 1 ? 100 : one.keys.length === 0 ? 0 : 50)
          cache.touch(one.at)
        }
      }
    },
  )

  it('is not affected if the caller changes a list later', () => {
    const cache = createPromptCache(rules('longest-prefix'))
    const keys = [1, 2]
    const tokens = [100, 100]
    cache.send({ keys, tokens, breakpoints: [1], at: 0 })
    keys[1] = 9
    expect(cache.send({ keys, tokens, breakpoints: [1], at: 1 })).toEqual(use(100, 100))
  })
})
