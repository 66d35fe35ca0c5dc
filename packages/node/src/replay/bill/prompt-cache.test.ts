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

/** Blocks of 100 tokens each, one for each letter, kept after the last and after each place in `marks`; `at` in seconds. */
function prompt(letters: string, at: number, marks: readonly number[] = [], rest: Partial<SentPrompt> = {}): SentPrompt {
  const keys = Array.from(letters, (letter) => letter.charCodeAt(0))
  const breakpoints = [...marks, ...(keys.length === 0 ? [] : [keys.length - 1])]
  return { keys, tokens: keys.map(() => 100), breakpoints, at: at * 1000, ...rest }
}
const use = (read: number, write: number, fresh = 0): CacheUse => ({ read, write, fresh })

/** What each of several prompts, one after the other, reads and writes. */
function sendAll(given: CacheRules, prompts: readonly SentPrompt[]): readonly CacheUse[] {
  const cache = createPromptCache(given)
  return prompts.map(cache.send)
}

const long = (length: number): string => Array.from({ length }, (_, index) => String.fromCharCode(1000 + index)).join('')

describe('createPromptCache, worked out by hand', () => {
  it.each<[name: string, given: CacheRules, prompts: readonly SentPrompt[], expected: readonly CacheUse[]]>([
    [
      'breakpoints: what the last prompt wrote is read',
      rules('breakpoints'),
      [prompt('abc', 0), prompt('abcde', 10), prompt('abcdef', 20)],
      [use(0, 300), use(300, 200), use(500, 100)],
    ],
    [
      'breakpoints: what lies behind the last one is neither',
      rules('breakpoints'),
      [prompt('abc', 0, [], { breakpoints: [1] }), prompt('abcde', 10, [], { breakpoints: [2] })],
      [use(0, 200, 100), use(200, 100, 200)],
    ],
    [
      'breakpoints: nothing between them is kept',
      rules('breakpoints'),
      [prompt('abcd', 0), prompt('abxd', 10)],
      [use(0, 400), use(0, 400)],
    ],
    [
      'breakpoints: one at the boundary saves what is before a change',
      rules('breakpoints'),
      [prompt('abcd', 0, [1]), prompt('abxd', 10, [1])],
      [use(0, 400), use(200, 200)],
    ],
    [
      'breakpoints: twenty blocks back are seen',
      rules('breakpoints'),
      [prompt(long(5), 0), prompt(long(25), 10)],
      [use(0, 500), use(500, 2000)],
    ],
    [
      'breakpoints: twenty-one are not',
      rules('breakpoints'),
      [prompt(long(5), 0), prompt(long(26), 10)],
      [use(0, 500), use(0, 2600)],
    ],
    [
      'breakpoints: with a second one on the way they are',
      rules('breakpoints'),
      [prompt(long(5), 0), prompt(long(26), 10, [12])],
      [use(0, 500), use(500, 2100)],
    ],
    [
      'breakpoints: one that every prompt sets is kept alive by all of them',
      rules('breakpoints'),
      [prompt('abc', 0, [0]), prompt('abcd', 200, [0]), prompt('ax', 400, [0])],
      [use(0, 300), use(300, 100), use(100, 100)],
    ],
    [
      'breakpoints: kept for the lifetime, and no longer',
      rules('breakpoints'),
      [prompt('abc', 0), prompt('abc', 300), prompt('abc', 600.001)],
      [use(0, 300), use(300, 0), use(0, 300)],
    ],
    [
      'breakpoints: a prompt below the minimum is not kept',
      rules('breakpoints', { minPrefix: 301 }),
      [prompt('abc', 0), prompt('abcd', 10), prompt('abcde', 20)],
      [use(0, 0, 300), use(0, 400), use(400, 100)],
    ],
    [
      'latest breakpoints: no matter how far back',
      rules('latest-breakpoints'),
      [prompt(long(5), 0), prompt(long(95), 10)],
      [use(0, 500), use(500, 9000)],
    ],
    [
      'latest breakpoints: nothing between them',
      rules('latest-breakpoints'),
      [prompt('abcd', 0), prompt('abxd', 10)],
      [use(0, 400), use(0, 400)],
    ],
    [
      'longest prefix: everything that begins alike',
      rules('longest-prefix'),
      [prompt('abcd', 0), prompt('abxd', 10), prompt('abcdef', 20)],
      [use(0, 400), use(200, 200), use(400, 200)],
    ],
    [
      'longest prefix: in steps, so that a block may be read in part',
      rules('longest-prefix', { step: 128 }),
      [prompt('abcd', 0), prompt('abcde', 10)],
      [use(0, 400), use(384, 116)],
    ],
    [
      'longest prefix: from the minimum on',
      rules('longest-prefix', { minPrefix: 250 }),
      [prompt('abcd', 0), prompt('abxd', 10), prompt('abcy', 20)],
      [use(0, 400), use(0, 400), use(300, 100)],
    ],
    [
      'longest prefix: a beginning is as young as the last prompt that had it',
      rules('longest-prefix'),
      [prompt('abcd', 0), prompt('abx', 200), prompt('abcd', 400)],
      [use(0, 400), use(200, 100), use(200, 200)],
    ],
    [
      'best effort: as the longest prefix, where it pleases',
      rules('best-effort'),
      [prompt('abcd', 0), prompt('abxd', 10)],
      [use(0, 400), use(200, 200)],
    ],
    [
      'prefix units: the last prompt and the answer to it',
      rules('prefix-units', { lifetimeSeconds: null }),
      [prompt('abc', 0), prompt('abcde', 10), prompt('abcdefgh', 20, [], { answerBlocks: 2 })],
      [use(0, 300), use(400, 100), use(700, 100)],
    ],
    [
      'prefix units: a part of one is nothing',
      rules('prefix-units', { lifetimeSeconds: null }),
      [prompt('abcd', 0), prompt('abxy', 10)],
      [use(0, 400), use(0, 400)],
    ],
    [
      'prefix units: but is one from then on',
      rules('prefix-units', { lifetimeSeconds: null }),
      [prompt('abcd', 0), prompt('abxy', 10), prompt('abz', 20)],
      [use(0, 400), use(0, 400), use(200, 100)],
    ],
    ['none', rules('none'), [prompt('abc', 0), prompt('abc', 1)], [use(0, 0, 300), use(0, 0, 300)]],
    [
      'a lifetime that is not stated never ends',
      rules('longest-prefix', { lifetimeSeconds: null }),
      [prompt('ab', 0), prompt('abc', 1e9)],
      [use(0, 200), use(200, 100)],
    ],
    [
      'a clock that goes back makes nothing old',
      rules('longest-prefix'),
      [prompt('ab', 9000), prompt('abc', 10), prompt('abcd', 20)],
      [use(0, 200), use(200, 100), use(300, 100)],
    ],
  ])('%s', (_name, given, prompts, expected) => expect(sendAll(given, prompts)).toEqual(expected))

  it('of more than eighty breakpoints forgets those not used longest', () => {
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
    '%s: the last prompt is kept longer while it is there, and not brought back when it is gone',
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

  it('reads nothing where there is no cache', () => {
    const cache = createPromptCache(rules('none'))
    cache.send(prompt('abc', 0))
    expect(cache.touch(1)).toBe(0)
  })
})

describe('odd input', () => {
  const odd: readonly SentPrompt[] = [
    { keys: [], tokens: [], breakpoints: [], at: 0 },
    { keys: [1, 2, 3], tokens: [100], breakpoints: [2, 1, 1, -1, 7, 0.5, Number.NaN], at: Number.NaN },
    { keys: [1, 2, 3], tokens: [100, Number.NaN, -5], breakpoints: [], at: Number.POSITIVE_INFINITY },
    { keys: [Number.NaN, Number.NaN], tokens: [Number.POSITIVE_INFINITY, 50], breakpoints: [1], at: -1e300 },
    { keys: [1, 2, 3], tokens: [100, 0, 0], breakpoints: [2], at: 1e300, answerBlocks: Number.NaN },
  ]
  it.each<CacheRules['match']>(['none', 'breakpoints', 'latest-breakpoints', 'longest-prefix', 'best-effort', 'prefix-units'])(
    '%s adds up whatever is sent',
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

  it('a list that its owner goes on to change is not looked at again', () => {
    const cache = createPromptCache(rules('longest-prefix'))
    const keys = [1, 2]
    const tokens = [100, 100]
    cache.send({ keys, tokens, breakpoints: [1], at: 0 })
    keys[1] = 9
    expect(cache.send({ keys, tokens, breakpoints: [1], at: 1 })).toEqual(use(100, 100))
  })
})
