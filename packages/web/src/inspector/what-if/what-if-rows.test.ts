import { describe, expect, it } from 'vitest'
import type { WhatIf, WhatIfRow } from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import { comparedRows, highestCost, linePath, usualChoices, usualQuestion, withToggled } from './what-if-rows.ts'

describe('usualQuestion', () => {
  it('asks about economy mode, through the entry point that the session would use', () => {
    const choices = { ...usualChoices, under: ['economy'] }
    expect(usualQuestion(choices, true)).toEqual({ policies: ['economy'], prices: ['session'] })
    expect(usualQuestion(choices, false)).toEqual({ policies: ['gateway-economy'], prices: ['session'] })
  })

  it('asks about all of Plimsoll’s policy sets in a page without a server', () => {
    expect(usualQuestion(usualChoices, true)).toEqual({
      policies: ['spec', 'economy', 'economy-keep-alive', 'gateway-economy'],
      prices: ['session'],
    })
  })

  it('asks only about available policy sets and prices', () => {
    expect(usualQuestion({ policies: ['raw', 'economy'], prices: ['r.05'] }, true)).toEqual({
      policies: ['economy'],
      prices: ['r.05'],
    })
    expect(usualQuestion({ policies: ['raw', 'oracle'], prices: [] }, true)).toEqual({ policies: ['oracle'], prices: [] })
  })
})

describe('a question', () => {
  const question = { policies: ['economy'], prices: ['r.05'] }

  it('adds and removes names in the order of the choices', () => {
    const more = withToggled(question, 'policies', 'spec', usualChoices)
    expect(more.policies).toEqual(['spec', 'economy'])
    expect(withToggled(more, 'policies', 'economy', usualChoices).policies).toEqual(['spec'])
    expect(withToggled(question, 'prices', 'r.10', usualChoices).prices).toEqual(['r.10', 'r.05'])
    expect(withToggled(question, 'prices', 'r.05', usualChoices).prices).toEqual([])
  })
})

const row = (policies: string, effective: number, lost = 0, price = 'r.10'): WhatIfRow => ({
  policies,
  price,
  bill: effective,
  effective,
  parts: { read: effective, write: 0, fresh: 0, output: 0, recalls: 0, keepAlive: 0 },
  peak: 1,
  inView: 1,
  reachable: 1,
  lost,
  recalls: 0,
  prompts: [1],
})

const answer = (rows: readonly WhatIfRow[]): WhatIf => ({
  prices: ['r.10', 'r.05'],
  rows,
  requests: 1,
  isCalibrated: true,
  hasTimes: true,
  overhead: 20_000,
})

describe('comparedRows', () => {
  it('puts the cheapest first and compares each with raw', () => {
    const rows = comparedRows(
      answer([
        row('raw', 10),
        row('spec', 12, 3),
        row('economy', 8),
        row('mask', 6, 2),
        row('near', 10.01),
        row('raw', 1, 0, 'r.05'),
      ]),
      'r.10',
    )
    expect(rows.map(({ row: { policies }, change, verdict }) => [policies, Math.round((change ?? 0) * 1000), verdict])).toEqual([
      ['mask', -400, 'cheaper-lossy'],
      ['economy', -200, 'cheaper'],
      ['raw', 0, 'raw'],
      ['near', 1, 'same'],
      ['spec', 200, 'costlier-lossy'],
    ])
    expect(highestCost(rows)).toBe(12)
    expect(rows.map(({ grew }) => grew)).toEqual([null, null, null, 'read', 'read'])
  })

  it('has no change if nothing was paid', () => {
    expect(comparedRows(answer([row('raw', 0), row('spec', 0)]), 'r.10').map(({ change }) => change)).toEqual([null, null])
  })
})

describe('linePath', () => {
  it('runs from edge to edge', () => {
    expect(linePath([0, 50, 100], 100, 200, 40)).toBe('M0 40L100 20L200 0')
    expect(linePath([50], 100, 200, 40)).toBe('M0 20H200')
    expect(linePath([], 100, 200, 40)).toBe('')
  })
})
