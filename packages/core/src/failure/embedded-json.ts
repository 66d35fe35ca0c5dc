import { parseJson } from '../parse-json.ts'

/** JSON found in a text: the values, and the words that stand around them. */
export interface EmbeddedJson {
  readonly values: readonly unknown[]
  readonly around: string
}

/** The JSON a text is or holds: a body, the events of a stream, or what a relay put behind words of its own. */
export function embeddedJson(text: string): EmbeddedJson {
  if (text.length > longestJson) return nothing
  const whole = startsLikeJson(text) ? parseJson(text) : undefined
  if (isData(whole) || typeof whole === 'string') return { values: [whole], around: '' }
  return eventData(text) ?? jsonBehindWords(text) ?? nothing
}

/**
 * Messages and codes of JSON that cannot be parsed: cut off, or printed by another language (`{'message': "…"}`). A message that is
 * cut runs to the end of the text.
 */
export function looseFields(text: string): { readonly messages: readonly string[]; readonly codes: readonly string[] } {
  const messages: string[] = []
  const codes: string[] = []
  const part = text.slice(0, longestLoose)
  if (!part.includes('{')) return { messages, codes }
  looseField.lastIndex = 0
  for (let match = looseField.exec(part); match !== null; match = looseField.exec(part)) {
    const [, name = '', quote = ''] = match
    const start = looseField.lastIndex
    const end = closingQuote(part, quote, start)
    // A list is made of the first few: an error has no more to say.
    if (messages.length + codes.length >= mostLoose) break
    ;(codeNames.has(name) ? codes : messages).push(part.slice(start, end))
    looseField.lastIndex = Math.min(end + quote.length, part.length)
  }
  return { messages, codes }
}

const nothing: EmbeddedJson = { values: [], around: '' }
const longestJson = 32_000_000
const longestLoose = 20_000
const mostLoose = 20
const mostEvents = 40
const codeNames = new Set(['code', 'type', 'status', 'reason'])
const looseField =
  /["'](message|msg|detail|error|raw|error_msg|status_msg|code|type|status|reason)\\{0,8}["']\s{0,4}:\s{0,4}(\\{0,8}["'])/g

/** A list in a sentence, such as `[1, 6000]`, is a part of it. */
const dataStart = /\{|\[\s{0,20}[[{]/

function startsLikeJson(text: string): boolean {
  // Nobody's error begins hundreds of levels deep, and what was cut is no JSON: neither is worth the parsing.
  return (
    /^[\s\uFEFF]{0,100}[[{"]/.test(text.slice(0, 101)) && !/^[\s[{]{200}/.test(text) && /[\]}"]\s{0,100}$/.test(text.slice(-101))
  )
}

function isData(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Server-sent events. An error ends a stream, so of many the last are read. */
function eventData(text: string): EmbeddedJson | null {
  if (!/^[\s\uFEFF]{0,100}(?:event|data|id|retry|:)/.test(text.slice(0, 110))) return null
  const tail = text.slice(-1_000_000)
  const values: unknown[] = []
  let isError = false
  for (const line of tail.split(/\r\n|\n|\r/)) {
    if (line.startsWith('event:')) isError = /error|failed/i.test(line)
    if (!line.startsWith('data:')) continue
    const data = line.slice(5).trim()
    const value = startsLikeJson(data) ? parseJson(data) : undefined
    if (isData(value)) values.push(value)
    else if (isError) values.push(data)
  }
  return values.length === 0 ? null : { values: values.slice(-mostEvents), around: '' }
}

/** `Error from provider: {"error":…}`, also where the quotes are still escaped. */
function jsonBehindWords(text: string): EmbeddedJson | null {
  let start = text.search(dataStart)
  for (let tries = 0; tries < 4 && start !== -1; tries += 1) {
    const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
    if (end <= start) return null
    const part = text.slice(start, end)
    const value = [part, part.replaceAll('\\"', '"')].map(parseJson).find(isData)
    if (value !== undefined) return { values: [value], around: `${text.slice(0, start)} ${text.slice(end)}` }
    const next = text.slice(start + 1, start + 2_000).search(dataStart)
    start = next === -1 ? -1 : start + 1 + next
  }
  return null
}

function closingQuote(text: string, quote: string, start: number): number {
  // With escaped quotes around it, a text ends at the same escaped quote.
  if (quote.length > 1) {
    const end = text.indexOf(quote, start)
    return end === -1 ? text.length : end
  }
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === quote) return index
  }
  return text.length
}
