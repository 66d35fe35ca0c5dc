import { describe, expect, it } from 'vitest'
import { madeInspection } from '../../testing/made-inspection.ts'
import { groupMessages, onlyMessage } from './treemap-groups.ts'
import { layOutTreemap } from './treemap-layout.ts'
import { reopen, wayTo } from './treemap-path.ts'

const { messages, fill } = madeInspection({ messages: 400 })
const whole = groupMessages(messages, messages.tokens, fill.categories)
const tiles = layOutTreemap(whole, messages, messages.tokens, 900, 420)

describe('wayTo', () => {
  it('leads from every tile that can be opened through all groups around it', () => {
    let deepest = 0
    for (const [place, { node }] of tiles.entries()) {
      const way = wayTo(tiles, place)
      if (node.type === 'message' || node.count === 0) {
        expect(way).toEqual([])
        continue
      }
      expect(way.at(-1)).toBe(node)
      expect(reopen(whole, way)).toEqual(way)
      deepest = Math.max(deepest, way.length)
    }
    expect(deepest).toBeGreaterThanOrEqual(2)
  })
})

describe('reopen', () => {
  it('finds the same groups after the session went on, and stops where one is gone', () => {
    const way = wayTo(
      tiles,
      tiles.findIndex(({ within, isFrame }) => within !== null && isFrame),
    )
    const longer = madeInspection({ messages: 420 }).messages
    const grown = groupMessages(longer, longer.tokens)
    expect(reopen(grown, way).map(({ name }) => name)).toEqual(way.map(({ name }) => name))
    const none = madeInspection({ messages: 0 }).messages
    expect(reopen(groupMessages(none, none.tokens), way)).toEqual([])
  })
})

describe('onlyMessage', () => {
  it.each([
    ['a message', { type: 'message', number: 7, category: 'user', tokens: 3 }, 7],
    ['a group of one', { type: 'group', name: { kind: 'whole' }, tokens: 3, count: 1, groups: [], messages: [7] }, 7],
    ['a group of two', { type: 'group', name: { kind: 'whole' }, tokens: 3, count: 2, groups: [], messages: [7, 8] }, null],
    ['what is no message', { type: 'group', name: { kind: 'whole' }, tokens: 3, count: 0, groups: [], messages: [] }, null],
  ] as const)('of %s', (_name, node, only) => expect(onlyMessage(node)).toBe(only))
})
