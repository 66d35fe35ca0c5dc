import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { firstPlace } from '../../parts/first-place.ts'

/** One upright bar of the timeline: a request, or several if there are more of them than room. */
export type TimelineColumn = Readonly<ReturnType<typeof columnOf>>

/** Tokens of prompts: read from the cache, written to it, and uncached. */
export interface TimelineReads {
  readonly read: number
  readonly write: number
  readonly fresh: number
}

/** Narrower columns would be hard to distinguish. */
const minWidth = 3

/** Wider ones would make a few requests look like blocks. */
const maxWidth = 64

/** The columns of a range, evenly wide and side by side: one for each request while there is room, else each for several in a row. */
export function timelineColumns(
  requests: readonly InspectedRequest[],
  { from, to }: TimelineRange,
  width: number,
): readonly TimelineColumn[] {
  const count = Math.max(0, Math.min(to, requests.length) - from)
  const columns = Math.min(count, Math.max(1, Math.floor(width / minWidth)))
  const each = columns === 0 ? 0 : Math.min(maxWidth, width / columns)
  return Array.from({ length: columns }, (_, index) => {
    const first = from + Math.floor((index * count) / columns)
    const end = from + Math.floor(((index + 1) * count) / columns)
    return columnOf(requests, first, end, index * each, each)
  })
}

/** The column of a request, or -1. */
export function columnOfRequest(columns: readonly TimelineColumn[], request: number): number {
  const place = firstPlace(columns.length, (index) => (columns[index]?.to ?? 0) <= request)
  return (columns[place]?.from ?? request + 1) <= request ? place : -1
}

/** For each request, how many of these messages, in order, it was the first to have. */
export function hitsByRequest(requests: readonly Pick<InspectedRequest, 'last'>[], hits: readonly number[]): readonly number[] {
  let next = 0
  return requests.map(({ last }) => {
    const before = next
    while (next < hits.length && (hits[next] as number) <= last) next += 1
    return next - before
  })
}

/** Dollars of the session after each request. */
export function spentAfter(requests: readonly Pick<InspectedRequest, 'cost'>[]): readonly number[] {
  let sum = 0
  return requests.map(({ cost }) => (sum += cost?.dollars ?? 0))
}

function columnOf(requests: readonly InspectedRequest[], from: number, to: number, x: number, width: number) {
  const inside = requests.slice(from, to)
  const costs = inside.flatMap(({ cost }) => cost ?? [])
  const usages = inside.flatMap(({ usage }) => usage ?? [])
  const largest = inside.reduce((top, { fill }, index) => (fill.tokens > (inside[top]?.fill.tokens ?? 0) ? index : top), 0)
  return {
    /** The requests in it, from one up to and without another. */
    from,
    to,
    /** The largest of them, which is the one that is drawn. */
    shown: from + largest,
    x,
    width,
    /** Dollars of all of them; null if none has a price. */
    dollars: costs.length === 0 ? null : sumOf(costs, ({ dollars }) => dollars),
    unpriced: inside.length - costs.length,
    /** The provider's reads for all of them; null if it reported none. */
    read:
      usages.length === 0
        ? null
        : {
            read: sumOf(usages, ({ cacheRead }) => cacheRead),
            write: sumOf(usages, ({ cacheWrite }) => cacheWrite),
            fresh: sumOf(usages, ({ input }) => input),
          },
    edits: sumOf(inside, ({ edits }) => edits),
    compactions: inside.filter(({ isCompacted }) => isCompacted).length,
    breaks: inside.filter(({ broken }) => broken !== null).length,
  }
}

function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0)
}

/** Requests from one up to and without another, by their place. */
export interface TimelineRange {
  readonly from: number
  readonly to: number
}

/** The requests that are shown, and the chosen one of them. */
export interface TimelineView {
  readonly range: TimelineRange
  readonly selected: number
  readonly onSelect: (request: number) => void
  readonly onRange: (range: TimelineRange) => void
}

/** A range has at least this many requests. */
export const minSpan = 8

/** A range that fits into the requests there are, and is not too narrow. */
export function rangeWithin(from: number, to: number, count: number): TimelineRange {
  const span = Math.min(count, Math.max(minSpan, Math.round(to) - Math.round(from)))
  const begin = Math.max(0, Math.min(Math.round(from), count - span))
  return { from: begin, to: begin + span }
}

/** The range made wider by a factor, with one request staying where it is. */
export function zoomedRange(range: TimelineRange, factor: number, around: number, count: number): TimelineRange {
  const span = Math.min(count, Math.max(minSpan, Math.round((range.to - range.from) * factor)))
  const width = Math.max(1, range.to - range.from)
  const place = Math.max(0, Math.min(1, (around - range.from) / width))
  const from = Math.round(around - place * span)
  return rangeWithin(from, from + span, count)
}

/** The range moved by some requests, as far as there are any. */
export function movedRange({ from, to }: TimelineRange, by: number, count: number): TimelineRange {
  return rangeWithin(from + by, to + by, count)
}

/** The range moved just so far that a request is in it. */
export function rangeAround(range: TimelineRange, request: number, count: number): TimelineRange {
  if (request < range.from) return movedRange(range, request - range.from, count)
  if (request >= range.to) return movedRange(range, request + 1 - range.to, count)
  return range
}
