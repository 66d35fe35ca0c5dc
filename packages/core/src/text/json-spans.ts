/** A walk over the members of one list or object of a JSON text, one call per step; what a member holds is the caller's to skip or read. */
export interface Container {
  readonly kind: 'list' | 'object'
  /** The position just after the opening bracket. */
  readonly inside: number
  /** Moves to the start of the next member; false when there is none. */
  readonly next: () => boolean
  readonly position: () => number
  /** Reads an object's field name and moves to its value. */
  readonly key: () => string
  /** Says where the member's value ended. */
  readonly leave: (end: number) => void
  /** The position just after the closing bracket. */
  readonly close: () => number
}

/** The container that starts at a position, or null when some other value does. */
export function openContainer(text: string, start: number): Container | null {
  const opening = text.charCodeAt(start)
  if (opening !== openBracket && opening !== openBrace) return null
  const closing = opening === openBracket ? closeBracket : closeBrace
  let position = start + 1
  let first = true
  return {
    kind: opening === openBracket ? 'list' : 'object',
    inside: start + 1,
    next() {
      position = skipSpace(text, position)
      const unit = text.charCodeAt(position)
      if (unit === closing) return false
      if (!first) {
        if (unit !== comma) throw notJson(position)
        position = skipSpace(text, position + 1)
      }
      first = false
      return true
    },
    position: () => position,
    key() {
      const end = skipString(text, position)
      const key = nameOf(text, position, end)
      position = skipSpace(text, end)
      if (text.charCodeAt(position) !== colon) throw notJson(position)
      position = skipSpace(text, position + 1)
      return key
    },
    leave(end) {
      position = end
    },
    close: () => position + 1,
  }
}

/** The position after white space. */
export function skipSpace(text: string, start: number): number {
  let position = start
  for (;;) {
    const unit = text.charCodeAt(position)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return position
    position += 1
  }
}

/** The position after the value that starts here, however deep it is nested. */
export function skipValue(text: string, start: number): number {
  const unit = text.charCodeAt(start)
  if (unit === quote) return skipString(text, start)
  if (unit === openBracket || unit === openBrace) return skipContainer(text, start)
  let position = start
  while (position < text.length && !endsScalar(text.charCodeAt(position))) position += 1
  if (position === start) throw notJson(start)
  return position
}

function skipContainer(text: string, start: number): number {
  // Counted, not recursed into: a value may be nested deeper than the stack is.
  let depth = 0
  for (let position = start; position < text.length; position += 1) {
    const unit = text.charCodeAt(position)
    if (unit === quote) position = skipString(text, position) - 1
    else if (unit === openBracket || unit === openBrace) depth += 1
    else if (unit === closeBracket || unit === closeBrace) {
      depth -= 1
      if (depth === 0) return position + 1
    }
  }
  throw notJson(text.length)
}

function skipString(text: string, start: number): number {
  if (text.charCodeAt(start) !== quote) throw notJson(start)
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1
    if (backslashes % 2 === 0) return end + 1
  }
  throw notJson(text.length)
}

function nameOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1)
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(text.slice(start, end)) as string
  } catch {
    throw notJson(start)
  }
}

function endsScalar(unit: number): boolean {
  return unit === comma || unit === closeBracket || unit === closeBrace || unit <= 0x20
}

function notJson(position: number): Error {
  return new Error(`not JSON: unexpected text or end at offset ${position}`)
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
