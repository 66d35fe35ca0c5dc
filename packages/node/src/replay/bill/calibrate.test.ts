import type { Price } from '@plimsoll/core/bill'
import { priceOf } from '@plimsoll/core/bill'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CalibrationOptions, calibrate, type ReportedTurn } from './calibrate.ts'
import { createPromptCache } from './prompt-cache.ts'

const turn = (
  seconds: number | null,
  [input, cacheRead, cacheWrite, output = 100]: readonly number[],
  rest: Partial<ReportedTurn> = {},
): ReportedTurn => ({
  at: seconds === null ? null : seconds * 1000,
  usage: { input: input ?? 0, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0, output },
  model: 'claude-opus-5.5',
  ...rest,
})

describe('calibrate', () => {
  it.each<[name: string, turns: readonly ReportedTurn[], expected: string, isCalibrated: boolean, options?: CalibrationOptions]>([
    ['no turns', [], '0 of 0', false],
    ['one turn', [turn(0, [3, 10_000, 500])], '0 of 0', false],
    [
      'everything read and written is read again',
      [turn(0, [3, 0, 9000]), turn(9, [3, 9000, 500]), turn(20, [3, 9500, 0])],
      '2 of 2',
      true,
    ],
    ['an uncached tail is not read', [turn(0, [400, 0, 9000]), turn(9, [3, 9000, 900])], '1 of 1', true],
    ['reading more than predicted counts', [turn(0, [3, 0, 9000]), turn(9, [3, 9001, 900])], '1 of 1', true],
    ['reading less does not count', [turn(0, [3, 0, 9000]), turn(9, [3, 8999, 900])], '0 of 1', false],
    ['a prompt that expires too early', [turn(0, [3, 0, 9000]), turn(300, [3, 0, 9900])], '0 of 1', false],
    ['a prompt that expires in time', [turn(0, [3, 0, 9000]), turn(301, [3, 0, 9900]), turn(310, [3, 9900, 0])], '2 of 2', true],
    [
      'a prompt that was kept longer than stated, and then not',
      [turn(0, [3, 0, 9000]), turn(400, [3, 9000, 100]), turn(900, [3, 0, 9200])],
      '1 of 2',
      false,
    ],
    [
      'a prompt written just now that is not readable yet',
      [turn(0, [3, 0, 9000]), turn(9, [3, 9000, 500]), turn(11, [3, 9000, 900]), turn(13, [3, 9500, 900])],
      '1 of 3, 2 close',
      false,
    ],
    [
      'a prompt that should be readable by now',
      [turn(0, [3, 0, 9000]), turn(9, [3, 9000, 500]), turn(99, [3, 9000, 900])],
      '1 of 2',
      false,
    ],
    [
      'a shorter prompt counts as new',
      [turn(0, [3, 0, 90_000]), turn(9, [3, 2000, 8000]), turn(19, [3, 10_000, 5])],
      '2 of 2',
      true,
    ],
    ['a prompt marked as new', [turn(0, [3, 0, 9000]), turn(9, [3, 2000, 8000], { isNew: true })], '1 of 1', true],
    [
      'another model starts a new prompt',
      [turn(0, [3, 0, 9000]), turn(9, [3, 2000, 8000], { model: 'claude-opus-5' })],
      '1 of 1',
      true,
    ],
    ['an unnamed model does not', [turn(0, [3, 0, 9000]), turn(9, [3, 2000, 8000], { model: null })], '0 of 1', false],
    ['nothing expires without times', [turn(null, [3, 0, 9000]), turn(null, [3, 9000, 500])], '1 of 1', true],
    ['nothing expires if the clock goes back', [turn(9999, [3, 0, 9000]), turn(0, [3, 9000, 500])], '1 of 1', true],
    [
      'a request without a report is skipped',
      [turn(0, [3, 0, 9000]), turn(5, [0, 0, 0, 0]), turn(9, [3, 9000, 0])],
      '1 of 1',
      true,
    ],
    ['without reported writes all is cached, in steps', [turn(0, [9900, 0, 0]), turn(9, [100, 9856, 0])], '1 of 1', true],
    ['a provider may round by four steps', [turn(0, [9900, 0, 0]), turn(9, [612, 9344, 0])], '0 of 1, 1 close', false],
    ['a provider may not round by more', [turn(0, [9900, 0, 0]), turn(9, [613, 9343, 0])], '0 of 1', false],
    ['reports without reads or writes prove nothing', [turn(0, [500, 0, 0]), turn(9, [600, 0, 0])], '1 of 1', false],
    [
      'given rules apply',
      [turn(0, [3, 0, 9000]), turn(400, [3, 0, 9900])],
      '0 of 1',
      false,
      { rules: { match: 'breakpoints', minPrefix: 0, lifetimeSeconds: 3600, step: 1 } },
    ],
    [
      'a prompt below the minimum',
      [turn(0, [3, 0, 900]), turn(4, [3, 0, 990])],
      '1 of 1',
      false,
      { rules: { match: 'breakpoints', minPrefix: 1024, lifetimeSeconds: 300, step: 1 } },
    ],
    [
      'invalid reports',
      [turn(0, [Number.NaN, 0, 9000]), turn(9, [-3, Number.POSITIVE_INFINITY, 9500]), turn(19, [1e308, 1e308, 1e308])],
      '1 of 2',
      false,
    ],
  ])('%s', (_name, turns, expected, isCalibrated, options) => {
    const { turns: predicted, reproduced, close, ...rest } = calibrate(Object.freeze(turns), options)
    const found = `${reproduced} of ${predicted}${close === 0 ? '' : `, ${close} close`}`
    expect([found, rest.isCalibrated]).toEqual([expected, isCalibrated])
    expect(rest.share).toBe(predicted === 0 ? 0 : reproduced / predicted)
  })

  it('is calibrated from 95 of 100 on', () => {
    const session = (misses: number): readonly ReportedTurn[] =>
      Array.from({ length: 101 }, (_, index) => turn(index, index > 0 && index <= misses ? [3, 0, 9000] : [3, 9000, 0]))
    expect([5, 6].map((misses) => calibrate(session(misses)).isCalibrated)).toEqual([true, false])
  })

  it('bills predicted reads, and reported ones for a new prompt', () => {
    const turns = [turn(0, [0, 0, 100_000, 0]), turn(9, [0, 0, 100_000, 0]), turn(19, [0, 20_000, 30_000, 0])]
    const { recordedDollars, simulatedDollars } = calibrate(turns)
    // 100,000 × $5, again, and 20,000 × $0.20 + 30,000 × $5; the second is predicted to cost 100,000 × $0.20
    expect([recordedDollars, simulatedDollars].map((amount) => amount?.toFixed(6))).toEqual(['1.154000', '0.674000'])
  })

  it('bills what was written for an hour at its own price, also where it predicts other writes', () => {
    const forHour = (at: number, written: number): ReportedTurn => {
      const one = turn(at, [0, 0, written, 0])
      return { ...one, usage: { ...one.usage, cacheWriteHour: written } }
    }
    const { recordedDollars, simulatedDollars } = calibrate([forHour(0, 100_000), forHour(9, 110_000)])
    // 210,000 × $8; the second is predicted to cost 100,000 × $0.20 + 10,000 × $8
    expect([recordedDollars, simulatedDollars].map((amount) => amount?.toFixed(6))).toEqual(['1.680000', '0.900000'])
  })

  it('returns no dollars without a price', () => {
    const turns = [turn(0, [3, 0, 9000], { model: 'unknown' }), turn(9, [3, 9000, 0], { model: null })]
    expect(calibrate(turns)).toMatchObject({ recordedDollars: null, simulatedDollars: null })
    expect(calibrate(turns, { price: priceOf('gpt-5.5') }).recordedDollars).toBeGreaterThan(0)
  })
})

describe('calibrate, comparing sent messages with reports,', () => {
  /** Turns of one cached conversation, with their reported and their sent tokens. */
  const turnsOf = (pairs: readonly (readonly [reported: number, sent: number | undefined])[]): readonly ReportedTurn[] =>
    pairs.map(([reported, sent], index) => {
      const read = Math.min(reported, pairs[index - 1]?.[0] ?? 0)
      return turn(index, [0, read, reported - read], sent === undefined ? {} : { sent })
    })

  it.each<[name: string, pairs: readonly (readonly [number, number | undefined])[], kind: string | null]>([
    [
      'all of the prompt except instructions and tools',
      [
        [20_000, 100],
        [30_000, 10_000],
        [40_000, 20_000],
      ],
      null,
    ],
    [
      'estimated a fifth too low',
      [
        [20_000, 100],
        [60_000, 32_000],
        [100_000, 65_000],
        [120_000, 81_000],
      ],
      null,
    ],
    [
      'with reasoning that is not in the log',
      [
        [20_000, 100],
        [60_000, 16_000],
        [100_000, 32_000],
        [140_000, 50_000],
      ],
      null,
    ],
    [
      'with two single reports that are too small',
      [
        [20_000, 100],
        [10_000, 10_000],
        [40_000, 20_000],
        [9000, 30_000],
      ],
      null,
    ],
    [
      'of two requests only',
      [
        [20_000, 100],
        [21_000, 60_000],
        [22_000, 61_000],
      ],
      null,
    ],
    [
      'with everything a compaction removed',
      [
        [20_000, 100],
        [80_000, 60_000],
        [21_000, 62_000],
        [22_000, 63_000],
        [23_000, 64_000],
      ],
      'sent-too-much',
    ],
    [
      'too many from the start',
      [
        [10_000, 30_000],
        [11_000, 31_000],
        [12_000, 32_000],
      ],
      'sent-too-much',
    ],
    [
      'without most of the conversation',
      [
        [20_000, 100],
        [60_000, 200],
        [70_000, 300],
        [80_000, 400],
      ],
      'sent-too-little',
    ],
    [
      'too many, then too few, each for a short time',
      [
        [20_000, 100],
        [20_000, 60_000],
        [20_000, 60_000],
        [90_000, 200],
        [90_000, 200],
      ],
      null,
    ],
    [
      'too many for a while, then the right ones',
      [
        [20_000, 100],
        [20_000, 60_000],
        [20_000, 60_000],
        [20_000, 60_000],
        [30_000, 10_000],
        [31_000, 11_000],
      ],
      'sent-too-much',
    ],
    [
      'too many with right ones in between',
      [
        [20_000, 100],
        [20_000, 60_000],
        [20_000, 60_000],
        [30_000, 10_000],
        [20_000, 60_000],
      ],
      null,
    ],
    [
      'with invalid token counts',
      [
        [20_000, Number.NaN],
        [20_000, -5],
        [20_000, Number.POSITIVE_INFINITY],
      ],
      null,
    ],
  ])('checks messages %s', (_name, pairs, kind) => {
    const { sent } = calibrate(turnsOf(pairs))
    expect([sent?.turns, sent?.mismatch?.kind ?? null]).toEqual([pairs.length, kind])
  })

  it('compares only requests whose messages are known', () => {
    expect(calibrate(turnsOf([[20_000, undefined]])).sent).toBeNull()
    expect(
      calibrate(
        turnsOf([
          [20_000, undefined],
          [30_000, 100],
        ]),
      ).sent,
    ).toEqual({ turns: 1, mismatch: null })
  })

  it('does not calibrate if they do not fit, even if every cache read is reproduced', () => {
    const prompts = [20_000, 21_000, 22_000, 23_000, 24_000]
    const fitting = calibrate(turnsOf(prompts.map((prompt, index) => [prompt, 100 + index * 1000])))
    const unfit = calibrate(turnsOf(prompts.map((prompt, index) => [prompt, 100 + index * 20_000])))
    expect([fitting.share, unfit.share]).toEqual([1, 1])
    expect([fitting.isCalibrated, unfit.isCalibrated]).toEqual([true, false])
    expect(unfit.sent?.mismatch).toEqual({
      kind: 'sent-too-much',
      turns: 4,
      reported: 21_000 + 22_000 + 23_000 + 24_000,
      expected: 40_000 + 60_000 + 80_000 + 100_000,
    })
  })
})

describe('a simulated provider is foretold to the cent', () => {
  const growth = fc.record({
    added: fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 4 }),
    gap: fc.constantFrom(1, 20, 299, 300, 301, 4000),
    isChanged: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  })
  it.each(['claude-opus-5.5', 'gpt-6-sol', 'gpt-5.5'])('%s', (model) => {
    const price = priceOf(model) as Price
    let expired = 0
    let changed = 0
    fc.assert(
      fc.property(fc.array(growth, { minLength: 2, maxLength: 30 }), (steps) => {
        const cache = createPromptCache(price.cache)
        const tokens: number[] = [5000]
        let keys: number[] = [0]
        let at = 0
        let unforeseen = 0
        let isNextPredicted = false
        const turns = steps.map(({ added, gap, isChanged }, index): ReportedTurn => {
          tokens.push(...added)
          keys = tokens.map((_, place) => (isChanged ? -1 - place - index * 1000 : (keys[place] ?? place + index * 1000)))
          const isOld = gap > (price.cache.lifetimeSeconds ?? Number.POSITIVE_INFINITY)
          if (isChanged && !isOld && isNextPredicted) unforeseen += 1
          if (isOld) expired += 1
          isNextPredicted = true
          at += gap * 1000
          const { read, write, fresh } = cache.send({
            keys: [...keys],
            tokens: [...tokens],
            breakpoints: [tokens.length - 1],
            at,
          })
          const isReported = price.cache.match !== 'longest-prefix'
          const usage = {
            input: isReported ? fresh : fresh + write,
            cacheRead: read,
            cacheWrite: isReported ? write : 0,
            output: 10,
          }
          return { at, usage, model }
        })
        changed += unforeseen
        const { turns: predicted, reproduced, recordedDollars, simulatedDollars } = calibrate(turns, { rules: price.cache })
        expect([predicted, reproduced]).toEqual([turns.length - 1, turns.length - 1 - unforeseen])
        if (unforeseen === 0) expect(simulatedDollars).toBeCloseTo(recordedDollars as number, 9)
      }),
    )
    expect([expired > 20, changed > 20]).toEqual([true, true])
  })
})
