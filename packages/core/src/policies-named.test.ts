import { expect, it } from 'vitest'
import { economyPolicies } from './economy-policies.ts'
import { policiesNamed, policyNames } from './policies-named.ts'
import { specPolicies } from './spec-policies.ts'

it('sets by name', () => {
  expect(policiesNamed('spec')).toBe(specPolicies)
  expect(policiesNamed('economy')).toBe(economyPolicies)
})

it('the economy policies repair pairs first and fit the window last', () => {
  expect(economyPolicies.map(({ name }) => name)).toEqual([
    'pair-tool-calls',
    'filter-binary',
    'cut-long-output',
    'skip-shown-lines',
    'stub-old-results',
    'shorten-written-arguments',
    'drop-old-reasoning',
    'fit-window',
  ])
})

it('policies of either set by their names, in the order given', () => {
  expect(policiesNamed(['stub-old-results', 'limit-tool-output', 'fit-window'])).toEqual([
    economyPolicies[4],
    specPolicies[5],
    specPolicies[6],
  ])
  expect(new Set(policyNames).size).toBe(policyNames.length)
})

it('a name nobody has is refused, with those that exist', () => {
  expect(() => policiesNamed(['trim-everything'])).toThrow(
    /^policies: expected names out of pair-tool-calls, .*drop-old-reasoning, got "trim-everything"$/,
  )
})
