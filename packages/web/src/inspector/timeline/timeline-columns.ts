import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { firstPlace } from '../../parts/first-place.ts'

/** One upright bar of the timeline: a request, or several where there are more of them than room. */
export interface TimelineColumn {
  /** The requests it stands for, from one up to and without another. */
  readonly from: number
  readonly to: number
  /** Of these the largest, which is the one that is drawn. */
  readonly shown: number
  readonly x: number
  readonly width: number
  /** Dollars of all of them; null where none has a price. */
  readonly dollars: number | null
  /** Those of them that have no price. */
  readonly unpriced: number
  /** What the provider read for all of them, by where it had it from; null where it reported nothing. */
  readonly read: TimelineReads | null
  readonly edits: number
  readonly compactions: number
  readonly breaks: number
}

/** Tokens of prompts: from the cache, into the cache, and neither. */
export interface TimelineReads {
  readonly read: number
  readonly write: number
  readonly fresh: number
}

/** Narrower columns could not be told apart. */
const leastWidth = 3

/** Wider ones would make a few requests look like blocks. */
const mostWidth = 64

/** The columns of a range, evenly wide and side by side: one for each request while there is room, else each for several in a row. */
export function timelineColumns(
  requests: readonly InspectedRequest[],
  { from, to }: TimelineRange,
  width: number,
): readonly TimelineColumn[] {
  const count = Math.max(0, Math.min(to, requests.length) - from)
  const most = Math.max(1, Math.floor(width / leastWidth))
  const columns = Math.min(count, most)
  const each = columns === 0 ? 0 : Math.min(mostWidth, width / columns)
  return Array.from({ length: columns }, (_, index) => {
    const first = from + Math.floor((index * count) / columns)
    const end = from + Math.floor(((index + 1) * count) / columns)
    return columnOf(requests, first, end, index * each, each)
  })
}

/** The column that a request stands in; -1 where it stands in none. */
export function columnOfRequest(columns: readonly TimelineColumn[], request: number): number {
  const place = firstPlace(columns.length, (index) => (columns[index]?.to ?? 0) <= request)
  return (columns[place]?.from ?? request + 1) <= request ? place : -1
}

/** Dollars of the session after each request. */
export function spentAfter(requests: readonly InspectedRequest[]): readonly number[] {
  let sum = 0
  return requests.map(({ cost }) => (sum += cost?.dollars ?? 0))
}

function columnOf(requests: readonly InspectedRequest[], from: number, to: number, x: number, width: number): TimelineColumn {
  let shown = from
  let dollars: number | null = null
  let unpriced = 0
  let read: TimelineReads | null = null
  let edits = 0
  let compactions = 0
  let breaks = 0
  for (let index = from; index < to; index += 1) {
    const request = requests[index]
    if (request === undefined) continue
    if (request.fill.tokens > (requests[shown]?.fill.tokens ?? 0)) shown = index
    if (request.cost === null) unpriced += 1
    else dollars = (dollars ?? 0) + request.cost.dollars
    read = withUsage(read, request)
    edits += request.edits
    if (request.isCompacted) compactions += 1
    if (request.broken !== null) breaks += 1
  }
  return { from, to, shown, x, width, dollars, unpriced, read, edits, compactions, breaks }
}

function withUsage(read: TimelineReads | null, { usage }: InspectedRequest): TimelineReads | null {
  if (usage === null) return read
  const { cacheRead, cacheWrite, input } = usage
  if (read === null) return { read: cacheRead, write: cacheWrite, fresh: input }
  return { read: read.read + cacheRead, write: read.write + cacheWrite, fresh: read.fresh + input }
}

/** Requests from one up to and without another, by their place. */
export interface TimelineRange {
  readonly from: number
  readonly to: number
}

/** Fewer requests than this are not looked at closer. */
export const leastSpan = 8

/** The range that begins and ends where it was asked to, as far as there are requests and with room for the least span. */
export function rangeWithin(from: number, to: number, count: number): TimelineRange {
  const span = Math.min(count, Math.max(leastSpan, Math.round(to) - Math.round(from)))
  const begin = Math.max(0, Math.min(Math.round(from), count - span))
  return { from: begin, to: begin + span }
}

/** The range made so many times as wide, with one request staying where it is. */
export function zoomedRange(range: TimelineRange, factor: number, around: number, count: number): TimelineRange {
  const span = Math.min(count, Math.max(leastSpan, Math.round((range.to - range.from) * factor)))
  const width = Math.max(1, range.to - range.from)
  const place = Math.max(0, Math.min(1, (around - range.from) / width))
  const from = Math.round(around - place * span)
  return rangeWithin(from, from + span, count)
}

/** The range moved by so many requests, as far as there are any. */
export function movedRange({ from, to }: TimelineRange, by: number, count: number): TimelineRange {
  return rangeWithin(from + by, to + by, count)
}

/** The range moved just so far that a request stands in it. */
export function rangeAround(range: TimelineRange, request: number, count: number): TimelineRange {
  if (request < range.from) return movedRange(range, request - range.from, count)
  if (request >= range.to) return movedRange(range, request + 1 - range.to, count)
  return range
}
