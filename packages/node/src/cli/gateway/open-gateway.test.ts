import { describe, expect, it } from 'vitest'
import { answeredEvent, measuredRequest, passedEvent } from '../../gateway/testing/gateway-events.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createTally, netText, tallyText } from './open-gateway.ts'

const strings = stringsFor('en').gateway

describe('the tally of a gateway', () => {
  it('counts only model requests, and cost where it is known', () => {
    const tally = createTally()
    tally.onEvent(answeredEvent())
    tally.onEvent(answeredEvent({ isChanged: true }))
    tally.onEvent(answeredEvent({ end: 'refused' }))
    tally.onEvent(passedEvent())
    tally.onEvent({ type: 'fault', id: null, code: 'x' })
    tally.onMeasured(measuredRequest({ tokensBefore: 1000, tokensAfter: 400, dollars: 0.25, untrimmedDollars: 0.75 }))
    tally.onMeasured(measuredRequest({ tokensBefore: 10, tokensAfter: 10, dollars: 0.5, untrimmedDollars: null }))
    tally.onMeasured(measuredRequest({ tokensBefore: 5, tokensAfter: 5, dollars: null, untrimmedDollars: null }))
    expect(tally.tally()).toEqual({
      requests: 2,
      changed: 1,
      tokensBefore: 1015,
      tokensAfter: 415,
      paid: 0.75,
      untrimmed: 1.25,
      unpriced: 1,
    })
    expect(tallyText(tally.tally(), strings)).toBe(
      'requests: 2, tokens of input: 415; changed: 1 of them, tokens taken out: 600; paid $0.750, untrimmed $1.25 by the cache model; saved $0.500; without a known price: 1',
    )
  })

  it('omits cost if no price is known', () => {
    expect(tallyText(createTally().tally(), strings)).toBe('requests: 0, tokens of input: 0; bytes changed: 0')
    expect(tallyText(createTally().tally(), stringsFor('zh').gateway)).toBe('0 个请求，输入 0 词元；改动的字节：0')
  })

  it('reports a loss as a loss', () => {
    expect([netText(0.5, strings), netText(-0.5, strings), netText(0, strings)]).toEqual([
      'saved $0.500',
      'lost $0.500',
      'nothing saved, nothing lost',
    ])
  })
})
