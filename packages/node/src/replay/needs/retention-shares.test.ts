import { expect, it } from 'vitest'
import type { NeedOutcome } from './need.ts'
import { createRetentionCount, sharesOf } from './retention.ts'

const outcome = (kind: NeedOutcome['need']['class'], state: NeedOutcome['state']): NeedOutcome => ({
  need: { class: kind, text: 'x', step: 0, edit: null, suppliers: [] },
  state,
  supplier: null,
  recalled: '',
})

it("counts users' text in its class, not in the needs", () => {
  const count = createRetentionCount()
  count.add([outcome('user-rule', 'view'), outcome('user-rule', 'view'), outcome('path', 'view'), outcome('path', 'handle')])
  const shares = sharesOf([count.total({ recalls: 0, recalled: 0, recalledAgain: 0 })])
  expect(shares).toMatchObject({ needs: 2, inView: 0.5, reachable: 1, classes: { 'user-rule': { needs: 2, inView: 1 } } })
})
