import { expect, test } from 'vitest'
import { emptyPlan, type Plan } from '../planner.ts'
import { packPlan, unpackPlan } from './planner-messages.ts'

test('a plan is the same after it was sent to another thread', () => {
  const splices = [
    { start: 3, end: 9, bytes: Buffer.from('new') },
    { start: 12, end: 12, bytes: new Uint8Array(0) },
    { start: 20, end: 4_000_000_000, bytes: Buffer.from('last') },
  ]
  for (const plan of [emptyPlan, { ...emptyPlan, splices, rules: ['x'], prefixKept: 7 }] satisfies Plan[]) {
    const { packed, buffers } = packPlan({ number: 5, plan })
    const there = structuredClone(packed, { transfer: [...buffers] })
    const arrived = unpackPlan(there)
    expect({ ...arrived, splices: arrived.splices.map((each) => ({ ...each, bytes: Buffer.from(each.bytes) })) }).toEqual({
      ...plan,
      splices: plan.splices.map((each) => ({ ...each, bytes: Buffer.from(each.bytes) })),
    })
    expect(there.number).toBe(5)
  }
})
