import { countCodePoints } from '../text/lines.ts'
import { type CutLimit, markerPattern, readHandleLine, withHandleLine } from './cut.ts'

export interface MatchLimit extends CutLimit {
  readonly maxLines: number
  readonly context?: number
}

/** Returns the text if it fits; null if only its characters exceed the limit, or if not even one match fits. */
export function firstMatches(text: string, limit: MatchLimit, handle: string): string | null {
  const below = readHandleLine(text)
  const marker = (below?.texts ?? [text]).map((one) => readMarker(one, limit)).find((found) => found !== null) ?? null
  const body = marker === null ? text : text.slice(0, marker.start)
  const list = readMatches(body, limit)
  if (list.total <= limit.maxLines && countCodePoints(text) <= limit.maxChars) return text
  // An earlier stage may have cut the matches already. Trust its count if it agrees with the text.
  const isEarlier = marker !== null && marker.shown === list.total && marker.total > list.total
  if (list.total <= limit.maxLines && !isEarlier) return null
  const total = isEarlier ? marker.total : list.total
  for (let shown = list.ends.length; shown > 0; shown -= 1) {
    const bare = body.slice(0, list.ends[shown - 1]) + limit.strings.matchesShown(shown, total)
    const original = isEarlier ? (below?.handle ?? handle) : handle
    const result = limit.names === 'always' ? withHandleLine(bare, original) : bare
    if (result.length > limit.maxChars * 2) continue
    if (countCodePoints(result) <= limit.maxChars) return result
  }
  return null
}

function readMatches(text: string, limit: MatchLimit) {
  const found = readLines(text, limit, (line) => (matchLine.test(line) ? 'match' : contextLine.test(line) ? 'context' : 'other'))
  return found.total > 0 ? found : readLines(text, limit, (line) => (line.trim() === '' ? 'other' : 'match'))
}

const matchLine = /^(?:[^\n]{1,400}?:)?\d{1,9}:/
const contextLine = /^(?:[^\n]{1,400}?-)?\d{1,9}-/
const maxPrefixLength = 420

function readLines(text: string, limit: MatchLimit, kindOf: (line: string) => 'match' | 'context' | 'other') {
  const ends: number[] = []
  let total = 0
  let context = 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const kind = kindOf(text.slice(start, Math.min(end, start + maxPrefixLength)))
    if (kind === 'match') {
      total += 1
      context = 0
      if (total <= limit.maxLines) ends.push(end)
    } else if (kind === 'context' && total > 0 && total <= limit.maxLines) {
      context += 1
      if (context <= (limit.context ?? Number.POSITIVE_INFINITY)) ends[total - 1] = end
    } else {
      context = Number.POSITIVE_INFINITY
    }
    start = end + 1
  }
  return { total, ends }
}

function readMarker(text: string, { strings }: MatchLimit) {
  const pattern = markerPattern((shown = 0, total = 0) => strings.matchesShown(shown, total), 2)
  if (pattern === null) return null
  const from = Math.max(0, text.length - 400)
  // Only at the very end: the text before it may be a marker too and share a line end with it.
  const found = new RegExp(`(?:${pattern.source})(?![\\s\\S])`).exec(text.slice(from))
  if (found === null) return null
  return { start: from + found.index, shown: Number(found[1]), total: Number(found[2]) }
}
