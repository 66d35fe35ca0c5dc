import { windowCategories } from '@plimsoll/core/bill'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { madeInspection } from '../../testing/made-inspection.ts'
import { layOutLoadLine } from './load-line-layout.ts'
import { groupMessages, largest, sizesAsSent, type TreemapGroup } from './treemap-groups.ts'

it.each([1, 0.4, 1.7])(
  'has the same numbers as the hull and the table, also if the provider counted %d times the tokens',
  (load) => {
    const { messages, fill } = madeInspection({ messages: 400, load })
    const whole = groupMessages(messages, sizesAsSent(messages, fill), fill.categories)
    const rounded = (groups: readonly TreemapGroup[]) =>
      new Map(groups.map(({ name, tokens }) => [nameOf(name), Math.round(tokens)]))
    const tree = rounded(whole.groups)
    const { bands } = layOutLoadLine(fill, { top: 0, bottom: 100 })
    const table = windowCategories.flatMap((category) => ((fill.categories[category] ?? 0) > 0 ? [category] : []))
    expect(table.length).toBeGreaterThan(5)
    for (const category of table) {
      expect([category, tree.get(category)]).toEqual([category, fill.categories[category]])
      expect(bands.find((band) => band.category === category)?.tokens).toBe(fill.categories[category])
    }
    const results = rounded(whole.groups.find(({ name }) => nameOf(name) === 'results')?.groups ?? [])
    expect(fill.results.length).toBeGreaterThan(3)
    for (const { tool, tokens } of fill.results) expect([tool, results.get(tool)]).toEqual([tool, tokens])
  },
)

function nameOf(name: TreemapGroup['name']): string {
  return name.kind === 'category' ? name.category : name.kind === 'tool' ? name.tool : name.kind
}

it('gives what sorting everything would give', () => {
  let cut = 0
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 80, size: 'max' }), fc.nat(12), (sizes, most) => {
      const members = sizes.map((_, index) => index)
      const sizeOf = (member: number) => sizes[member] as number
      const sorted = members.toSorted((one, other) => sizeOf(other) - sizeOf(one) || one - other)
      expect(largest(members, sizeOf, most)).toEqual(sorted.slice(0, most))
      if (members.length > most * 2) cut += 1
    }),
  )
  expect(cut).toBeGreaterThan(20)
})
