import { hitWeight, type Term } from './search-terms.ts'

/** A few lines of a text around places that match. */
export interface Window {
  readonly start: number
  readonly end: number
  readonly lines: readonly [first: number, last: number]
  /** Which characters of its one line it is, where that line is too long to be shown. */
  readonly characters?: readonly [first: number, last: number]
  /** How often each term occurs, weighted, in the order of the terms. */
  readonly counts: Float64Array
}

/** The windows of a text that hold a term, in order, none of them overlapping. One pass, whatever the text. */
export function* windowsOf(text: string, terms: readonly Term[], pattern: RegExp): Generator<Window> {
  const places = new Map(terms.map(({ text: term }, index) => [term, index]))
  const lines = createWalk(text)
  let open: Window | null = null
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const index = places.get(found[0].toLowerCase())
    const term = index === undefined ? undefined : terms[index]
    if (index === undefined || term === undefined) continue
    const weight = hitWeight(text, found.index, pattern.lastIndex, term)
    if (weight === 0) continue
    if (open === null || found.index >= open.end) {
      if (open !== null) yield open
      const next = lines.windowAt(found.index, open?.end ?? 0)
      open = { ...next, counts: new Float64Array(terms.length) }
    }
    open.counts[index] = (open.counts[index] ?? 0) + weight
  }
  if (open !== null) yield open
}

type Place = Omit<Window, 'counts'>

const linesBefore = 2
const linesAfter = 9
/** A window, and so a line that is shown whole, is no longer. */
const longestWindow = 1200
const charactersBefore = 200
const charactersAfter = 600

/** Goes through the lines of a text along with a search that never goes back. */
function createWalk(text: string): { readonly windowAt: (index: number, from: number) => Place } {
  const endFrom = (at: number) => {
    const found = text.indexOf('\n', at)
    return found === -1 ? text.length : found
  }
  let line = { number: 1, start: 0, end: endFrom(0) }
  let earlier: (typeof line)[] = []
  return {
    windowAt(index, from) {
      while (index > line.end) {
        earlier = [...earlier.slice(1 - linesBefore), line]
        line = { number: line.number + 1, start: line.end + 1, end: endFrom(line.end + 1) }
      }
      if (line.end - line.start > longestWindow) return insideLine(index, from)
      // What an earlier window shows, or a long line, is not shown again.
      const before = earlier.filter(({ start, end }) => start >= from && end - start <= longestWindow / 4)
      const first = before[0]?.number === line.number - before.length ? (before[0] ?? line) : line
      const { end, count } = linesFrom(index)
      return { start: first.start, end, lines: [first.number, line.number + count] }
    },
  }

  function insideLine(index: number, from: number): Place {
    const start = Math.max(line.start, from, index - charactersBefore)
    const end = Math.min(line.end, index + charactersAfter)
    return { start, end, lines: [line.number, line.number], characters: [start - line.start + 1, end - line.start] }
  }

  /** Where the window ends: behind this line and as many whole lines as it has room for. */
  function linesFrom(index: number): { readonly end: number; readonly count: number } {
    const near = text.slice(line.start, line.start + longestWindow)
    let end = line.end
    let count = 0
    while (count < linesAfter && end < text.length) {
      const next = near.indexOf('\n', end + 1 - line.start)
      if (next === -1) {
        const isLast = near.length < longestWindow && end + 1 < text.length
        return isLast ? { end: text.length, count: count + 1 } : { end, count }
      }
      end = line.start + next
      count += 1
    }
    return { end: Math.max(end, index + 1), count }
  }
}
