import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeInspection } from '../../testing/made-inspection.ts'
import { groupMessages, insideGroup, onlyMessage, type TreemapGroup } from './treemap-groups.ts'
import { layOutTreemap, neighbour, reopen, type Tile, wayTo } from './treemap-layout.ts'

const { messages, fill } = madeInspection({ messages: 400 })
const whole = groupMessages(messages, messages.tokens, fill.categories)

describe('groupMessages', () => {
  it('counts every message once, and tokens outside of messages', () => {
    const stored = messages.tokens.reduce((sum, tokens) => sum + tokens, 0)
    const { system = 0, rules = 0, tools = 0 } = fill.categories
    expect(whole.tokens).toBe(stored + system + rules + tools)
  })

  it('puts results and calls under their tools, the largest first', () => {
    const results = whole.groups.find(({ name }) => name.kind === 'category' && name.category === 'results') as TreemapGroup
    expect(results.groups.every(({ name }) => name.kind === 'tool')).toBe(true)
    expect(results.groups.map(({ tokens }) => tokens)).toEqual(results.groups.map(({ tokens }) => tokens).sort((a, b) => b - a))
  })
})

describe('insideGroup', () => {
  it('loses nothing: whatever is not shown is among the others, which can be opened in turn', () => {
    let cut = 0
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(5000), (most, least) => {
        const waiting: TreemapGroup[] = [whole]
        const seen: number[] = []
        for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
          const nodes = insideGroup(group, messages, messages.tokens, most, least)
          if (group.count > 0) expect(nodes.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(group.tokens)
          for (const node of nodes) {
            if (node.type === 'message') seen.push(node.number)
            else waiting.push(node)
            if (node.type === 'group' && node.name.kind === 'others') cut += 1
          }
        }
        expect(seen.sort((one, other) => one - other)).toEqual(messages.ids.map((_, number) => number))
      }),
      { numRuns: 20 },
    )
    expect(cut).toBeGreaterThan(20)
  })
})

describe('layOutTreemap', () => {
  const tiles = layOutTreemap(whole, messages, messages.tokens, 900, 420)
  const area = ({ box }: Tile) => box.width * box.height

  it('gives each group an area in proportion to its tokens, filling the full area', () => {
    const outer = tiles.filter(({ within }) => within === null)
    for (const tile of outer) expect(area(tile) / (900 * 420)).toBeCloseTo(tile.node.tokens / whole.tokens, 6)
    expect(outer.reduce((sum, tile) => sum + area(tile), 0)).toBeCloseTo(900 * 420, 3)
  })

  it('gives the items of a group proportional areas inside it', () => {
    const inner = tiles.filter(({ within }) => within !== null)
    expect(inner.length).toBeGreaterThan(10)
    for (const [place, frame] of tiles.entries()) {
      if (!frame.isFrame) continue
      const own = inner.filter(({ within }) => within === place)
      const tokens = own.reduce((sum, { node }) => sum + node.tokens, 0)
      const size = own.reduce((sum, tile) => sum + area(tile), 0)
      expect(tokens).toBe(frame.node.tokens)
      for (const tile of own) {
        expect(area(tile) / size).toBeCloseTo(tile.node.tokens / tokens, 6)
        expect(tile.box.left).toBeGreaterThanOrEqual(frame.box.left)
        expect(tile.box.top + tile.box.height).toBeLessThanOrEqual(frame.box.top + frame.box.height)
      }
    }
  })

  it('draws a bounded number of tiles for a hundred thousand messages', () => {
    const huge = madeInspection({ messages: 100_000 }).messages
    const group = groupMessages(huge, huge.tokens)
    const all = layOutTreemap(group, huge, huge.tokens, 1200, 500)
    expect(all.length).toBeLessThan(800)
    const outer = all.filter(({ within }) => within === null)
    expect(outer.reduce((sum, { node }) => sum + node.tokens, 0)).toBe(group.tokens)
  })

  it('is empty for a session without messages', () => {
    const none = madeInspection({ messages: 0 }).messages
    expect(layOutTreemap(groupMessages(none, none.tokens), none, none.tokens, 500, 300)).toEqual([])
  })
})

describe('neighbour', () => {
  const at = (left: number, top: number): Tile => ({
    node: { type: 'message', number: 0, category: 'user', tokens: 1 },
    box: { left, top, width: 10, height: 10 },
    within: null,
    isFrame: false,
  })
  const square = [at(0, 0), at(10, 0), at(0, 10), at(10, 10)]

  it.each([
    [0, 'right', 1],
    [0, 'down', 2],
    [3, 'left', 2],
    [3, 'up', 1],
    [0, 'left', 0],
    [3, 'down', 3],
    [9, 'down', 0],
  ] as const)('leads from %d %s to %d', (from, direction, to) => expect(neighbour(square, from, direction)).toBe(to))

  it('reaches every tile of any treemap with the arrow keys', () => {
    let framed = 0
    const tokens = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 4000 })), {
      minLength: messages.ids.length,
      maxLength: messages.ids.length,
    })
    fc.assert(
      fc.property(tokens, fc.integer({ min: 250, max: 1200 }), (sizes, width) => {
        const tiles = layOutTreemap(groupMessages(messages, sizes), messages, sizes, width, 420)
        if (tiles.some(({ isFrame }) => isFrame)) framed += 1
        const reached = new Set([0])
        for (const from of reached)
          for (const direction of ['left', 'right', 'up', 'down'] as const) reached.add(neighbour(tiles, from, direction))
        expect(reached.size).toBe(tiles.length)
      }),
    )
    expect(framed).toBeGreaterThan(50)
  })
})

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
  it('finds the same groups after the session continued, and stops at a group that is gone', () => {
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
    ['an empty group', { type: 'group', name: { kind: 'whole' }, tokens: 3, count: 0, groups: [], messages: [] }, null],
  ] as const)('returns the only message of %s', (_name, node, only) => expect(onlyMessage(node)).toBe(only))
})
