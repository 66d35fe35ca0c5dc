import type { CacheRules } from '@plimsoll/core/bill'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CacheMatch } from '../../../../core/src/facts.ts'
import { createPromptCache, type PromptCache, type SentPrompt } from './prompt-cache.ts'

/** A slow reference implementation: every prefix is a text, and all of them are compared. */
function plainCache({ match, minPrefix, lifetimeSeconds, step }: CacheRules, seen: Set<string>): PromptCache {
  const touched = new Map<string, number>()
  const prompts: (readonly string[])[] = []
  let last: SentPrompt = { keys: [], tokens: [], breakpoints: [], at: 0 }
  let lastAt = 0
  const isMarked = match === 'breakpoints' || match === 'latest-breakpoints'

  const named = new WeakMap<SentPrompt, readonly string[]>()
  const prefixes = (prompt: SentPrompt): readonly string[] => {
    const names = named.get(prompt) ?? prompt.keys.map((_, index) => prompt.keys.slice(0, index + 1).join(' '))
    named.set(prompt, names)
    return names
  }
  const lengths = ({ keys }: SentPrompt): number[] => keys.map((_, index) => index + 1)
  const marks = ({ breakpoints }: SentPrompt): number[] => breakpoints.map((place) => place + 1)
  const sum = ({ tokens }: SentPrompt, length: number): number => tokens.slice(0, length).reduce((all, one) => all + one, 0)
  const rounded = (tokens: number): number => Math.floor(tokens / step) * step

  function isLive(prompt: SentPrompt, length: number, at: number): boolean {
    const time = touched.get(prefixes(prompt)[length - 1] as string)
    if (time === undefined) return false
    if (sum(prompt, length) < minPrefix) return false
    if (lifetimeSeconds === null || at - time <= lifetimeSeconds * 1000) return true
    seen.add('expired')
    return false
  }

  function find(prompt: SentPrompt, at: number): number {
    const live = lengths(prompt).filter((length) => isLive(prompt, length, at))
    const near = live.filter((length) => marks(prompt).some((mark) => length <= mark && length >= mark - 20))
    const within =
      match === 'breakpoints' ? near : isMarked ? live.filter((length) => length <= Math.max(...marks(prompt))) : live
    if (near.length < live.length && match === 'breakpoints') seen.add('too far back')
    return Math.max(0, ...within)
  }

  function touch(prompt: SentPrompt, asked: readonly number[], at: number): void {
    for (const length of asked) {
      if (length === 0 || sum(prompt, length) < minPrefix) continue
      const prefix = prefixes(prompt)[length - 1] as string
      touched.delete(prefix)
      touched.set(prefix, at)
    }
    if (match !== 'latest-breakpoints') return
    for (const oldest of [...touched.keys()].slice(0, Math.max(0, touched.size - 80))) {
      touched.delete(oldest)
      seen.add('forgotten')
    }
  }

  return {
    send(prompt) {
      const { at, keys, answerBlocks = 1 } = prompt
      const whole = keys.length
      const names = prefixes(prompt)
      const isContinued = last.keys.length > 0 && last.keys.every((key, index) => key === keys[index])
      if (match === 'prefix-units' && isContinued && whole > last.keys.length)
        touch(prompt, [Math.min(last.keys.length + answerBlocks, whole)], lastAt)
      const best = match === 'none' ? 0 : find(prompt, at)
      const common = Math.max(0, ...prompts.map((earlier) => names.filter((name, index) => earlier[index] === name).length))
      const kept = isMarked ? marks(prompt) : match === 'prefix-units' ? [common, whole] : match === 'none' ? [] : lengths(prompt)
      touch(prompt, [...(kept.includes(best) ? [] : [best]), ...kept], at)
      const read = rounded(sum(prompt, best))
      const end = sum(prompt, Math.max(best, ...kept))
      const write = end >= minPrefix ? end - read : 0
      if (best > 0) seen.add('read')
      if (best > 0 && best < common) seen.add('read less than is shared')
      if (best > last.keys.length) seen.add('read more than the last prompt')
      if (common < last.keys.length) seen.add('rewritten')
      if (common > names.filter((name, index) => prompts.at(-1)?.[index] === name).length) seen.add('back to an older prompt')
      if (write > 0 && read > 0) seen.add('read and written')
      prompts.push(names)
      last = prompt
      lastAt = at
      return { read, write, fresh: sum(prompt, whole) - read - write }
    },
    touch(at) {
      const best = match === 'none' ? 0 : find(last, at)
      if (best === 0) return 0
      const short = isMarked ? marks(last).filter((mark) => mark <= best) : match === 'prefix-units' ? [best] : lengths(last)
      touch(last, [...(short.includes(best) ? [] : [best]), ...short], at)
      lastAt = at
      seen.add('kept alive')
      return rounded(sum(last, best))
    },
  }
}

interface Step {
  /** How many earlier prompts to go back, and how much of that one to keep. */
  readonly back: number
  readonly keep: number
  readonly added: readonly number[]
  readonly marks: readonly number[]
  readonly gap: number
  readonly isTouch: boolean
  readonly answerBlocks: number
}

const step: fc.Arbitrary<Step> = fc.record({
  back: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 6 }) }),
  keep: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) }),
  added: fc.oneof(
    { weight: 6, arbitrary: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 18, maxLength: 24 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
  marks: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 3 }),
  gap: fc.constantFrom(0, 1000, 20_000, 299_999, 300_000, 300_001, 900_000, -400_000),
  isTouch: fc.boolean(),
  answerBlocks: fc.integer({ min: 1, max: 3 }),
})

/** A conversation: mostly continued, sometimes changed, rewound or paused. */
function promptsOf(steps: readonly Step[]): readonly { readonly prompt: SentPrompt; readonly isTouch: boolean }[] {
  const sent: SentPrompt[] = []
  let at = 1_000_000
  return steps.map(({ back, keep, added, marks, gap, isTouch, answerBlocks }) => {
    const from = sent.at(-Math.min(back, sent.length))?.keys ?? []
    const keys = [...from.slice(0, Math.round(from.length * keep)), ...added]
    at += gap
    const places = marks.map((mark) => Math.floor(mark * keys.length)).concat(keys.length === 0 ? [] : keys.length - 1)
    const breakpoints = [...new Set(keys.length === 0 ? [] : places)].sort((a, b) => a - b)
    const prompt = { keys, tokens: keys.map((key) => 40 + key * 17), breakpoints, at, answerBlocks }
    sent.push(prompt)
    return { prompt, isTouch }
  })
}

const rules = (match: CacheMatch): fc.Arbitrary<CacheRules> =>
  fc.record({
    match: fc.constant(match),
    minPrefix: fc.constantFrom(0, 100, 256),
    lifetimeSeconds: fc.constantFrom(300, 300, null),
    step: match === 'longest-prefix' || match === 'best-effort' ? fc.constantFrom(1, 128) : fc.constant(1),
  })

describe('a simulated cache does what the rules say', () => {
  const always = ['read', 'read and written', 'rewritten', 'back to an older prompt', 'expired', 'kept alive']
  it.each<[match: CacheMatch, reached: readonly string[]]>([
    ['breakpoints', [...always, 'too far back', 'read less than is shared']],
    ['latest-breakpoints', [...always, 'read less than is shared', 'forgotten']],
    ['longest-prefix', always],
    ['best-effort', always],
    ['prefix-units', [...always, 'read less than is shared', 'read more than the last prompt']],
    ['none', ['rewritten', 'back to an older prompt']],
  ])('%s', (match, reached) => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(rules(match), fc.array(step, { maxLength: 14 }), (given, steps) => {
        const cache = createPromptCache(given)
        const plain = plainCache(given, seen)
        for (const { prompt, isTouch } of promptsOf(steps)) {
          expect(cache.send(prompt)).toEqual(plain.send(prompt))
          if (isTouch) expect(cache.touch(prompt.at + 200_000)).toBe(plain.touch(prompt.at + 200_000))
        }
      }),
      { numRuns: 200 },
    )
    if (match === 'latest-breakpoints') sendMany(seen)
    expect([...seen]).toEqual(expect.arrayContaining([...reached]))
  })
})

/** More breakpoints than the eighty that are remembered. */
function sendMany(seen: Set<string>): void {
  const blocks = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(blocks, { minLength: 150, maxLength: 150 }), (prompts) => {
      const given: CacheRules = { match: 'latest-breakpoints', minPrefix: 0, lifetimeSeconds: null, step: 1 }
      const cache = createPromptCache(given)
      const plain = plainCache(given, seen)
      for (const [at, keys] of prompts.entries()) {
        const prompt = { keys, tokens: keys.map(() => 10), breakpoints: [...keys.keys()], at }
        expect(cache.send(prompt)).toEqual(plain.send(prompt))
      }
    }),
    { numRuns: 10 },
  )
}
