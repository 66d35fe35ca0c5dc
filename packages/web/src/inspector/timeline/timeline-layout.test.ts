import type { WindowFill } from '@plimsoll/core/bill'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import {
  columnOfRequest,
  hitsByRequest,
  minSpan,
  movedRange,
  rangeAround,
  rangeWithin,
  spentAfter,
  timelineColumns,
  zoomedRange,
} from './timeline-columns.ts'
import {
  axisTicks,
  barPaths,
  chartTicks,
  chartTop,
  fillBands,
  readBands,
  stepPath,
  timelineMarks,
  timelinePlaces,
} from './timeline-layout.ts'

const fillOf = (tokens: number, window = 1000): WindowFill => ({
  tokens,
  categories: { system: tokens },
  results: [],
  source: 'usage',
  window,
  reserve: 100,
})

const request = (tokens: number, more: Partial<InspectedRequest> = {}): InspectedRequest => ({
  id: `${tokens}`,
  at: null,
  model: null,
  fill: fillOf(tokens),
  last: 0,
  usage: null,
  cost: null,
  edits: 0,
  saved: 0,
  waiting: 0,
  isCompacted: false,
  broken: null,
  ...more,
})

const costing = (dollars: number) => ({ dollars, parts: { input: dollars, cacheRead: 0, cacheWrite: 0, output: 0 } })

describe('timelineColumns', () => {
  it('has a column for each request if they fit', () => {
    const columns = timelineColumns([request(1), request(2), request(3)], { from: 1, to: 3 }, 100)
    expect(columns.map(({ from, to, shown, x, width }) => [from, to, shown, x, width])).toEqual([
      [1, 2, 1, 0, 50],
      [2, 3, 2, 50, 50],
    ])
  })

  it('merges requests that do not fit, shows the largest and adds up the rest', () => {
    const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 }
    const broken = { message: 0, policy: null, reason: 'unknown' as const, tokens: 1 }
    const requests = [
      request(5, { cost: costing(1), usage, edits: 2 }),
      request(9, { cost: costing(2), usage, isCompacted: true }),
      request(7, { broken }),
    ]
    expect(timelineColumns(requests, { from: 0, to: 3 }, 3)).toEqual([
      {
        from: 0,
        to: 3,
        shown: 1,
        x: 0,
        width: 3,
        dollars: 3,
        unpriced: 1,
        read: { read: 4, write: 6, fresh: 2 },
        edits: 2,
        compactions: 1,
        breaks: 1,
      },
    ])
  })

  it('covers every request of the range once, the same for 5,000 as for five', () => {
    let merged = 0
    const range = fc.tuple(fc.nat(5000), fc.nat(5000), fc.nat(5000), fc.integer({ min: 1, max: 1500 }))
    const all = Array.from({ length: 5000 }, (_, index) => request(index % 13))
    fc.assert(
      fc.property(range, ([one, other, asked, width]) => {
        const from = Math.min(one, other)
        const to = Math.max(one, other)
        const columns = timelineColumns(all, { from, to }, width)
        let next = from
        for (const column of columns) {
          expect(column.from).toBe(next)
          expect(column.to).toBeGreaterThan(column.from)
          next = column.to
        }
        expect(next).toBe(to)
        const found = columnOfRequest(columns, asked)
        if (asked < from || asked >= to) expect(found).toBe(-1)
        else expect((columns[found]?.from ?? 0) <= asked && asked < (columns[found]?.to ?? 0)).toBe(true)
        if (columns.length < to - from) merged += 1
      }),
    )
    expect(merged).toBeGreaterThan(20)
  })

  it('has none for a session without requests', () => expect(timelineColumns([], { from: 0, to: 0 }, 500)).toEqual([]))
})

describe('charts', () => {
  it('stacks the categories so that they are as high as their tokens', () => {
    const fill: WindowFill = { ...fillOf(60), categories: { system: 10, user: 20, results: 30 } }
    expect(fillBands(fill, 120, 240)).toEqual([
      { name: 'system', y: 220, height: 20 },
      { name: 'user', y: 180, height: 40 },
      { name: 'results', y: 120, height: 60 },
    ])
  })

  it('shows cached, written and uncached tokens as shares', () => {
    expect(readBands({ read: 75, write: 0, fresh: 25 }, 40)).toEqual([
      { name: 'read', y: 10, height: 30 },
      { name: 'fresh', y: 0, height: 10 },
    ])
    expect(readBands({ read: 0, write: 0, fresh: 0 }, 40)).toEqual([])
  })

  it('is as high as the window or the largest request', () => {
    const requests = [request(100), request(200)]
    const columns = timelineColumns(requests, { from: 0, to: 2 }, 100)
    expect([chartTop(columns, requests, 'window'), chartTop(columns, requests, 'fill')]).toEqual([1000, 221])
    const over = [request(1500)]
    expect(chartTop(timelineColumns(over, { from: 0, to: 1 }, 100), over, 'window')).toBe(1500)
  })

  it('draws a limit that steps where the model changes, and skips it outside of the chart', () => {
    const columns = timelineColumns([request(1), request(2), request(3)], { from: 0, to: 3 }, 30)
    const limits = [50, 100, 300]
    expect(stepPath(columns, ({ shown }) => limits[shown] ?? 0, 100, 200)).toBe('M0 100H10L10 0H20')
  })

  it('merges marks that are too close together', () => {
    const requests = [request(1, { edits: 2 }), request(2, { edits: 1 }), request(3), request(4, { edits: 5 })]
    const columns = timelineColumns(requests, { from: 0, to: 4 }, 40)
    expect(timelineMarks(columns, ({ edits }) => edits, 14)).toEqual([
      { x: 5, count: 3, request: 0 },
      { x: 35, count: 5, request: 3 },
    ])
  })

  it.each([
    [1000, 4, [0, 500, 1000]],
    [200_000, 4, [0, 50_000, 100_000, 150_000, 200_000]],
    [0.03, 3, [0, 0.01, 0.02, 0.03]],
    [0, 4, [0]],
    [Number.NaN, 4, [0]],
  ])('labels a chart of %d with round numbers', (top, about, ticks) => {
    const found = chartTicks(top, about)
    expect(found.length).toBe(ticks.length)
    found.forEach((tick, index) => expect(tick).toBeCloseTo(ticks[index] ?? 0, 10))
  })

  it('adds up what was spent', () => {
    expect(spentAfter([request(1, { cost: costing(1) }), request(2), request(3, { cost: costing(2) })])).toEqual([1, 1, 3])
  })
})

describe('a range of requests', () => {
  it('stays among the requests and keeps its width, wherever it is sent', () => {
    let closer = 0
    const any = fc.integer({ min: -100, max: 6000 })
    fc.assert(
      fc.property(any, any, fc.nat(5000), fc.constantFrom(0.5, 2), any, (from, to, count, factor, request) => {
        const least = Math.min(count, minSpan)
        const range = rangeWithin(from, to, count)
        for (const one of [range, zoomedRange(range, factor, request, count), movedRange(range, request, count)]) {
          expect(one.from).toBeGreaterThanOrEqual(0)
          expect(one.to).toBeLessThanOrEqual(count)
          expect(one.to - one.from).toBeGreaterThanOrEqual(least)
        }
        expect(movedRange(range, request, count).to - movedRange(range, request, count).from).toBe(range.to - range.from)
        if (request >= 0 && request < count) {
          const around = rangeAround(range, request, count)
          expect(around.from <= request && request < around.to).toBe(true)
        }
        if (zoomedRange(range, 0.5, range.from, count).to < range.to) closer += 1
      }),
    )
    expect(closer).toBeGreaterThan(20)
  })

  it('keeps the request in place when zooming in', () => {
    expect(zoomedRange({ from: 0, to: 100 }, 0.5, 50, 100)).toEqual({ from: 25, to: 75 })
    expect(zoomedRange({ from: 0, to: 100 }, 0.5, 0, 100)).toEqual({ from: 0, to: 50 })
    expect(zoomedRange({ from: 25, to: 75 }, 2, 50, 100)).toEqual({ from: 0, to: 100 })
  })
})

describe('barPaths', () => {
  it('draws all bars of a name in one path, with a gap between wide ones', () => {
    const columns = timelineColumns([request(1), request(2)], { from: 0, to: 2 }, 20)
    const paths = barPaths(columns, ({ shown }) => [{ name: 'user', y: shown, height: 5 }])
    expect([...paths]).toEqual([['user', 'M0 0h9v5h-9zM10 1h9v5h-9z']])
  })
})

const everything = { hits: true, edits: true, compactions: true, breaks: true, money: true, usage: true }
const nothing = { hits: false, edits: false, compactions: false, breaks: false, money: false, usage: false }

describe('timelinePlaces', () => {
  it('places one chart below the other, each below its title', () => {
    const { marks, tokens, money, cache, axis, height } = timelinePlaces(1000, everything)
    const rows = [
      marks.hits,
      marks.edits,
      marks.compactions,
      marks.breaks,
      tokens.title,
      tokens.top,
      money.title,
      money.top,
      cache.title,
      cache.top,
      axis,
      height,
    ]
    expect(rows).toEqual(rows.toSorted((one, other) => one - other))
    expect([money.top >= tokens.top + tokens.height, cache.top >= money.top + money.height]).toEqual([true, true])
  })

  it('leaves no room for charts without data', () => {
    const { money, cache, height } = timelinePlaces(1000, nothing)
    expect([money.height, cache.height, height < timelinePlaces(1000, everything).height - 100]).toEqual([0, 0, true])
  })
})

describe('axisTicks', () => {
  it('names the first request and round ones, apart from each other, wherever the range is', () => {
    const requests = Array.from({ length: 500 }, (_, index) => request(index + 1))
    fc.assert(
      fc.property(fc.nat(490), fc.integer({ min: 1, max: 500 }), fc.integer({ min: 60, max: 2000 }), (from, span, width) => {
        const columns = timelineColumns(requests, { from, to: Math.min(500, from + span) }, width)
        const ticks = axisTicks(columns, width)
        expect(ticks[0]?.request).toBe(from)
        for (const [index, tick] of ticks.entries()) {
          const column = columns[columnOfRequest(columns, tick.request)]
          expect(tick.x).toBeCloseTo((column?.x ?? 0) + (column?.width ?? 0) / 2, 6)
          if (index > 0) expect(tick.x - (ticks[index - 1]?.x ?? 0)).toBeGreaterThan(50)
        }
      }),
    )
    const names = axisTicks(timelineColumns(requests, { from: 0, to: 200 }, 800), 800).map((tick) => tick.request + 1)
    expect(names).toEqual([1, 50, 100, 150, 200])
  })
})

describe('hitsByRequest', () => {
  it('counts each message at the first request that has it', () => {
    expect(hitsByRequest([{ last: 2 }, { last: 2 }, { last: 7 }], [0, 2, 3, 7, 9])).toEqual([2, 0, 2])
  })
})
