import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CacheTerms } from '../facts.ts'
import { believedLifetime, type CacheObservation, hasNoCache, type LearnedLifetime, learnLifetime } from './learned-lifetime.ts'

const learned = (atLeastSeconds: number | null, atMostSeconds: number | null, zeroReads = 0): LearnedLifetime => ({
  atLeastSeconds,
  atMostSeconds,
  zeroReads,
})
/** A pause before a request that should have read 100,000 tokens. */
const after = (gapSeconds: number, cacheRead: number, cacheWrite = 0, expectedTokens = 100_000): CacheObservation => ({
  gapSeconds,
  expectedTokens,
  usage: { input: 10, cacheRead, cacheWrite, output: 100 },
})

describe('learnLifetime', () => {
  it.each<[name: string, known: LearnedLifetime | null, seen: CacheObservation, expected: LearnedLifetime]>([
    ['all read again', null, after(400, 100_000), learned(400, null)],
    ['most read again', null, after(400, 50_000, 50_000), learned(400, null)],
    ['more read than expected', null, after(400, 120_000), learned(400, null)],
    ['a longer pause outlived', learned(400, null), after(500, 100_000), learned(500, null)],
    ['a shorter pause outlived', learned(400, null), after(5, 100_000), learned(400, null)],
    ['all written again', null, after(400, 0, 100_000), learned(null, 400)],
    ['only the shared beginning read', null, after(400, 20_000, 80_000), learned(null, 400)],
    ['a shorter pause not outlived', learned(100, 400), after(320, 0, 100_000), learned(100, 320)],
    ['a longer pause not outlived', learned(100, 400), after(3600, 0, 100_000), learned(100, 400)],
    ['neither reads nor writes after a long pause', null, after(400, 0), learned(null, 400)],
    ['a part read: it may have been changed', learned(100, 400), after(320, 40_000, 60_000), learned(100, 400)],
    ['there longer than it could be', learned(100, 400), after(500, 100_000), learned(500, null)],
    ['there exactly as long as it could not be', learned(100, 400), after(400, 100_000), learned(400, null)],
    ['gone earlier than it was', learned(500, null), after(320, 0, 100_000), learned(null, 320)],
    ['gone after exactly as long', learned(320, null), after(320, 0, 100_000), learned(null, 320)],
    ['all written again at once: it was changed', learned(100, 400), after(59, 0, 100_000), learned(100, 400)],
    ['a prompt too short to be kept', learned(100, 400), after(320, 0, 0, 4095), learned(100, 400)],
    ['nothing at all, at once', learned(100, 400), after(59, 0), learned(100, 400, 1)],
    ['nothing at all, for the fourth time', learned(null, null, 3), after(1, 0), learned(null, null, 3)],
    ['a read after two of nothing', learned(null, null, 2), after(1, 30_000), learned(null, null, 0)],
    ['a write after two of nothing', learned(null, null, 2), after(1, 0, 5), learned(null, null, 0)],
    ['nothing after a pause', learned(null, null, 2), after(90, 0), learned(null, 90, 2)],
    ['a clock that was set back', learned(100, 400), after(-5, 0, 100_000), learned(100, 400)],
    ['no time', learned(100, 400), after(Number.NaN, 100_000), learned(100, 400)],
    ['an endless pause', null, after(Number.POSITIVE_INFINITY, 100_000), learned(null, null)],
    ['an invalid report', learned(100, 400), after(320, Number.NaN), learned(100, 400)],
    ['an invalid stored value', learned('x' as never, -1, {} as never), after(400, 100_000), learned(400, null)],
  ])('%s', (_name, known, seen, expected) => expect(learnLifetime(known, seen)).toEqual(expected))

  it('returns the same object if nothing changed', () => {
    const known = learned(400, 3600)
    for (const seen of [after(10, 100_000), after(700, 40_000), after(9999, 0, 100_000), after(-1, 0)])
      expect(learnLifetime(known, seen)).toBe(known)
  })

  it('finds the lifetime of a provider that keeps to one, whatever the order of pauses', () => {
    let narrow = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 7200 }),
        fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 40 }),
        (lifetime, gaps) => {
          let known: LearnedLifetime | null = null
          for (const gap of gaps) known = learnLifetime(known, gap <= lifetime ? after(gap, 100_000) : after(gap, 0, 100_000))
          const kept = gaps.filter((gap) => gap <= lifetime)
          const gone = gaps.filter((gap) => gap > lifetime)
          if (kept.length > 0 && gone.length > 0) narrow += 1
          expect(known ?? learned(null, null)).toEqual(
            learned(kept.length === 0 ? null : Math.max(...kept), gone.length === 0 ? null : Math.min(...gone)),
          )
        },
      ),
    )
    expect(narrow).toBeGreaterThan(20)
  })

  it('never holds a bound that the other one excludes, whatever is reported and stored', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double(), fc.double(), fc.double(), fc.double())), (reports) => {
        let known: LearnedLifetime | null = null
        for (const [gap, read, write, expected] of reports) known = learnLifetime(known, after(gap, read, write, expected))
        const { atLeastSeconds, atMostSeconds } = known ?? learned(null, null)
        expect(atLeastSeconds === null || atMostSeconds === null || atLeastSeconds < atMostSeconds).toBe(true)
        expect(JSON.parse(JSON.stringify(known))).toEqual(known)
      }),
    ))
})

describe('believedLifetime', () => {
  const terms = (lifetimeSeconds: number | null): CacheTerms => ({ read: 0.1, write: 1.25, lifetimeSeconds })
  it.each<[name: string, said: number | null, known: LearnedLifetime | null, expected: number | null]>([
    ['the stated lifetime if nothing was learned', 300, null, 300],
    ['the stated lifetime if nothing contradicts it', 300, learned(200, 400), 300],
    ['unlimited, if nothing is stated', null, null, null],
    ['unlimited, if nothing is stated and nothing was lost', null, learned(900, null), null],
    ['the pause that was too long if no lifetime is stated', null, learned(900, 5000), 5000],
    ['twice the pause that exceeded the stated lifetime', 300, learned(310, null), 620],
    ['no longer than a pause that was too long', 300, learned(310, 400), 400],
    ['less than stated if the cache was lost earlier', 300, learned(100, 200), 200],
    ['the stated lifetime if the stored value is invalid', 300, learned(Number.NaN, 'x' as never), 300],
  ])('%s', (_name, said, known, expected) => expect(believedLifetime(terms(said), known)).toBe(expected))
})

describe('hasNoCache', () => {
  const run = (seen: readonly CacheObservation[]): boolean =>
    hasNoCache(seen.reduce<LearnedLifetime | null>((known, one) => learnLifetime(known, one), null))
  it.each<[name: string, seen: readonly CacheObservation[], expected: boolean]>([
    ['three in a row without any', [after(5, 0), after(59, 0), after(0, 0)], true],
    ['two in a row', [after(5, 0), after(5, 0)], false],
    ['a read between', [after(5, 0), after(5, 0), after(5, 9000), after(5, 0)], false],
    ['one of them after a minute', [after(5, 0), after(60, 0), after(5, 0)], false],
    ['one of them short', [after(5, 0), after(5, 0, 0, 4000), after(5, 0)], false],
    ['a read after it', [after(5, 0), after(5, 0), after(5, 0), after(5, 90_000)], false],
    ['nothing seen', [], false],
  ])('%s', (_name, seen, expected) => expect(run(seen)).toBe(expected))
})
