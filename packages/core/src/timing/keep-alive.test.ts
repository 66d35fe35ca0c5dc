import { describe, expect, it } from 'vitest'
import type { CacheTerms } from '../facts.ts'
import { keptAlive, mayKeepAlive, planKeepAlive } from './keep-alive.ts'
import { emptyLedger } from './ledger.ts'

const terms: CacheTerms = { read: 0.05, write: 1.25, lifetimeSeconds: 300 }

describe('planKeepAlive and mayKeepAlive', () => {
  it.each<[name: string, given: Partial<CacheTerms>, times: number | null]>([
    ['plans for cached reads at a tenth', { read: 0.1 }, 2],
    ['plans for cached reads at a twentieth', {}, 4],
    ['plans for cached reads at a fortieth', { read: 0.025 }, 8],
    ['plans for almost free cached reads', { read: 0.001 }, 8],
    ['plans for free cached reads', { read: 0 }, 8],
    ['plans once for expensive cached reads', { read: 0.4 }, 1],
    ['plans nothing if reads cost as much as writes', { read: 1, write: 1 }, null],
    ['plans nothing for an unspecified lifetime', { lifetimeSeconds: null }, null],
    ['plans nothing for a lifetime of an hour', { lifetimeSeconds: 3600 }, null],
    ['plans nothing for a lifetime under a minute', { lifetimeSeconds: 59 }, null],
    ['plans nothing for an unknown price', { read: Number.NaN }, null],
    ['plans nothing for an invalid lifetime', { lifetimeSeconds: Number.NaN }, null],
  ])('%s', (_name, given, times) => {
    expect(planKeepAlive({ ...terms, ...given })).toEqual(times === null ? null : { everySeconds: 280, times })
  })

  it.each<[bank: number, tokens: number, expected: boolean]>([
    [50, 1000, true],
    [49.9, 1000, false],
    [0, 0, true],
    [-1, 0, false],
    [Number.NaN, 10, false],
  ])('allows it only if the savings cover it: %d for %d tokens', (bank, tokens, expected) => {
    expect(mayKeepAlive({ ...emptyLedger, bank }, tokens, terms)).toBe(expected)
  })

  it('subtracts the cost from the savings and counts as a request', () => {
    const ledger = { ...emptyLedger, bank: 80, debts: { 'a.0': 3 }, at: 1 }
    expect(keptAlive(ledger, 9, 1000, terms)).toEqual({ ...ledger, bank: 30, at: 9 })
  })
})
