import { type CostOptions, normaliseUsage, type Usage } from '@plimsoll/core/bill'
import { isRecord, jsonText, parseJson } from '@plimsoll/core/text'
import { skipSpace, skipValue, walkMembers } from '@plimsoll/core/wire'
import type { WireDialect } from '../../store/gateway-record.ts'

/** Reads OpenAI's responses: events carry the response as it is then, and the last one all of it. */
const readOpenAiResponsesAnswer: AnswerReader = ({ usage, model, stop, error }, event) => {
  const response = isRecord(event['response']) ? event['response'] : event
  return {
    usage: isRecord(response['usage']) ? response['usage'] : usage,
    model: word(response['model']) ?? model,
    stop: responsesStopOf(response) ?? stop,
    // An event that is an error has no field for it.
    error: error ?? errorOf(response['error'] ?? (event['type'] === 'error' ? event : null)),
  }
}

/** A response that is not over says so as well, which is no reason to stop. */
function responsesStopOf({ status, incomplete_details: details }: Fields): string | null {
  if (status === 'incomplete' && isRecord(details)) return word(details['reason']) ?? status
  return status === 'completed' || status === 'incomplete' || status === 'failed' || status === 'cancelled' ? status : null
}

/** Reads OpenAI's chat completions and those of who speaks as it does: a stream tells its usage last, where it was asked to. */
const readOpenAiChatAnswer: AnswerReader = ({ usage, model, stop, error }, event) => {
  const [choice] = Array.isArray(event['choices']) ? (event['choices'] as readonly unknown[]) : []
  return {
    usage: isRecord(event['usage']) ? event['usage'] : usage,
    model: model ?? word(event['model']),
    stop: (isRecord(choice) ? word(choice['finish_reason']) : null) ?? stop,
    error: error ?? errorOf(event['error']),
  }
}

/** Reads Gemini's answers: every piece of a stream tells the usage up to there. */
const readGeminiAnswer: AnswerReader = ({ usage, model, stop, error }, event) => {
  // Who serves it to signed-in users puts each piece into an envelope.
  const piece = isRecord(event['response']) ? event['response'] : event
  return {
    usage: isRecord(piece['usageMetadata']) ? piece['usageMetadata'] : usage,
    model: word(piece['modelVersion']) ?? model,
    stop: stopOf(piece) ?? stop,
    error: error ?? errorOf(event['error']),
  }
}

function stopOf({ candidates, promptFeedback }: Fields): string | null {
  const [candidate] = Array.isArray(candidates) ? (candidates as readonly unknown[]) : []
  if (isRecord(candidate)) return word(candidate['finishReason'])
  return isRecord(promptFeedback) ? word(promptFeedback['blockReason']) : null
}

/** Reads Anthropic's answers: a stream tells of the prompt when it starts, and of everything when it ends. */
const readAnthropicAnswer: AnswerReader = ({ usage, model, stop, error }, event) => {
  const { type, message, delta } = event
  const said = type === 'message_start' && isRecord(message) ? message : event
  return {
    usage: isRecord(said['usage']) ? updated(usage, said['usage']) : usage,
    model: model ?? word(said['model']),
    stop: word(isRecord(delta) ? delta['stop_reason'] : said['stop_reason']) ?? stop,
    error: error ?? errorOf(event['error']),
  }
}

/**
 * Later numbers are sums and take the place of earlier ones; but relays write a nought, or nothing, where they have lost what the
 * stream began with.
 */
function updated(usage: Fields | null, later: Fields): Fields {
  if (usage === null) return later
  const kept = Object.entries(later).filter(([name, value]) => isTold(value) || !Object.hasOwn(usage, name))
  return { ...usage, ...Object.fromEntries(kept) }
}

function isTold(value: unknown): boolean {
  return value !== null && value !== undefined && value !== 0
}

/** An answer, as far as its text was kept. */
export interface AnswerText {
  readonly head: string
  /** The end of it; null where `head` is all. What stood between the two is not known. */
  readonly tail: string | null
}

/** What an answer tells about itself. */
export interface AnswerUsage {
  /** Null where it tells none. */
  readonly usage: Usage | null
  readonly model: string | null
  /** Why it ended, in the provider's word; null where it does not say, as an answer that broke off. */
  readonly stop: string | null
  /** An error it tells of, for `classifyFailure`, whatever the status; null where there is none. */
  readonly error: string | null
  /** For how long the provider was asked to keep what it wrote to its cache. */
  readonly cacheLifetime: NonNullable<CostOptions['cacheLifetime']>
}

/**
 * Reads usage, model, reason to stop and errors out of an answer, whether it is one JSON value, a list of them or a stream of events,
 * and whether all of it is there or only its two ends. Never throws; takes time in proportion to the text.
 */
export function answerUsage(dialect: WireDialect, answer: AnswerText): AnswerUsage {
  const read = readers[dialect]
  let told = nothingTold
  for (const event of answerEvents(answer)) told = read(told, event)
  const { usage, model, stop, error } = told
  return { usage: normaliseUsage(usage), model, stop, error, cacheLifetime: cacheLifetimeOf(usage) }
}

const readers: Readonly<Record<WireDialect, AnswerReader>> = {
  anthropic: readAnthropicAnswer,
  'openai-chat': readOpenAiChatAnswer,
  'openai-responses': readOpenAiResponsesAnswer,
  gemini: readGeminiAnswer,
}

/**
 * The JSON objects of an answer that can be read, in order: its only one, the items of a list, or the data of events. Of an object
 * that was cut, those of its own fields that are whole. What is no JSON is left out.
 */
function* answerEvents({ head, tail }: AnswerText): Generator<Fields> {
  const first = firstUnit(head)
  if (first !== openBrace && first !== openBracket) {
    yield* streamed(head)
    if (tail !== null) yield* streamed(tail)
    return
  }
  const value = tail === null ? parseJson(head) : undefined
  if (isRecord(value)) yield value
  else if (Array.isArray(value)) yield* (value as readonly unknown[]).filter(isRecord)
  else {
    yield fieldsBeforeCut(head)
    if (tail !== null) yield fieldsBehindCut(tail, first === openBracket ? 'list' : 'object')
  }
}

const openBrace = 0x7b
const openBracket = 0x5b

function firstUnit(text: string): number {
  return text.charCodeAt(text.search(/[^\s\ufeff]/))
}

/** The data of a stream's events. An event whose beginning or end is missing is no JSON. */
function* streamed(text: string): Generator<Fields> {
  let data: string | null = null
  let unreadable = 0
  let naming = 0
  let start = 0
  while (start <= text.length && unreadable <= mostUnreadable) {
    const end = lineEnd(text, start)
    const isEmpty = end === start
    if (text.startsWith('data:', start)) {
      const line = text.slice(start + 5, end)
      data = data === null ? line : `${data}\n${line}`
    }
    start = end + (text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === newLine ? 2 : 1)
    // Whoever ends a stream right behind its last line means that event too.
    if (data === null || (!isEmpty && start <= text.length)) continue
    const json = data
    data = null
    if (!telling.test(json)) {
      if (naming >= mostNaming || !json.includes('model')) continue
      naming += 1
    }
    const value = parseJson(json)
    if (isRecord(value)) yield value
    else unreadable += 1
  }
}

const newLine = 0x0a
const carriageReturn = 0x0d

/** Where a line ends that begins here: at either sign for it, or at the end of the text. */
function lineEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === newLine || unit === carriageReturn) return at
  }
  return text.length
}

/**
 * Most events carry a few words of the answer; reading them all takes longer than looking for those that tell something. Many say of
 * usage and of reasons to stop that there are none yet.
 */
const telling = /usage(?:metadata)?"\s*:\s*[^\sn]|reason"\s*:\s*[^\sn]|error|status/i
/** The model is named by the first events or by all of them. */
const mostNaming = 3
/** What has so many events that are no JSON is none of the answers that are read here. */
const mostUnreadable = 1000

/** The own fields of a JSON object, or of the first one of a list, whose text breaks off: those that are whole. Never throws. */
export function fieldsBeforeCut(text: string): Fields {
  const fields: [string, unknown][] = []
  try {
    const start = skipSpace(text, 0)
    const first = text[start] === '[' ? skipSpace(text, start + 1) : start
    if (text[first] !== '{') return {}
    walkMembers(text, first, (name, begin) => {
      const end = fields.length < mostFields ? skipValue(text, begin) : text.length
      // A number at the very end may have lost some of its digits.
      if (end === text.length) return null
      fields.push([String(name), parseJson(text.slice(begin, end))])
      return end
    })
  } catch {
    // The text ends here; what came before it counts.
  }
  return Object.fromEntries(fields)
}

/** No answer has more before what it is about. */
const mostFields = 200

/** A JSON object of an answer. */
type Fields = Readonly<Record<string, unknown>>

/** What is told after one more event of an answer, or after its only value. */
type AnswerReader = (told: Told, event: Fields) => Told

/** What was told so far. */
interface Told {
  /** As the provider wrote it. */
  readonly usage: Fields | null
  readonly model: string | null
  readonly stop: string | null
  readonly error: string | null
}

/** What is told before the first event. */
const nothingTold: Told = { usage: null, model: null, stop: null, error: null }

/** A text that says something; null for anything else. */
function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, mostWord) : null
}

/** An error as text, where a field holds one. */
function errorOf(value: unknown): string | null {
  if (typeof value !== 'string' && !isRecord(value)) return null
  const text = jsonText({ error: value })
  return text === '' || value === '' ? null : text.slice(0, mostError)
}

/** For how long an answer says that its prompt was written to the cache: what most of it was written for counts. */
function cacheLifetimeOf(usage: Fields | null): NonNullable<CostOptions['cacheLifetime']> {
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
  for (at -= 1; at >= 0 && depth > 0 && fields.length < maxTailFields; at -= 1) {
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
const maxTailFields = 200

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
