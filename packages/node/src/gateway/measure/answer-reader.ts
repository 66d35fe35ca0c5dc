import type { CostOptions } from '@plimsoll/core/bill'
import { isRecord, jsonText, parseJson } from '@plimsoll/core/text'

/** A JSON object of an answer. */
export type Fields = Readonly<Record<string, unknown>>

/** What is told after one more event of an answer, or after its only value. */
export type AnswerReader = (told: Told, event: Fields) => Told

/** What was told so far. */
export interface Told {
  /** As the provider wrote it. */
  readonly usage: Fields | null
  readonly model: string | null
  readonly stop: string | null
  readonly error: string | null
}

/** What is told before the first event. */
export const nothingTold: Told = { usage: null, model: null, stop: null, error: null }

/** A text that says something; null for anything else. */
export function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, mostWord) : null
}

/** An error as text, where a field holds one. */
export function errorOf(value: unknown): string | null {
  if (typeof value !== 'string' && !isRecord(value)) return null
  const text = jsonText({ error: value })
  return text === '' || value === '' ? null : text.slice(0, mostError)
}

/** For how long an answer says that its prompt was written to the cache: what most of it was written for counts. */
export function cacheLifetimeOf(usage: Fields | null): NonNullable<CostOptions['cacheLifetime']> {
  const written = usage?.['cache_creation']
  if (!isRecord(written)) return 'provider'
  return amount(written['ephemeral_1h_input_tokens']) > amount(written['ephemeral_5m_input_tokens']) ? 'hour' : 'provider'
}

const mostWord = 200
const mostError = 20_000

function amount(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

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
