import { parseJson } from '@plimsoll/core/text'
import type { Fields } from './answer-reader.ts'

/**
 * The own fields of a JSON object whose text begins somewhere in it, or of the last object of such a list: those that are whole. It is
 * read from its end, where nothing is inside a string; text that does not end so has none. Never throws.
 */
export function fieldsBehindCut(text: string, kind: 'object' | 'list'): Fields {
  const fields: [string, unknown][] = []
  const brace = lastBrace(text, kind)
  let at = brace
  let depth = brace < 0 ? 0 : 1
  let valueEnd = brace
  for (at -= 1; at >= 0 && depth > 0 && fields.length < mostFields; at -= 1) {
    const unit = text.charCodeAt(at)
    if (unit === quote) {
      const end = at
      at = stringStart(text, end)
      if (depth !== 1 || at < 0) continue
      const colon = skipSpaces(text, end + 1)
      if (text.charCodeAt(colon) !== 0x3a) continue
      const name = parseJson(text.slice(at, end + 1))
      if (typeof name === 'string') fields.push([name, parseJson(text.slice(colon + 1, valueEnd))])
      valueEnd = at
    } else if (unit === 0x7d || unit === 0x5d) depth += 1
    else if (unit === 0x7b || unit === 0x5b) depth -= 1
    else if (unit === 0x2c && depth === 1) valueEnd = at
  }
  // An object that begins here stands inside another one that was cut off behind it.
  if (depth === 0 && kind === 'object' && text.slice(0, at + 1).trim() !== '') return {}
  // Of two fields of one name the last one counts, and that was read first.
  return Object.fromEntries(fields.reverse())
}

const quote = 0x22
const backslash = 0x5c

/** The place of the brace that closes the object; -1 where there is none. */
function lastBrace(text: string, kind: 'object' | 'list'): number {
  const found = (kind === 'list' ? /\}\s*\]\s*$/ : /\}\s*$/).exec(text.slice(-mostBehind))
  return found === null ? -1 : Math.max(text.length - mostBehind, 0) + found.index
}

const mostBehind = 200
/** No answer has more; what is no JSON may seem to. */
const mostFields = 200

/** The place of the quote that opens the string which ends here; -1 where it was cut. */
function stringStart(text: string, end: number): number {
  for (let at = text.lastIndexOf('"', end - 1); at >= 0; at = text.lastIndexOf('"', at - 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
    // Nobody knows how many more stood before the cut.
    if (at === backslashes) return -1
    if (backslashes % 2 === 0) return at
  }
  return -1
}

function skipSpaces(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1
  return at
}
