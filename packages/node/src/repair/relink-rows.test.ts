import { expect, it } from 'vitest'
import { planRows } from './plan-rows.ts'
import type { Row } from './row-format.ts'

const row = (id: string, parent: string | null): Row => ({
  id,
  parent,
  chain: '',
  group: null,
  calls: [],
  results: [],
  holdsMore: true,
})

function parentsOf(rows: readonly Row[], dropped: readonly number[]) {
  const unused = { conversations: [], rowOf: () => undefined, newId: (about: string) => about }
  return planRows({ rows, dropped: new Set(dropped), form: 'tree', ...unused }).parents
}

it('links entries after a chain of dropped entries to the parent of that chain', () => {
  const rows = [row('a', null), row('b', 'a'), row('c', 'b'), row('d', 'c'), row('x', 'a'), row('y', 'd'), row('z', 'c')]
  expect(parentsOf(rows, [1, 2, 3])).toEqual(
    new Map([
      [5, 'a'],
      [6, 'a'],
    ]),
  )
})

it('links entries after a dropped circle to the entry before it', () => {
  const rows = [row('a', null), row('b', 'c'), row('c', 'b'), row('d', 'b'), row('e', 'c')]
  expect(parentsOf(rows, [1, 2])).toEqual(
    new Map([
      [3, 'a'],
      [4, 'd'],
    ]),
  )
})
