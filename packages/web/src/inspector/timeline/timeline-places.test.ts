import { describe, expect, it } from 'vitest'
import { timelinePlaces } from './timeline-places.ts'

const everything = { edits: true, compactions: true, breaks: true, money: true, usage: true }
const nothing = { edits: false, compactions: false, breaks: false, money: false, usage: false }

describe('timelinePlaces', () => {
  it('puts one chart below the other, each below its title', () => {
    const { marks, tokens, money, cache, height } = timelinePlaces(1000, everything)
    const rows = [
      marks.edits,
      marks.compactions,
      marks.breaks,
      tokens.title,
      tokens.top,
      money.title,
      money.top,
      cache.title,
      cache.top,
      height,
    ]
    expect(rows).toEqual(rows.toSorted((one, other) => one - other))
    expect([money.top >= tokens.top + tokens.height, cache.top >= money.top + money.height]).toEqual([true, true])
  })

  it('leaves no room for what nothing is known of', () => {
    const { money, cache, height } = timelinePlaces(1000, nothing)
    expect([money.height, cache.height, height < timelinePlaces(1000, everything).height - 100]).toEqual([0, 0, true])
  })
})
