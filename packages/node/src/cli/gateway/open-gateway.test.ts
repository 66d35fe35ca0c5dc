import { describe, expect, it } from 'vitest'
import { answeredEvent, measuredRequest, passedEvent } from '../../gateway/testing/gateway-events.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createTally, managesContext, netText, tallyText } from './open-gateway.ts'

const strings = stringsFor('en').gateway

describe('the tally of a gateway', () => {
  it('counts only model requests, and cost where it is known', () => {
    const tally = createTally()
    expect(tally.hasArrived()).toBe(false)
    tally.onEvent(passedEvent())
    expect([tally.hasArrived(), tally.tally().requests]).toEqual([true, 0])
    tally.onEvent(answeredEvent())
    tally.onEvent(answeredEvent({ isChanged: true }))
    tally.onEvent(answeredEvent({ end: 'refused' }))
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
      [
        strings.summary('2', '415'),
        strings.changed('1', '600'),
        strings.money('$0.750', '$1.25'),
        strings.saved('$0.500'),
        strings.unpriced('1'),
      ].join('; '),
    )
  })

  it('omits cost if no price is known', () => {
    expect(tallyText(createTally().tally(), strings)).toBe(`${strings.summary('0', '0')}; ${strings.bytesUnchanged}`)
    const chinese = stringsFor('zh').gateway
    expect(tallyText(createTally().tally(), chinese)).toBe(`${chinese.summary('0', '0')}；${chinese.bytesUnchanged}`)
  })

  it('reports a loss as a loss', () => {
    expect([netText(0.5, strings), netText(-0.5, strings), netText(0, strings)]).toEqual([
      strings.saved('$0.500'),
      strings.lost('$0.500'),
      strings.even,
    ])
  })
})

describe('managesContext', () => {
  it.each([
    ['anthropic', 'https://api.anthropic.com', 'auto', true],
    ['anthropic', 'https://api.anthropic.com', 'emulate', false],
    ['anthropic', 'https://llm.example.com', 'auto', false],
    ['anthropic', 'https://llm.example.com', 'pass', true],
    ['openai-responses', 'https://api.openai.com', 'auto', true],
    ['openai-responses', 'https://chatgpt.com/backend-api/codex', 'auto', true],
    ['openai-responses', 'https://my-team.openai.azure.com', 'auto', true],
    ['openai-responses', 'https://api.openai.com.example.com', 'auto', false],
    ['openai-responses', 'http://127.0.0.1:8000', 'auto', false],
    // Nothing can be asked for in these formats.
    ['openai-chat', 'http://127.0.0.1:8000', 'emulate', true],
  ] as const)('%s to %s with %s: %s', (dialect, url, setting, expected) =>
    expect(managesContext(dialect, url, setting)).toBe(expected),
  )
})
