import { endOfString, isPlainObject, parseJson } from '../../text/json.ts'

/** Items of a JSON list, or entries of a JSON object, with the place of each; of an entry from its key on. */
export interface JsonList {
  readonly isMap: boolean
  readonly start: number
  readonly end: number
  readonly items: readonly (readonly [start: number, end: number])[]
}

/** The JSON that starts at a line, with little around it: headers, an exit code. Null if it does not end, or is nested too deep. */
export function jsonIn(text: string): readonly [number, number] | null {
  const start = /^[[{]/m.exec(text.slice(0, maxAround))?.index
  if (start === undefined) return null
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) depth -= 1
    if (depth > maxDepth) return null
    if (depth === 0) return text.length - at > maxAround ? null : [start, at + 1]
  }
  return null
}

export const maxAround = 2000
export const maxDepth = 100

interface OpenList {
  readonly isMap: boolean
  readonly start: number
  itemStart: number
  readonly items: (readonly [start: number, end: number])[]
}

/** The lists and objects of a valid JSON text that have at least `min` parts and take more than one part of it in `of`, the largest first. */
export function largeLists(text: string, [from, to]: readonly [number, number], min: number, of = 2): readonly JsonList[] {
  const found: JsonList[] = []
  const open: OpenList[] = []
  const finishItem = (list: OpenList, end: number) => {
    const [start, last] = trimmed(text, list.itemStart, end)
    if (last > start) list.items.push([start, last])
  }
  for (let index = from; index < to; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = endOfString(text, index)
    else if (code === 0x5b || code === 0x7b) open.push({ isMap: code === 0x7b, start: index, itemStart: index + 1, items: [] })
    else if (code === 0x2c) {
      const list = open.at(-1)
      if (list === undefined) continue
      finishItem(list, index)
      list.itemStart = index + 1
    } else if (code === 0x5d || code === 0x7d) {
      const list = open.pop()
      if (list === undefined || (index - list.start) * of < text.length) continue
      finishItem(list, index)
      if (list.items.length >= min) found.push({ ...list, end: index + 1 })
    }
  }
  return found.toSorted((one, other) => other.end - other.start - (one.end - one.start))
}

/** The items of a list, or the entries of an object, that is all of a JSON text. */
export function partsOf(json: string): JsonList['items'] {
  return largeLists(json, [0, json.length], 0)[0]?.items ?? []
}

function trimmed(text: string, from: number, to: number): readonly [number, number] {
  let [start, end] = [from, to]
  while (start < end && text.charCodeAt(start) <= 0x20) start += 1
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1
  return [start, end]
}

/** Where the value of an entry starts, given where its key does. */
export function valueStart(text: string, keyStart: number): number {
  let at = endOfString(text, keyStart) + 1
  while (at < text.length && (text.charCodeAt(at) <= 0x20 || text.charCodeAt(at) === 0x3a)) at += 1
  return at
}

export interface BrokenPart {
  readonly start: number
  readonly end: number
  /** Null for text between records that is no comma: where something was cut out. */
  readonly value: Readonly<Record<string, unknown>> | null
}

/**
 * The objects of a list in JSON that is cut off or has a gap. Each starts as the first one does, with the same key, and ends where its braces do. What is between two
 * of them is a part as well, unless it is only a comma. Null if most do not parse. Linear in the text.
 */
export function brokenList(text: string): readonly BrokenPart[] | null {
  const first = /[[:,]\s{0,100}(\{\s{0,100}"(?:[^"\\\n]|\\.){1,60}"\s{0,9}:)/.exec(text.slice(0, maxAround))?.[1]
  if (first === undefined) return null
  const parts: BrokenPart[] = []
  let failures = 0
  let shownTo = -1
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, shownTo === -1 ? at + 1 : Math.max(shownTo, at + 1))) {
    const end = endOfObject(text, at)
    const value = end === null ? undefined : parseJson(text.slice(at, end))
    if (end === null || !isPlainObject(value)) {
      failures += 1
      if (failures > maxFailures) return null
      continue
    }
    const start = keyBefore(text, Math.max(0, shownTo), at)
    const [from, to] = trimmed(text, shownTo === -1 ? start : shownTo, start)
    if (to > from && text.slice(from, to) !== ',') parts.push({ start: from, end: to, value: null })
    parts.push({ start, end, value })
    shownTo = end
  }
  return parts
}

/** Where the key of a value starts, or the value itself if it has none. */
function keyBefore(text: string, from: number, at: number): number {
  const near = text.slice(Math.max(from, at - maxKey), at)
  const key = /"(?:[^"\\\n]|\\.){0,150}"\s{0,9}:\s{0,100}$/.exec(near)
  return key === null ? at : at - near.length + key.index
}

const maxKey = 300
const maxFailures = 8
const maxObject = 50_000

function endOfObject(text: string, start: number): number | null {
  let depth = 0
  const to = Math.min(text.length, start + maxObject)
  for (let at = start; at < to; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1
      if (depth === 0) return at + 1
    }
    if (depth > maxDepth) return null
  }
  return null
}
