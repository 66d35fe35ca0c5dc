import type { Tokenizer } from '@plimsoll/core'
import { expect, it } from 'vitest'
import type { NeedOutcome } from '../needs/need.ts'
import { makeRow } from '../testing/made-runs.ts'
import { createCacheBill } from './cache-bill.ts'
import { createRecallCharges } from './recall-charges.ts'

const characters: Tokenizer = { name: 'characters', count: (text) => text.length }

const missing = (text: string, message: string, recalled: string, tried?: string): NeedOutcome => ({
  need: { class: 'symbol', text, step: 0, edit: null, suppliers: [] },
  state: 'handle',
  supplier: { message, part: 0, from: 'result' },
  recalled,
  ...(tried === undefined ? {} : { tried }),
})

/** Charges, and the dollars for them so far, in tokens of input at its full price. */
function started(lasts?: number): { readonly charges: ReturnType<typeof createRecallCharges>; readonly paid: () => number } {
  const row = { ...makeRow('r.05'), input: 1, read: 0.05, write: 1.25, output: 5 }
  const bill = createCacheBill(row)
  return { charges: createRecallCharges(bill, characters, lasts), paid: () => Math.round(bill.sums().recalls * 1e9) / 1e3 }
}

/** One more request: the prompt is read, the call and what came are written, and the call is paid as output. */
const request = (prompt: number, came: number) => prompt * 0.05 + (60 + came) * 1.25 + 60 * 5

it('one recall for each result of a step, which reads the prompt and writes what came', () => {
  const { charges, paid } = started()
  charges.charge([missing('a', 'r', 'a b'), missing('b', 'r', 'a b'), missing('c', 's', 'cccc')], 1000)
  expect(paid()).toBeCloseTo(request(1000, 3) + request(1003, 4))
  expect(charges.counts()).toEqual({ recalls: 2, recalled: 2, recalledAgain: 0 })
})

it('what was asked for in vain is paid for as well', () => {
  const { charges, paid } = started()
  charges.charge([missing('a', 'r', 'a b', 'xx')], 1000)
  expect(paid()).toBeCloseTo(request(1000, 2) + request(1002, 3))
  expect(charges.counts()).toEqual({ recalls: 2, recalled: 1, recalledAgain: 0 })
})

it('what came is carried along and serves later needs, until nothing is cached', () => {
  const { charges, paid } = started()
  charges.charge([missing('a', 'r', 'a b')], 1000)
  const first = paid()
  charges.request(false)
  charges.charge([missing('b', 'r', 'a b')], 1000)
  expect(paid() - first).toBeCloseTo(3 * 0.05)
  charges.request(true)
  expect(paid() - first).toBeCloseTo(3 * 0.05)
  charges.charge([missing('b', 'r', 'a b')], 1000)
  expect(paid() - first).toBeCloseTo(3 * 0.05 + request(1000, 3))
  expect(charges.counts()).toEqual({ recalls: 2, recalled: 1, recalledAgain: 1 })
})

it('what a rule hides again after two requests has to be had back again', () => {
  const { charges, paid } = started(2)
  charges.charge([missing('a', 'r', 'a b')], 1000)
  const first = paid()
  for (let times = 0; times < 3; times += 1) charges.request(false)
  expect(paid() - first).toBeCloseTo(2 * 3 * 0.05)
  charges.charge([missing('a', 'r', 'a b')], 1000)
  expect(paid() - first).toBeCloseTo(2 * 3 * 0.05 + request(1000, 3))
})
