import { estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSampledTokenizer, sampledEstimator } from './sampled-tokenizer.ts'

const code = fc.nat(500).map((seed) => `  const handler${seed} = compute(${seed * 7}, "value-${seed % 9}")\n`)
const log = fc
  .nat(9999)
  .map((seed) => `2026-01-05T12:00:${seed % 60} INFO worker-${seed % 7} request ${seed} took ${seed % 400} ms\n`)
const prose = fc.nat(300).map((seed) => `The quick brown fox number ${seed} jumps over the lazy dog and does not look back. `)
const chinese = fc.nat(300).map((seed) => `第${seed}个请求已经处理完毕，结果写入缓存。\n`)
const json = fc.nat(9999).map((seed) => `{"id":${seed},"name":"item ${seed}","tags":["a","b"],"ok":${seed % 2 === 0}},`)
const base64 = fc.nat(9999).map((seed) => Buffer.from(`${seed * 7919} ${seed} ${seed * 104_729}`).toString('base64'))
const kinds = [code, log, prose, chinese, json, base64]

/** Texts of one kind, or of two kinds in sequence, like a file with a header. */
const texts = fc
  .tuple(fc.constantFrom(...kinds), fc.constantFrom(...kinds))
  .chain(([one, other]) =>
    fc.tuple(
      fc.array(one, { minLength: 5, maxLength: 12, size: 'max' }),
      fc.array(other, { minLength: 5, maxLength: 12, size: 'max' }),
      fc.integer({ min: 300, max: 1500 }),
      fc.integer({ min: 0, max: 1500 }),
    ),
  )
  .map(
    ([first, second, times, more]) =>
      first.join('').repeat(times).slice(0, 400_000) + second.join('').repeat(more).slice(0, 400_000),
  )

describe('a sampled count', () => {
  it('is within a seventh of the whole count, for long texts of every kind', () => {
    let long = 0
    fc.assert(
      fc.property(texts, (text) => {
        const whole = estimator.count(text)
        const sampled = sampledEstimator.count(text)
        if (text.length > 32_000) long += 1
        else expect(sampled).toBe(whole)
        expect(Math.abs(sampled - whole)).toBeLessThanOrEqual(whole / 7)
      }),
      { numRuns: 60 },
    )
    expect(long).toBeGreaterThan(30)
  })

  it.each(['', 'x', ' ', 'x'.repeat(100_000), '\n'.repeat(100_000), '\u202e'.repeat(40_000)])(
    'is a count of any text',
    (text) => {
      const count = sampledEstimator.count(text)
      expect(Number.isSafeInteger(count) && count >= Math.sign(text.length)).toBe(true)
    },
  )

  it('is within a seventh for many short texts together, of which little is looked at', () => {
    const coarse = createSampledTokenizer({ fullUpTo: 400, pieces: 2, pieceLength: 60 })
    let sampled = 0
    fc.assert(
      fc.property(fc.array(texts, { minLength: 3, maxLength: 6 }), (list) => {
        const short = list.flatMap((text) =>
          Array.from({ length: 30 }, (_, index) => text.slice(index * 997, index * 997 + 1000)),
        )
        const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
        const whole = sum(short.map(estimator.count))
        sampled += short.filter(({ length }) => length > 400).length
        expect(Math.abs(sum(short.map(coarse.count)) - whole)).toBeLessThanOrEqual(whole / 7)
      }),
      { numRuns: 30 },
    )
    expect(sampled).toBeGreaterThan(1000)
  })

  it('reads no more than its options allow', () => {
    const text = `${'#!'.repeat(1000)}${'word '.repeat(2000)}${'#!'.repeat(1000)}`
    const middle = createSampledTokenizer({ fullUpTo: 100, pieces: 2, pieceLength: 50 }).count(text)
    expect(Math.abs(middle - text.length / 5)).toBeLessThanOrEqual(text.length / 40)
  })
})
