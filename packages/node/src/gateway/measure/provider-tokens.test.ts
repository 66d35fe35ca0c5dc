import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentKinds, type KindTokens, noKinds } from './content-kinds.ts'
import { createProviderTokens } from './provider-tokens.ts'

const only = (kind: (typeof contentKinds)[number], tokens: number): KindTokens =>
  contentKinds.map((each) => (each === kind ? tokens : 0))
const mix = (prose: number, code: number): KindTokens =>
  contentKinds.map((each) => (each === 'prose' ? prose : each === 'code' ? code : 0))

describe('createProviderTokens', () => {
  it('predicts our estimate before it has learned anything', () => expect(createProviderTokens().predict(mix(100, 50))).toBe(150))

  it('assumes that an unseen kind is counted like the rest', () => {
    const tokens = createProviderTokens()
    for (let count = 0; count < 10; count += 1) tokens.learn(only('prose', 1000), 1350)
    expect(tokens.predict(only('foreign', 1000))).toBeCloseTo(1350, 6)
  })

  it('expects a little more for packed data it never saw, as real tokenizers count', () => {
    const tokens = createProviderTokens()
    for (let count = 0; count < 10; count += 1) tokens.learn(only('prose', 1000), 1000)
    expect(tokens.predict(only('packed', 1000))).toBeCloseTo(1090, 6)
    for (let count = 0; count < 10; count += 1) tokens.learn(only('packed', 1000), 900)
    expect(tokens.predict(only('packed', 1000))).toBeCloseTo(900, -1)
  })

  it('is unsure about half of unseen content, and about little of common content', () => {
    const tokens = createProviderTokens()
    expect(tokens.doubt(only('packed', 1000))).toBeCloseTo(500, 6)
    for (let count = 0; count < 10; count += 1) tokens.learn(only('prose', 1000), 2000)
    expect(tokens.doubt(only('packed', 1000))).toBeCloseTo(1000, 6)
    expect(tokens.doubt(only('prose', 1000))).toBeLessThan(30)
    expect(tokens.doubt(noKinds)).toBe(0)
  })

  it('separates kinds that always occur together', () => {
    const tokens = createProviderTokens()
    for (let step = 0; step < 30; step += 1) {
      const [prose, code] = [200 + ((step * 37) % 800), 200 + ((step * 91) % 1500)]
      tokens.learn(mix(prose, code), 0.7 * prose + 1.35 * code)
    }
    expect(tokens.predict(only('prose', 1000)) / 700).toBeCloseTo(1, 1)
    expect(tokens.predict(only('code', 1000)) / 1350).toBeCloseTo(1, 1)
  })

  it('learns from content that was removed', () => {
    const tokens = createProviderTokens()
    tokens.learn(only('prose', 5000), 5000)
    for (let count = 0; count < 5; count += 1) tokens.learn(only('code', -2000), -2600)
    expect(tokens.predict(only('code', 1000))).toBeGreaterThan(1250)
  })

  it('ignores counts that no tokenizer produces', () => {
    const tokens = createProviderTokens()
    tokens.learn(only('prose', 5000), 5000)
    tokens.learn(only('prose', 1000), 30_000)
    tokens.learn(only('prose', 1000), Number.NaN)
    expect(tokens.predict(only('prose', 1000))).toBeCloseTo(1000, 6)
  })

  it('counts everything by the same factor if the provider does', () => {
    const row = fc.tuple(fc.integer({ min: 50, max: 5000 }), fc.integer({ min: 50, max: 5000 }), fc.double({ min: 0.8, max: 1.2, noNaN: true })) // biome-ignore format: one row
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0.3, max: 4, noNaN: true }),
        (rows, factor) => {
          const [one, other] = [createProviderTokens(), createProviderTokens()]
          for (const [prose, code, ratio] of rows) {
            const counted = (prose + 0.8 * code) * ratio
            one.learn(mix(prose, code), counted)
            other.learn(mix(prose, code), counted * factor)
          }
          for (const kinds of [mix(1000, 0), mix(0, 1000), only('foreign', 1000)])
            expect(other.predict(kinds) / one.predict(kinds)).toBeCloseTo(factor, 6)
          expect(one.predict(noKinds)).toBe(0)
        },
      ),
    )
  })
})
