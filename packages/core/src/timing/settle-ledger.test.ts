import { expect, it } from 'vitest'
import type { Usage } from '../facts.ts'
import { affordable, emptyLedger, type Ledger, settleLedger } from './ledger.ts'

const usage: Usage = { input: 0, cacheRead: 10_000, cacheWrite: 0, output: 1 }
const expecting: Ledger = { ...emptyLedger, bank: 7, expected: { gapSeconds: 400, tokens: 10_000 } }

it('settleLedger learns the cache lifetime once from cached reads after a pause', () => {
  const settled = settleLedger(expecting, usage)
  expect(settled).toEqual({ ...emptyLedger, bank: 7, learned: { atLeastSeconds: 400, atMostSeconds: null, zeroReads: 0 } })
  expect(settleLedger(settled, { ...usage, cacheRead: 0 })).toBe(settled)
})

it.each<[name: string, ledger: Ledger, usage: Usage | null]>([
  ['if nothing was expected', emptyLedger, usage],
  ['if nothing was reported', expecting, null],
])('settleLedger changes nothing %s', (_name, ledger, reported) => {
  expect(settleLedger(ledger, reported)).toBe(ledger)
})

it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('settleLedger ignores a report of %d tokens', (cacheRead) => {
  expect(settleLedger(expecting, { ...usage, cacheRead }).learned).toEqual({
    atLeastSeconds: null,
    atMostSeconds: null,
    zeroReads: 0,
  })
})

it.each<[name: string, ledger: Partial<Ledger>, expected: number]>([
  ['the savings', { bank: 5 }, 5],
  ['plus a quarter of a percent of the untrimmed cost', { bank: 5, untrimmed: 400 }, 6],
  ['minus a loss', { bank: -5, untrimmed: 400 }, -4],
  ['zero for invalid savings', { bank: Number.NaN, untrimmed: 300 }, 0],
  ['zero for infinite savings', { bank: Number.POSITIVE_INFINITY }, 0],
])('affordable returns %s', (_name, ledger, expected) => {
  expect(affordable({ ...emptyLedger, ...ledger })).toBe(expected)
})
