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
