import fc from 'fast-check'
import { expect, it } from 'vitest'
import { largest } from './treemap-groups.ts'

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
