import { countCodePoints, endOfFirst, startOfLast } from '../text/code-points.ts'
import { jsonText } from '../text/json-text.ts'
import { parseJsonData } from '../text/parse-json.ts'
import type { CutLimit } from './cut.ts'

/** Shorter and shorter versions of a JSON text, each still JSON; none when it is not JSON. */
export function* shortJson(text: string, limit: CutLimit): Generator<string> {
  // Numbers this long would not survive being read and written.
  const value = /\d[\d.]{15}/.test(text) ? undefined : parseJsonData(text)
  // What cannot be written as a whole cannot be measured in parts either.
  if (typeof value !== 'object' || value === null || jsonText(value) === '') return
  const most = Math.min(65_536, Math.max(1, limit.maxChars))
  for (let items = most; items >= 1; items = Math.floor(items / 2)) {
    const short = jsonText(shrink(value, { items, chars: items * 16, marker: limit.strings.cutByTool }, 0))
    if (short !== '') yield short
  }
}

interface Measure {
  /** Members kept of a list or an object. */
  readonly items: number
  /** Code points kept of a string. */
  readonly chars: number
  readonly marker: (characters: number) => string
}

const deepest = 40

/** A copy that lost the middle of what is long, with a marker in its place. Looks only at what it keeps. */
function shrink(value: unknown, measure: Measure, depth: number): unknown {
  if (typeof value === 'string') return shrinkString(value, measure)
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return marked(value, measure)
  const deeper = (child: unknown): unknown => shrink(child, measure, depth + 1)
  if (Array.isArray(value)) {
    const [head, tail] = split(value.length, measure.items)
    if (head + tail >= value.length) return value.map(deeper)
    return [
      ...value.slice(0, head).map(deeper),
      marked(value.slice(head, value.length - tail), measure),
      ...value.slice(value.length - tail).map(deeper),
    ]
  }
  const entries = Object.entries(value)
  const [head, tail] = split(entries.length, measure.items)
  const copy = (list: typeof entries) => list.map(([key, child]) => [key, deeper(child)] as const)
  if (head + tail >= entries.length) return Object.fromEntries(copy(entries))
  const removed = Object.fromEntries(entries.slice(head, entries.length - tail))
  return Object.fromEntries([
    ...copy(entries.slice(0, head)),
    ['...', marked(removed, measure)],
    ...copy(entries.slice(entries.length - tail)),
  ])
}

function split(length: number, items: number): readonly [head: number, tail: number] {
  const head = Math.ceil(items / 2)
  return [Math.min(length, head), items - head]
}

function shrinkString(text: string, { chars, marker }: Measure): string {
  if (text.length <= chars || countCodePoints(text) <= chars + marker(text.length).length) return text
  const head = text.slice(0, endOfFirst(text, chars >> 1))
  const tail = text.slice(startOfLast(text, chars >> 1))
  return head + marker(countCodePoints(text) - countCodePoints(head) - countCodePoints(tail)) + tail
}

/** How much is gone, measured as the JSON of it without the brackets. */
function marked(removed: object, { marker }: Measure): string {
  return marker(countCodePoints(jsonText(removed)) - 2).trim()
}
