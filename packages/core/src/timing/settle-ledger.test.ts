import { expect, it } from 'vitest'
import type { Usage } from '../facts.ts'
import { affordable, emptyLedger, type Ledger, settleLedger } from './ledger.ts'

const usage: Usage = { input: 0, cacheRead: 10_000, cacheWrite: 0, output: 1 }
const expecting: Ledger = { ...emptyLedger, bank: 7, expected: { gapSeconds: 400, tokens: 10_000 } }

it('learns the cache lifetime once from what the provider read after a pause', () => {
  const settled = settleLedger(expecting, usage)
  expect(settled).toEqual({ ...emptyLedger, bank: 7, learned: { atLeastSeconds: 400, atMostSeconds: null, zeroReads: 0 } })
  expect(settleLedger(settled, { ...usage, cacheRead: 0 })).toBe(settled)
})

it.each<[name: string, ledger: Ledger, usage: Usage | null]>([
  ['where nothing was expected', emptyLedger, usage],
  ['where nothing was reported', expecting, null],
])('nothing changes %s', (_name, ledger, reported) => {
  expect(settleLedger(ledger, reported)).toBe(ledger)
})

it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('a report of %d tokens teaches nothing', (cacheRead) => {
  expect(settleLedger(expecting, { ...usage, cacheRead }).learned).toEqual({
    atLeastSeconds: null,
    atMostSeconds: null,
    zeroReads: 0,
  })
})

it.each<[name: string, ledger: Partial<Ledger>, expected: number]>([
  ['what was saved', { bank: 5 }, 5],
  ['and a hundredth of what sending everything costs', { bank: 5, untrimmed: 300 }, 8],
  ['a loss counts against it', { bank: -5, untrimmed: 300 }, -2],
  ['nothing where the amount is none', { bank: Number.NaN, untrimmed: 300 }, 0],
  ['nor where it has no end', { bank: Number.POSITIVE_INFINITY }, 0],
])('may be risked: %s', (_name, ledger, expected) => {
  expect(affordable({ ...emptyLedger, ...ledger })).toBe(expected)
})
