import { describe, expect, it } from 'vitest'
import { changeInterval, type SavingsConversation, type SavingsTokens, summariseSavings, unpricedTokens } from './savings.ts'

const conversation = (
  dollars: number,
  untrimmedDollars: number,
  rest: Partial<SavingsConversation> = {},
): SavingsConversation => ({
  isHeldOut: false,
  requests: 10,
  unpriced: 0,
  dollars,
  untrimmedDollars,
  ...rest,
})
/** Conversations whose price per request varies around an average. */
const arm = (count: number, middle: number, rest: Partial<SavingsConversation> = {}): readonly SavingsConversation[] =>
  Array.from({ length: count }, (_, index) => {
    const dollars = middle * 10 * (1 + ((index * 7) % 11) / 50 - 0.1)
    return conversation(dollars, dollars, { inputTokens: 1_000_000, ...rest })
  })

describe('summariseSavings', () => {
  it('is doubtful if more than 3 % of the untrimmed cost is in doubt', () => {
    const of = (untrimmedDoubt: number) => summariseSavings([conversation(1, 1), conversation(1, 2, { untrimmedDoubt })])
    expect([of(0.08), of(0.1)]).toMatchObject([
      { untrimmedDoubt: 0.08, isDoubtful: false },
      { untrimmedDoubt: 0.1, isDoubtful: true },
    ])
  })

  it('adds up what was paid and what would have been', () => {
    const keptAlive = { times: 3, dollars: 0.25 }
    const savings = summariseSavings([conversation(2, 3, { keptAlive }), conversation(1, 1.5, { unpriced: 4 })])
    expect(savings).toEqual({
      conversations: 2,
      requests: 20,
      unpriced: 4,
      paid: 3,
      untrimmed: 4.5,
      untrimmedDoubt: 0,
      keptAlive,
      unusedTools: null,
      isDoubtful: false,
      net: 1.5,
      isLoss: false,
      share: 1.5 / 4.5,
      unpricedTokens: null,
      holdOut: null,
    })
  })

  it('adds up the tokens of requests without a price, apart from the dollars', () => {
    const tokens: SavingsTokens = {
      requests: 4,
      sent: 1000,
      cached: 600,
      uncached: 400,
      untrimmed: 1500,
      removed: 500,
      estimated: 1,
    }
    const free = conversation(0, 0, { requests: 4, unpriced: 4, unpricedTokens: tokens })
    expect(summariseSavings([conversation(2, 3), free, free])).toMatchObject({
      paid: 2,
      untrimmed: 3,
      net: 1,
      unpriced: 8,
      unpricedTokens: { requests: 8, sent: 2000, cached: 1200, uncached: 800, untrimmed: 3000, removed: 1000, estimated: 2 },
    })
  })

  it('reports if trimming cost more than it saved', () =>
    expect(summariseSavings([conversation(5, 3)])).toMatchObject({ net: -2, isLoss: true, share: -2 / 3 }))

  it('does not report a rounding error as a loss', () =>
    expect(summariseSavings([conversation(0.1 + 0.2, 0.3)])).toMatchObject({ isLoss: false }))

  it('returns an empty summary for no conversations', () =>
    expect(summariseSavings([])).toMatchObject({ paid: 0, net: 0, isLoss: false, share: null, holdOut: null }))

  it('compares with conversations that were left untouched', () => {
    const { holdOut } = summariseSavings([...arm(40, 0.08), ...arm(30, 0.1, { isHeldOut: true })])
    expect(holdOut).toMatchObject({
      trimmed: { conversations: 40, requests: 400, dollarsPerRequest: expect.closeTo(0.08, 3), inputTokens: 40_000_000 },
      untouched: { conversations: 30, requests: 300, dollarsPerRequest: expect.closeTo(0.1, 3) },
      isEnough: true,
      perRequest: { change: expect.closeTo(-0.2, 2), isCertain: true },
      perMillion: { change: expect.closeTo(-0.2, 2), isCertain: true },
    })
    const [low, high] = holdOut?.perRequest?.interval ?? [0, 0]
    expect([low < -0.2, high > -0.2, high < 0]).toEqual([true, true, true])
  })

  it('is not certain about a difference that may be due to chance', () => {
    const { holdOut } = summariseSavings([...arm(20, 0.1), ...arm(20, 0.101, { isHeldOut: true })])
    expect(holdOut?.perRequest).toMatchObject({ isCertain: false })
  })

  it.each([
    [19, 40, false],
    [40, 19, false],
    [20, 20, true],
  ])('with %i trimmed and %i untouched conversations, there are enough: %s', (touched, held, isEnough) => {
    const { holdOut } = summariseSavings([...arm(touched, 0.1), ...arm(held, 0.1, { isHeldOut: true })])
    expect([holdOut?.isEnough, holdOut?.perRequest !== null, holdOut?.perMillion !== null]).toEqual([
      isEnough,
      isEnough,
      isEnough,
    ])
  })

  it('skips conversations without a price, and token costs without a token count', () => {
    const free = { requests: 3, unpriced: 3, isHeldOut: true }
    const held = arm(20, 0.1, { isHeldOut: true }).map(({ inputTokens: _unknown, ...rest }) => rest)
    const { holdOut } = summariseSavings([...arm(20, 0.1), ...held, conversation(0, 0, free)])
    expect(holdOut).toMatchObject({
      isEnough: true,
      untouched: { conversations: 20, inputTokens: null, dollarsPerMillion: null },
      perMillion: null,
    })
    expect(holdOut?.perRequest).not.toBeNull()
  })

  it('reports no change relative to a cost of zero', () => {
    const { holdOut } = summariseSavings([...arm(20, 0.1), ...arm(20, 0, { isHeldOut: true })])
    expect(holdOut).toMatchObject({ isEnough: true, perRequest: null })
  })
})

describe('unpricedTokens', () => {
  const cost = { dollars: 1, parts: { input: 1, cacheRead: 0, cacheWrite: 0, output: 0 } }
  const usage = { input: 300, cacheRead: 600, cacheWrite: 100, output: 50 }
  const request = { cost: null, status: 200, usage, tokensBefore: 4000, tokensAfter: 2000 }

  it('converts removed tokens to the provider’s units', () =>
    expect(unpricedTokens([request])).toEqual({
      requests: 1,
      sent: 1000,
      cached: 600,
      uncached: 400,
      untrimmed: 2000,
      removed: 1000,
      estimated: 0,
    }))

  it('uses estimates if the provider reported nothing', () =>
    expect(unpricedTokens([{ ...request, usage: null }])).toMatchObject({ sent: 2000, cached: 0, untrimmed: 4000, estimated: 1 }))

  it('skips requests that have a cost or were not accepted', () =>
    expect(
      unpricedTokens([
        { ...request, cost },
        { ...request, status: 529 },
        { ...request, status: null },
      ]),
    ).toBeNull())

  it('removes nothing from an empty request', () =>
    expect(unpricedTokens([{ ...request, tokensBefore: 0, tokensAfter: 0 }])).toMatchObject({ sent: 1000, removed: 0 }))
})

describe('changeInterval', () => {
  it('contains the true value about 95 times out of 100, and is deterministic', () => {
    let held = 0
    for (let run = 0; run < 100; run += 1) {
      let state = run * 7919 + 1
      const draw = (): number => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
        return state / 0x7fffffff
      }
      const list = Array.from({ length: 40 }, () => ({ dollars: 0.9 * (0.5 + draw()), amount: 1 }))
      const base = Array.from({ length: 40 }, () => ({ dollars: 0.5 + draw(), amount: 1 }))
      const interval = changeInterval(list, base)
      if (run === 0) expect(changeInterval(list, base)).toEqual(interval)
      if (interval !== null && interval[0] <= -0.1 && interval[1] >= -0.1) held += 1
    }
    expect([held >= 85, held <= 100]).toEqual([true, true])
  })

  it('is null if a list is empty', () =>
    expect([changeInterval([], [{ dollars: 1, amount: 1 }]), changeInterval([{ dollars: 1, amount: 1 }], [])]).toEqual([
      null,
      null,
    ]))
})
