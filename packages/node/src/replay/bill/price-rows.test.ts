import { knownPrices } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import { priceRows } from './price-rows.ts'

const named = (name: string) => priceRows.find((row) => row.name === name)

describe('priceRows', () => {
  it('starts with the general rows', () => {
    expect(priceRows.slice(0, 5).map(({ name, terms, isWarm }) => ({ name, ...terms, isWarm }))).toEqual([
      { name: 'r.10', read: 0.1, write: 1.25, lifetimeSeconds: 300, isWarm: false },
      { name: 'r.05', read: 0.05, write: 1.25, lifetimeSeconds: 300, isWarm: false },
      { name: 'r.025', read: 0.025, write: 1.25, lifetimeSeconds: 300, isWarm: false },
      { name: 'r.05-1h', read: 0.05, write: 2, lifetimeSeconds: 3600, isWarm: false },
      { name: 'r.05-warm', read: 0.05, write: 1.25, lifetimeSeconds: 300, isWarm: true },
    ])
    expect(named('r.025')).toMatchObject({
      input: 4,
      output: 20,
      read: 0.1,
      write: 5,
      rules: { match: 'longest-prefix', minPrefix: 0, lifetimeSeconds: 300, step: 1 },
    })
  })

  it('lists every model with a price once, with its own rules', () => {
    for (const { model } of knownPrices.models) expect(priceRows.filter(({ name }) => name === model)).toHaveLength(1)
    expect(named('claude-opus-5.5')).toMatchObject({ input: 4, read: 0.2, write: 5, rules: { match: 'breakpoints' } })
    expect(new Set(priceRows.map(({ name }) => name)).size).toBe(priceRows.length)
  })

  it('uses the price on the day of the table', () => expect(named('gemini-4-argon')).toMatchObject({ input: 2 }))

  it('bills a best-effort cache as if it always hit and as if it never did', () => {
    expect(named('gemini-4-argon')?.rules.match).toBe('best-effort')
    expect(named('gemini-4-argon-uncached')?.rules.match).toBe('none')
  })
})
