import { describe, expect, it } from 'vitest'
import { makeRow } from '../testing/made-runs.ts'
import { type BillSums, type CacheBill, createCacheBill } from './cache-bill.ts'
import type { PriceRow } from './price-rows.ts'

/** A million input tokens cost a million dollars, so a dollar is a token. */
const row: PriceRow = { ...makeRow('made'), input: 1e6, read: 0.1e6, write: 2e6, output: 5e6 }
const prompt = (keys: readonly number[], at = 0) => ({ keys, tokens: keys.map(() => 100), breakpoints: [keys.length - 1], at })
const minute = 60_000
const nothing: BillSums = { read: 0, write: 0, fresh: 0, output: 0, keepAlive: 0, recalls: 0, readTokens: 0, promptTokens: 0 }

function sums(act: (bill: CacheBill) => void, given: Partial<PriceRow> = {}): BillSums {
  const bill = createCacheBill({ ...row, ...given })
  act(bill)
  return Object.fromEntries(
    Object.entries(bill.sums()).map(([name, value]) => [name, Math.round(value * 1e6) / 1e6]),
  ) as unknown as BillSums
}

describe('createCacheBill', () => {
  const twice = (bill: CacheBill, after: number) => {
    bill.send(prompt([1, 2]), 10)
    bill.send(prompt([1, 2, 3], after), 10)
  }
  const first = { ...nothing, write: 400, output: 100, promptTokens: 500 }
  it.each<[name: string, after: number, given: Partial<PriceRow>, expected: BillSums]>([
    ['reads sent blocks and writes new ones', minute, {}, { ...first, write: 600, read: 20, readTokens: 200 }],
    ['writes everything again after the lifetime', 6 * minute, {}, { ...first, write: 1000 }],
    [
      'keeps everything on a row without pauses',
      6 * minute,
      { isWarm: true },
      { ...first, write: 600, read: 20, readTokens: 200 },
    ],
    [
      'bills everything uncached without a cache',
      minute,
      { rules: { ...row.rules, match: 'none' } },
      { ...first, write: 0, fresh: 500 },
    ],
    ['charges more for a long prompt, including its answer', minute, { longPrompt: { above: 250, input: 2, output: 3 } }, { ...first, write: 800, read: 40, output: 200, readTokens: 200 }], // biome-ignore format: a table
  ])('%s', (_name, after, given, expected) => {
    expect(sums((bill) => twice(bill, after), given)).toEqual(expected)
  })

  it('returns how each prompt was billed', () => {
    const bill = createCacheBill(row)
    expect([bill.send(prompt([1, 2]), 0), bill.send(prompt([1, 3]), 0)]).toEqual([
      { read: 0, write: 200, fresh: 0 },
      { read: 100, write: 100, fresh: 0 },
    ])
  })

  it('reads a prompt and outputs one token to keep it alive', () => {
    const kept = sums((bill) => {
      bill.send(prompt([1, 2]), 0)
      expect(bill.keepAlive(4 * minute)).toBe(200)
      expect(bill.send(prompt([1, 2], 8 * minute), 0)).toMatchObject({ read: 200 })
    })
    expect(kept).toMatchObject({ keepAlive: 25, read: 20, write: 400 })
  })

  it('charges nothing for keeping an expired prompt alive', () => {
    const late = sums((bill) => {
      bill.send(prompt([1, 2]), 0)
      expect(bill.keepAlive(6 * minute)).toBe(0)
    })
    expect(late).toMatchObject({ keepAlive: 0 })
  })

  it('reads the prompt, writes call and answer and outputs the call for a recall, then reads the answer each time', () => {
    expect(sums((bill) => bill.recall(1000, 40))).toEqual({ ...nothing, recalls: 100 + 200 + 300 })
    expect(sums((bill) => bill.carry(40))).toEqual({ ...nothing, recalls: 4 })
  })
})
