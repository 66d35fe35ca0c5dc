import { expect, it } from 'vitest'
import type { Policy } from '../policy.ts'
import { economyPolicies } from './economy-policies.ts'
import { policiesNamed, policyNames } from './policies-named.ts'
import { specPolicies } from './spec-policies.ts'

it('policiesNamed returns a set by its name', () => {
  expect(policiesNamed('spec')).toBe(specPolicies)
  expect(policiesNamed('economy')).toBe(economyPolicies)
  expect(policiesNamed('digests').map(({ name }) => name)).toEqual(specPolicies.map(({ name }) => name))
})

it('the economy policies repair pairs first, cut before anything is judged, and fit the window last', () => {
  const names = economyPolicies.map(({ name }) => name)
  expect(names.slice(0, 2)).toEqual(['pair-tool-calls', 'filter-binary'])
  expect(names.indexOf('cut-long-output')).toBeLessThan(names.indexOf('stub-old-results'))
  expect(names.indexOf('shorten-written-arguments')).toBeGreaterThan(names.indexOf('stub-old-results'))
  expect(names.at(-1)).toBe('fit-window')
})

it('policiesNamed returns policies of both sets by name, in the given order', () => {
  const [stub, limit, fit] = policiesNamed(['stub-old-results', 'limit-tool-output', 'fit-window'])
  expect([economyPolicies.includes(stub as Policy), specPolicies.includes(limit as Policy), fit]).toEqual([
    true,
    true,
    specPolicies.at(-1),
  ])
  expect(new Set(policyNames).size).toBe(policyNames.length)
})

it('policiesNamed rejects an unknown name and lists the known ones', () => {
  expect(() => policiesNamed(['trim-everything'])).toThrow(
    /^policies: expected names out of pair-tool-calls, .*drop-old-reasoning, got "trim-everything"$/,
  )
})
