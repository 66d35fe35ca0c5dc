import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Facts, Measurement, Tokenizer, Usage } from '../facts.ts'
import type { Message } from '../message.ts'
import { deepFreeze, user } from '../testing/messages.ts'
import { createGauge, loadOf } from './load.ts'

/** One token per character, so that the numbers can be checked by hand. */
const letters: Tokenizer = { name: 'letters', count: (text) => text.length }
const frame = 4

/** A message of exactly this many tokens, its frame included. */
function said(id: string, tokens: number, role: Message['role'] = 'user'): Message {
  return { ...user(id, 'x'.repeat(tokens - frame)), role }
}

function usage(input: number, output = 0): Usage {
  return { input, cacheRead: 0, cacheWrite: 0, output }
}

function measured(estimate: number, input: number, extra: Partial<Measurement> & { output?: number } = {}): Measurement {
  const { output = 0, ...rest } = extra
  return { model: 'm', estimate, usage: usage(input, output), last: null, ...rest }
}

function load(messages: readonly Message[], facts: Facts = {}) {
  return loadOf(deepFreeze(messages), deepFreeze({ tokens: letters, ...facts }))
}

describe('loadOf without a reported count', () => {
  it('Q-27 returns the estimate, with bounds that cover other tokenizers', () => {
    expect(load([said('a', 10_000)])).toEqual({
      tokens: 10_000,
      low: 9000,
      high: 13_500,
      source: 'estimate',
      estimate: 10_000,
      factor: 1,
    })
  })

  it('adds the overhead once', () => {
    expect(load([said('a', 10_000)], { overhead: 5000 })).toMatchObject({ tokens: 15_000, estimate: 15_000 })
  })

  it.each([Number.NaN, -5, Number.POSITIVE_INFINITY, '9' as unknown as number])('ignores an overhead of %s', (overhead) =>
    expect(load([said('a', 10_000)], { overhead }).tokens).toBe(10_000),
  )
})

describe('R004-33 loadOf after a reported count', () => {
  const conversation = [said('a', 10_000), said('b', 500, 'assistant'), said('c', 2000)]

  it('adds the reported answer and an estimate of later messages', () => {
    const measurements = [measured(10_000, 10_000, { last: 'a', output: 700 })]
    expect(load(conversation, { measurements })).toMatchObject({ tokens: 10_000 + 700 + 2000, source: 'usage', estimate: 12_500 })
  })

  it('estimates everything added if the last counted message is unknown', () => {
    const measurements = [measured(10_000, 11_000, { output: 700 })]
    expect(load(conversation, { measurements })).toMatchObject({ tokens: 11_000 + 2500 * 1.1, factor: 1.1 })
  })

  it('subtracts tokens trimmed since the count', () => {
    const measurements = [measured(20_000, 20_000)]
    expect(load(conversation, { measurements })).toMatchObject({ tokens: 12_500 })
  })

  it('includes cached tokens', () => {
    const cached: Measurement = { ...measured(10_000, 0), usage: { input: 100, cacheRead: 9000, cacheWrite: 2900, output: 0 } }
    expect(load(conversation.slice(0, 1), { measurements: [cached] })).toMatchObject({
      tokens: 12_000,
      source: 'usage',
      factor: 1.2,
    })
  })
})

describe('Q-27 loadOf prefers the estimate to a missing or absurd count', () => {
  it.each<[name: string, measurements: unknown]>([
    ['no count', []],
    ['zero', [measured(10_000, 0)]],
    ['less than a thousand', [measured(5000, 999)]],
    ['less than a tenth', [measured(100_000, 9999)]],
    ['not a number', [measured(10_000, Number.NaN)]],
    ['an estimate of nothing', [measured(0, 10_000)]],
    ['an estimate that is not a number', [measured(Number.NaN, 10_000)]],
    ['the sum of everything a relay ever sent', [measured(50_000, 999_999_999)]],
    ['more than tool definitions could add', [measured(50_000, 400_001)]],
    ['an answer longer than the window', [measured(50_000, 50_000, { output: 999_999_999 })]],
    ['a measurement without usage', [{ model: 'm', estimate: 5000 }]],
    ['measurements that are not a list', 'measurements'],
    ['measurements that are not objects', [null, 4, 'x', []]],
  ])('%s', (_name, measurements) =>
    expect(load([said('a', 50_000)], { measurements: measurements as readonly Measurement[] })).toMatchObject({
      tokens: 50_000,
      source: 'estimate',
      factor: 1,
    }),
  )

  it('ignores a count that the conversation has long outgrown', () => {
    expect(load([said('a', 50_000)], { measurements: [measured(2000, 2000)] })).toMatchObject({ tokens: 50_000 })
  })

  it('uses the larger of count and estimate', () => {
    // Relays that omit cached tokens report too little.
    const measurements = [measured(100_000, 30_000)]
    const { tokens, source } = load([said('a', 110_000)], { measurements })
    expect({ tokens, source }).toEqual({ tokens: 82_500, source: 'estimate' })
  })
})

describe('Q-27b calibration of the estimator', () => {
  it('uses the median of the last requests, so that one wrong count changes nothing', () => {
    const measurements = [1.3, 1.3, 0.2, 1.3, 1.31, 3.9].map((ratio) => measured(10_000, ratio * 10_000))
    expect(load([said('a', 100_000)], { measurements }).factor).toBeCloseTo(1.3, 6)
  })

  it('uses requests of the latest model only', () => {
    const other = [1, 2, 3].map(() => measured(10_000, 30_000, { model: 'other' }))
    expect(load([said('a', 10_000)], { measurements: [...other, measured(10_000, 12_000)] }).factor).toBeCloseTo(1.2, 6)
  })

  it('uses recent requests, so that it follows a change', () => {
    const measurements = [
      ...Array.from({ length: 40 }, () => measured(10_000, 10_000)),
      ...Array.from({ length: 8 }, () => measured(10_000, 20_000)),
    ]
    expect(load([said('a', 10_000)], { measurements }).factor).toBe(2)
  })

  it.each([
    [0.2, 0.75],
    [5, 4],
  ])('stays within bounds: %d times the estimate counts as %d', (ratio, factor) =>
    expect(load([said('a', 100_000)], { measurements: [measured(100_000, ratio * 100_000)] }).factor).toBe(factor),
  )

  it('narrows the bounds as requests agree', () => {
    const band = (ratios: readonly number[]) => {
      const measurements = ratios.map((ratio) => measured(10_000, ratio * 10_000))
      const { low, high } = load([said('a', 50_000)], { measurements })
      return high - low
    }
    const [one, agreed, apart] = [band([1.2]), band([1.2, 1.2, 1.2, 1.2]), band([0.8, 1.6, 1.2, 1.0])]
    expect(agreed).toBeLessThan(one as number)
    expect(apart).toBeGreaterThan(agreed as number)
  })
})

it('Q-27 whatever was measured, the load is a number between its bounds, grows with the messages and is told in pieces too', () => {
  const numbers = fc.oneof(fc.double(), fc.integer({ min: -10, max: 300_000 }))
  const measurement = fc.record({
    model: fc.constantFrom('a', 'b'),
    estimate: numbers,
    usage: fc.record({ input: numbers, cacheRead: numbers, cacheWrite: numbers, output: numbers }),
    last: fc.constantFrom('a', 'b', 'c', null),
  })
  const sources = new Set<string>()
  fc.assert(
    fc.property(
      fc.array(measurement, { maxLength: 12 }),
      fc.integer({ min: 10, max: 90_000 }),
      numbers,
      (measurements, size, overhead) => {
        const messages = [said('a', size), said('b', 50, 'assistant'), said('c', 100)]
        const facts = { measurements, overhead }
        const { tokens, low, high, source } = load(messages, facts)
        sources.add(source)
        expect(Number.isSafeInteger(tokens)).toBe(true)
        expect(low <= tokens && tokens <= high && low >= 0).toBe(true)
        const gauge = createGauge(messages, { tokens: letters, ...facts })
        expect(gauge(size + 150).tokens).toBe(tokens)
        const more = gauge(size + 5150)
        if (more.source === source) expect(more.tokens).toBeGreaterThanOrEqual(tokens)
      },
    ),
    { numRuns: 500 },
  )
  expect([...sources].sort()).toEqual(['estimate', 'usage'])
})
