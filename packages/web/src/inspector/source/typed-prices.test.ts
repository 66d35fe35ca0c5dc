import { costOfTurn, priceOf, type Usage } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import type { InspectedRequest, Inspection } from '../../../../node/src/shared/inspection/inspection.ts'
import { madeInspection } from '../../testing/made-inspection.ts'
import { priceLines, shownRates, typedPrice, withTypedPrices } from './typed-prices.ts'

const usage: Usage = { input: 1_000_000, cacheRead: 2_000_000, cacheWrite: 0, output: 100_000 }
const known = costOfTurn(usage, priceOf('gpt-5.5'))

/** Two requests to an unknown model, and one to a known one. */
function inspected(): Inspection {
  const made = madeInspection()
  const requests = ['unheard-of', 'gpt-5.5', 'unheard-of'].map((model, index): InspectedRequest => {
    return { ...(made.requests[index] as InspectedRequest), model, usage, cost: model === 'gpt-5.5' ? known : null }
  })
  const cost = { dollars: (known?.dollars ?? 0) + 1, unpriced: 2 }
  const recorded = { cost, fill: made.fill, usages: [usage, usage, usage], costs: [null, known, null] }
  return { ...made, session: { ...made.session, cost }, requests, recorded }
}

describe('withTypedPrices', () => {
  const typed = { 'unheard-of': { input: 3, cache_read: 0.3, output: 15 } }
  // $3 + 2 × $0.30 + a tenth of $15
  const each = 5.1

  it('bills the requests of a model on both sides, and keeps what else the session cost', () => {
    const { session, requests, recorded } = withTypedPrices(inspected(), typed)
    expect(requests.map(({ cost }) => cost?.dollars)).toEqual(
      [each, known?.dollars, each].map((dollars) => expect.closeTo(dollars ?? 0, 9)),
    )
    expect(session.cost).toEqual({ dollars: expect.closeTo((known?.dollars ?? 0) + 1 + 2 * each, 9) as number, unpriced: 0 })
    expect(recorded?.cost).toEqual(session.cost)
    expect(recorded?.costs[0]?.dollars).toBeCloseTo(each, 9)
  })

  it('changes nothing without a price for one of its models', () => {
    const inspection = inspected()
    expect(withTypedPrices(inspection, {})).toBe(inspection)
    expect(withTypedPrices(inspection, { other: { input: 1, output: 1 } })).toBe(inspection)
  })
})

describe('typedPrice', () => {
  const fields = { input: '3', cache_read: '', cache_write: '', output: '15' }
  it.each([
    [fields, { input: 3, output: 15 }],
    [
      { ...fields, cache_read: ' 0.3 ', cache_write: '0' },
      { input: 3, cache_read: 0.3, cache_write: 0, output: 15 },
    ],
    [{ ...fields, output: '' }, null],
    [{ ...fields, input: '-1' }, null],
    [{ ...fields, cache_read: 'a tenth' }, null],
    [{ ...fields, input: '1e9' }, null],
  ])('%j is %j', (given, expected) => expect(typedPrice(given)).toEqual(expected))
})

describe('priceLines', () => {
  it('are lines of the configuration', () =>
    expect(priceLines({ 'a/b:1': { input: 3, cache_read: 0.3, output: 15 } })).toBe(
      'prices:\n  "a/b:1": { input: 3, cache_read: 0.3, output: 15 }',
    ))
})

describe('shownRates', () => {
  it('are those that requests were billed at', () =>
    expect(shownRates(inspected(), 'gpt-5.5')).toEqual({ input: 10, cache_read: 1, cache_write: null, output: 45 }))
})
