import { expect, it } from 'vitest'
import type { NeedClass, NeedOutcome, NeedState } from './need.ts'
import { createRetentionCount } from './retention.ts'

const outcome = (kind: NeedClass, state: NeedState, edit: string | null = null): NeedOutcome => ({
  need: { class: kind, text: 'x', step: 0, edit, suppliers: [] },
  state,
  supplier: null,
  recalled: '',
})
const recalls = { recalls: 3, recalled: 2, recalledAgain: 1 }

it('returns zeros without needs', () => {
  expect(createRetentionCount().total(recalls)).toEqual({
    needs: 0,
    inView: 0,
    byHandle: 0,
    byQuery: 0,
    lost: 0,
    checked: { needs: 0, inView: 0 },
    edits: 0,
    editsWhole: 0,
    ...recalls,
    classes: {},
  })
})

it('leaves needs that could have been guessed out of the checked ones', () => {
  const count = createRetentionCount()
  const { need } = outcome('symbol', 'view')
  count.add([
    outcome('symbol', 'view'),
    { ...outcome('symbol', 'lost'), need: { ...need, isDoubtful: true } },
    outcome('user-rule', 'view'),
  ])
  const { needs, lost, checked } = count.total(recalls)
  expect({ needs, lost, checked }).toEqual({ needs: 2, lost: 1, checked: { needs: 1, inView: 1 } })
})

it("counts each need once by outcome and once by class, users' text only by class", () => {
  const count = createRetentionCount()
  count.add([outcome('path', 'view'), outcome('path', 'handle'), outcome('symbol', 'query'), outcome('user-rule', 'lost')])
  count.add([outcome('symbol', 'lost'), outcome('user-rule', 'view')])
  expect(count.total(recalls)).toMatchObject({
    needs: 4,
    inView: 1,
    byHandle: 1,
    byQuery: 1,
    lost: 1,
    classes: { path: { needs: 2, inView: 1 }, symbol: { needs: 2, inView: 0 }, 'user-rule': { needs: 2, inView: 1 } },
  })
})

it.each<[name: string, steps: readonly (readonly NeedOutcome[])[], edits: number, whole: number]>([
  ['every anchor is in view', [[outcome('edit-anchor', 'view', 'a'), outcome('edit-anchor', 'view', 'a')]], 1, 1],
  ['one anchor is not in view', [[outcome('edit-anchor', 'view', 'a'), outcome('edit-anchor', 'handle', 'a')]], 1, 0],
  ['the first anchor is not in view', [[outcome('edit-anchor', 'handle', 'a'), outcome('edit-anchor', 'view', 'a')]], 1, 0],
  ['two edits of a step', [[outcome('edit-anchor', 'view', 'a'), outcome('edit-anchor', 'lost', 'b')]], 2, 1],
  ['the same id in another step', [[outcome('edit-anchor', 'view', 'a')], [outcome('edit-anchor', 'lost', 'a')]], 2, 1],
  ['needs without an edit', [[outcome('path', 'lost')]], 0, 0],
])('counts edits with every anchor in view: %s', (_name, steps, edits, editsWhole) => {
  const count = createRetentionCount()
  for (const outcomes of steps) count.add(outcomes)
  expect(count.total(recalls)).toMatchObject({ edits, editsWhole })
})
