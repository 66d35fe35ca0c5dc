import { parseJson } from '../text/json.ts'

export type EmbeddedJson = { readonly values: readonly unknown[]; readonly around: string }

/** Finds the JSON in a text: a body, events of a stream, or what a relay appended to its own message. */
export function embeddedJson(text: string): EmbeddedJson {
  if (text.length > maxJsonLength) return nothing
  const whole = startsLikeJson(text) ? parseJson(text) : undefined
  if (isData(whole) || typeof whole === 'string') return { values: [whole], around: '' }
  return eventData(text) ?? stringBehindWords(text) ?? jsonBehindWords(text) ?? nothing
}

/** Finds messages and codes in truncated JSON or another language's printed objects. A truncated message runs to the end. */
export function looseFields(text: string): { readonly messages: readonly string[]; readonly codes: readonly string[] } {
  const messages: string[] = []
  const codes: string[] = []
  const part = text.slice(0, maxLooseLength)
  const start = part.indexOf('{')
  if (start === -1 || isQuotedAt(part, start)) return { messages, codes }
  looseField.lastIndex = 0
  for (let match = looseField.exec(part); match !== null; match = looseField.exec(part)) {
    const [, name = '', quote = ''] = match
    const from = looseField.lastIndex
    const end = closingQuote(part, quote, from)
    if (messages.length + codes.length >= maxLoose) break
    const list = /^(?:code|type|status|reason)$/.test(name) ? codes : messages
    list.push(part.slice(from, end))
    looseField.lastIndex = Math.min(end + quote.length, part.length)
  }
  return { messages, codes }
}

const nothing: EmbeddedJson = { values: [], around: '' }
const maxJsonLength = 32_000_000
const maxLooseLength = 20_000
const maxLoose = 20
const maxEvents = 40
const looseField =
  /["'](message|msg|detail|error|raw|error_msg|status_msg|code|type|status|reason)\\{0,8}["']\s{0,4}:\s{0,4}(\\{0,8}["'])/g

/** A list in a sentence, such as `[1, 6000]`, is part of the sentence. */
const dataStart = /\{|\[\s{0,20}[[{]/

function startsLikeJson(text: string): boolean {
  // Truncated JSON does not parse, so do not try.
  return /^[\s\uFEFF]{0,100}[[{"]/.test(text.slice(0, 101)) && !isTooDeep(text) && /[\]}"]\s{0,100}$/.test(text.slice(-101))
}

function isTooDeep(text: string): boolean {
  return /^[\s[{]{200}/.test(text)
}

function isData(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

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
  return values.length === 0 ? null : { values: values.slice(-maxEvents), around: '' }
}

/** `Error from provider: "…"`, where the quoted text is JSON-escaped and runs to the end. */
function stringBehindWords(text: string): EmbeddedJson | null {
  const start = text.slice(0, 300).indexOf('"')
  if (start === -1 || !introducesError(text.slice(0, start)) || !text.trimEnd().endsWith('"')) return null
  const value = parseJson(text.slice(start))
  return typeof value === 'string' ? { values: [value], around: text.slice(0, start) } : null
}

/** `Error from provider: {"error":…}`, also if the quotes are still escaped. */
function jsonBehindWords(text: string): EmbeddedJson | null {
  let start = text.search(dataStart)
  for (let tries = 0; tries < 4 && start !== -1; tries += 1) {
    const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
    if (end <= start) return null
    const part = text.slice(start, end)
    if (isTooDeep(part) || isQuotedAt(text, start)) return null
    const value = parseEscaped(part)
    if (value !== undefined) return { values: [value], around: `${text.slice(0, start)} ${text.slice(end)}` }
    const next = text.slice(start + 1, start + 2_000).search(dataStart)
    start = next === -1 ? -1 : start + 1 + next
  }
  return null
}

/** Each relay that quotes another adds escapes. */
function parseEscaped(text: string, tries = 4): unknown {
  const value = parseJson(text)
  if (isData(value)) return value
  const next = unescaped(text)
  return tries === 1 || next === text ? undefined : parseEscaped(next, tries - 1)
}

/** Quoted JSON is user input, unless the text before says that it is an error. */
function isQuotedAt(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 60), start)
  const quote = /(?:\\{0,16}["'`]){1,6}$/.exec(before)
  return quote !== null && !introducesError(before.slice(0, quote.index))
}

export function unescaped(text: string): string {
  const value = parseJson(`"${text}"`)
  return typeof value === 'string' ? value : text.replaceAll('\\"', '"').replaceAll('\\n', '\n')
}

function closingQuote(text: string, quote: string, start: number): number {
  // A text in escaped quotes ends at the same escaped quote.
  const end = quote.length > 1 ? text.indexOf(quote, start) : -1
  if (quote.length > 1) return end === -1 ? text.length : end
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === quote) return index
  }
  return text.length
}

/** The server's own message, without markup, URLs and quotes, which may be a user's. Both ends of a long text. */
export function errorText(text: string): string {
  const ends = text.length > 10_000 ? `${text.slice(0, 7000)}\n\n${text.slice(-3000)}` : text
  return withoutQuotes(withoutMarkup(ends).replace(/https?:\/\/[^\s"'<>)\]]{1,500}/gi, ' '))
    .replace(/[^\S\n]+/g, ' ')
    .trim()
}

function introducesError(words: string): boolean {
  return /(?:errors?|exception|reason|said|returned|responded|response|failed|upstream|provider|\b[45]\d\d)(?: with| was| body| from \w{1,20})?\s{0,3}[:=-]?\s{0,3}b?$/i.test(
    words.slice(-80),
  )
}

function withoutMarkup(text: string): string {
  if (!/^\s*<[!?a-z]/i.test(text.slice(0, 200))) return text
  return text
    .replace(/<(script|style)\b[^<>]{0,500}>[^<]{0,9000}/gi, ' ')
    .replace(/<[^<>]{0,500}>/g, '\n')
    .replace(/&(gt|lt|amp|quot|#39);/g, (entity) => entities[entity] ?? entity)
}

const entities: Readonly<Record<string, string>> = { '&gt;': '>', '&lt;': '<', '&amp;': '&', '&quot;': '"', '&#39;': "'" }
const closing: Readonly<Record<string, string>> = { '“': '”', '‘': '’', '«': '»', '「': '」', '『': '』' }

function withoutQuotes(text: string): string {
  let result = ''
  let from = 0
  let isOpen = false
  opening.lastIndex = 0
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index + match[0].length
    const quote = match[0].at(-1) ?? ''
    // If one apostrophe is not closed, no later one is.
    const end = quote === "'" && isOpen ? -1 : closingAt(text, closing[quote] ?? quote, start)
    if (end === -1 && quote === "'") {
      isOpen = true
      continue
    }
    const inside = text.slice(start, end === -1 ? text.length : end)
    const before = text.slice(Math.max(0, start - 40), start - 1)
    result += `${text.slice(from, start - 1)}${isOwn(inside, before) ? inside : '…'}`
    from = end === -1 ? text.length : end + 1
    opening.lastIndex = from
  }
  return result + text.slice(from)
}

/** An apostrophe after a letter opens no quote. */
const opening = /(?:(?<![\p{L}\p{N}])['"`]|[“‘«「『])(?=\S)/gu

function closingAt(text: string, quote: string, start: number): number {
  for (let end = text.indexOf(quote, start); end !== -1; end = text.indexOf(quote, end + 1)) {
    const escaped = text[end - 1] === '\\'
    if (!escaped && !/[\p{L}\p{N}]/u.test(text[end + 1] ?? '')) return end
  }
  return -1
}

/** Names of fields and models are the server's own, and so is an error it passes on. */
function isOwn(inside: string, before: string): boolean {
  if (/^[\w.[\]:/-]{0,80}$/.test(inside)) return !overflowCode.test(inside)
  return introducesError(before)
}

/** Codes and types that mean overflow. Many servers send none. */
export const overflowCode = new RegExp(
  [
    'context_?length_?exceeded', // OpenAI, Azure, Groq, Cerebras
    'context_?window_?exceeded', // LiteLLM, Anthropic and z.ai as a reason to stop
    'exceed_context_size', // llama.cpp
    'model_max_prompt_tokens_exceeded', // Copilot
    'tokens_limit_reached', // GitHub Models
    'max_context_length_exceeded',
    'context_?too_?(?:large|long)',
    '(?:prompt|input)_?too_?long',
    'contextoverflow',
    'context_overflow',
  ].join('|'),
  'i',
)
