import { describe, expect, it } from 'vitest'
import type { CacheTerms } from '../facts.ts'
import { keptAlive, mayKeepAlive, planKeepAlive } from './keep-alive.ts'
import { emptyLedger } from './ledger.ts'

const terms: CacheTerms = { read: 0.05, write: 1.25, lifetimeSeconds: 300 }

describe('keeping a prompt alive', () => {
  it.each<[name: string, given: Partial<CacheTerms>, times: number | null]>([
    ['a tenth for reading', { read: 0.1 }, 2],
    ['a twentieth', {}, 4],
    ['a fortieth', { read: 0.025 }, 8],
    ['next to nothing', { read: 0.001 }, 8],
    ['nothing at all', { read: 0 }, 8],
    ['dear reading: once', { read: 0.4 }, 1],
    ['as dear as writing', { read: 1, write: 1 }, null],
    ['a provider that does not say when it forgets', { lifetimeSeconds: null }, null],
    ['an hour', { lifetimeSeconds: 3600 }, null],
    ['less than a minute', { lifetimeSeconds: 59 }, null],
    ['prices nobody knows', { read: Number.NaN }, null],
    ['a lifetime nobody knows', { lifetimeSeconds: Number.NaN }, null],
  ])('%s', (_name, given, times) => {
    expect(planKeepAlive({ ...terms, ...given })).toEqual(times === null ? null : { everySeconds: 280, times })
  })

  it.each<[bank: number, tokens: number, expected: boolean]>([
    [50, 1000, true],
    [49.9, 1000, false],
    [0, 0, true],
    [-1, 0, false],
    [Number.NaN, 10, false],
  ])('what was saved covers it, or it is not done: %d for %d tokens', (bank, tokens, expected) => {
    expect(mayKeepAlive({ ...emptyLedger, bank }, tokens, terms)).toBe(expected)
  })

  it('is paid from what was saved, and counts as a request that was made', () => {
    const ledger = { ...emptyLedger, bank: 80, debts: { 'a.0': 3 }, at: 1 }
    expect(keptAlive(ledger, 9, 1000, terms)).toEqual({ ...ledger, bank: 30, at: 9 })
  })
})
