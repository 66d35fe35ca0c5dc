export interface JsonLimits {
  readonly depth: number
  readonly values: number
}

export type JsonExcess = { readonly kind: 'depth'; readonly place: string } | { readonly kind: 'values' }

const namedLevels = 4

/** Finds what makes a JSON text too large, in one pass without parsing; null if it is within the limits. */
export function findJsonExcess(text: string, limits: JsonLimits): JsonExcess | null {
  const levels = Array.from({ length: namedLevels + 1 }, (): Level => ({ isList: true, items: 0, keyStart: 0, keyEnd: 0 }))
  let depth = 0
  let values = 1
  let stringStart = 0
  let stringEnd = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      stringStart = at
      at = endOfString(text, at)
      stringEnd = at + 1
    } else if (code === openList || code === openObject) {
      depth += 1
      // An opening counts for the first value inside, each comma for the next.
      const next = text.charCodeAt(at + 1)
      if (next !== closeList && next !== closeObject) values += 1
      const level = levels[depth]
      if (level !== undefined) {
        level.isList = code === openList
        level.items = 0
        level.keyEnd = 0
      }
      if (depth > limits.depth) return { kind: 'depth', place: placeOf(text, levels.slice(1, depth)) }
    } else if (code === closeList || code === closeObject) {
      if (depth > 0) depth -= 1
    } else if (code === newline) {
      // In JSON lines each line is a value.
      if (depth === 0) values += 1
    } else if (code === comma) {
      values += 1
      const level = levels[depth]
      if (level !== undefined) level.items += 1
    } else if (code === colon) {
      const level = levels[depth]
      if (level !== undefined) {
        level.keyStart = stringStart
        level.keyEnd = stringEnd
      }
    }
    if (values > limits.values) return { kind: 'values' }
  }
  return null
}

const newline = 0x0a
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

interface Level {
  isList: boolean
  items: number
  keyStart: number
  keyEnd: number
}

/** The next quote after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

function placeOf(text: string, levels: readonly Level[]): string {
  const steps = levels.map(({ isList, items, keyStart, keyEnd }) =>
    isList ? `[${items}]` : `.${text.slice(keyStart + 1, Math.min(keyEnd - 1, keyStart + 41))}`,
  )
  return `${steps.join('')}…`
}

const maxDepth = 1000

/** Closes a JSON text that was cut off after the last complete item of its outermost list; null without such an item. */
export function closeJson(text: string): string | null {
  const open: { readonly isList: boolean; end: number }[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
    } else if (character === '[' || character === '{') {
      if (open.length === maxDepth) return null
      open.push({ isList: character === '[', end: -1 })
    } else if (character === ']' || character === '}') {
      open.pop()
      const outer = open.at(-1)
      if (outer?.isList === true) outer.end = at + 1
    } else if (character === ',') {
      const inner = open.at(-1)
      if (inner?.isList === true) inner.end = at
    }
  }
  const list = open.findIndex(({ isList, end }) => isList && end > 0)
  if (list < 0) return null
  const closers = open.slice(0, list + 1).map(({ isList }) => (isList ? ']' : '}'))
  return `${text.slice(0, open[list]?.end)}${closers.reverse().join('')}`
}
