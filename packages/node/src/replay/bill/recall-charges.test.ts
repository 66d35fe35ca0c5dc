import type { Tokenizer } from '@plimsoll/core'
import { expect, it } from 'vitest'
import type { NeedOutcome } from '../needs/need.ts'
import { makeRow } from '../testing/made-runs.ts'
import { createCacheBill } from './cache-bill.ts'
import { createRecallCharges, type RecallLasts } from './recall-charges.ts'

const characters: Tokenizer = { name: 'characters', count: (text) => text.length }

const missing = (text: string, message: string, recalled: string, tried?: string): NeedOutcome => ({
  need: { class: 'symbol', text, step: 0, edit: null, suppliers: [] },
  state: 'handle',
  supplier: { message, part: 0, from: 'result' },
  recalled,
  ...(tried === undefined ? {} : { tried }),
})

/** Recall charges, and their cost so far in full-price input tokens. */
function started(lasts?: RecallLasts): { readonly charges: ReturnType<typeof createRecallCharges>; readonly paid: () => number } {
  const row = { ...makeRow('r.05'), input: 1, read: 0.05, write: 1.25, output: 5 }
  const bill = createCacheBill(row)
  return { charges: createRecallCharges(bill, characters, lasts), paid: () => Math.round(bill.sums().recalls * 1e9) / 1e3 }
}

/** One more request reads the prompt, writes the call and its answer, and outputs the call. */
const request = (prompt: number, answer: number) => prompt * 0.05 + (60 + answer) * 1.25 + 60 * 5

it('charges one recall for each result of a step', () => {
  const { charges, paid } = started()
  charges.charge([missing('a', 'r', 'a b'), missing('b', 'r', 'a b'), missing('c', 's', 'cccc')], 1000)
  expect(paid()).toBeCloseTo(request(1000, 3) + request(1003, 4))
  expect(charges.counts()).toEqual({ recalls: 2, recalled: 2, recalledAgain: 0 })
})

it('also charges a recall that did not return the needed string', () => {
  const { charges, paid } = started()
  charges.charge([missing('a', 'r', 'a b', 'xx')], 1000)
  expect(paid()).toBeCloseTo(request(1000, 2) + request(1002, 3))
  expect(charges.counts()).toEqual({ recalls: 2, recalled: 1, recalledAgain: 0 })
})

it('sends recalled text along for later needs until the cache is cold', () => {
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

it('charges again for text that a rule hides after two requests', () => {
  const { charges, paid } = started({ recallLasts: 2 })
  charges.charge([missing('a', 'r', 'a b')], 1000)
  const first = paid()
  for (let times = 0; times < 3; times += 1) charges.request(false)
  expect(paid() - first).toBeCloseTo(2 * 3 * 0.05)
  charges.charge([missing('a', 'r', 'a b')], 1000)
  expect(paid() - first).toBeCloseTo(2 * 3 * 0.05 + request(1000, 3))
})

it('sends recalled text along until the prompt before it is written again, but not before the set removes it', () => {
  const { charges, paid } = started({ recallStays: 2 })
  charges.charge([missing('a', 'r', 'a b')], 1000, 'last')
  const first = paid()
  charges.request(false, (after) => after === 'last')
  charges.request(false, (after) => after === 'other')
  charges.request(false)
  expect(paid() - first).toBeCloseTo(3 * 3 * 0.05)
  charges.request(false, (after) => after === 'last')
  expect(paid() - first).toBeCloseTo(3 * 3 * 0.05)
})
