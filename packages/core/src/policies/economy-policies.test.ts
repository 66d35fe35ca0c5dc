import { expect, it } from 'vitest'
import { createEconomyPolicies, economyPolicies } from './economy-policies.ts'

it('the economy policies run in this order with any numbers', () => {
  const names = [
    'pair-tool-calls',
    'filter-binary',
    'shorten-losslessly',
    'thin-line-numbers',
    'cut-long-output',
    'skip-shown-lines',
    'stub-old-results',
    'shorten-written-arguments',
    'drop-old-reasoning',
    'fit-window',
  ]
  expect(economyPolicies.map(({ name }) => name)).toEqual(names)
  expect(createEconomyPolicies({}).map(({ name }) => name)).toEqual(names)
})
