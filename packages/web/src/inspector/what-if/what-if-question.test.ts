import { describe, expect, it } from 'vitest'
import { usualChoices, usualQuestion, withPolicies, withPrices } from './what-if-question.ts'

describe('usualQuestion', () => {
  it('asks about what Plimsoll does', () => {
    expect(usualQuestion(usualChoices)).toEqual({
      policies: ['spec', 'economy', 'economy-keep-alive', 'gateway-economy'],
      prices: ['r.10'],
    })
  })

  it('asks only about what there is', () => {
    expect(usualQuestion({ policies: ['raw', 'economy'], prices: ['r.05'] })).toEqual({ policies: ['economy'], prices: ['r.05'] })
    expect(usualQuestion({ policies: ['raw', 'oracle'], prices: [] })).toEqual({ policies: ['oracle'], prices: [] })
  })
})

describe('a question', () => {
  const question = { policies: ['economy'], prices: ['r.05'] }

  it('gets and loses names, in the order of the choices', () => {
    const more = withPolicies(question, 'spec', usualChoices)
    expect(more.policies).toEqual(['spec', 'economy'])
    expect(withPolicies(more, 'economy', usualChoices).policies).toEqual(['spec'])
    expect(withPrices(question, 'r.10', usualChoices).prices).toEqual(['r.10', 'r.05'])
    expect(withPrices(question, 'r.05', usualChoices).prices).toEqual([])
  })
})
