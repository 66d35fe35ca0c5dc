import { type CostOptions, normaliseUsage, type Usage } from '@plimsoll/core/bill'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { openContainer, skipSpace, skipValue } from '@plimsoll/core/wire'
import type { WireDialect } from '../../store/gateway-record.ts'
import { type AnswerReader, cacheLifetimeOf, errorOf, type Fields, fieldsBehindCut, nothingTold, word } from './answer-reader.ts'

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
    const object = openContainer(text, text[start] === '[' ? skipSpace(text, start + 1) : start)
    if (object?.kind !== 'object') return {}
    while (fields.length < mostFields && object.next()) {
      const name = object.key()
      const begin = object.position()
      const end = skipValue(text, begin)
      // A number at the very end may have lost some of its digits.
      if (end === text.length) break
      fields.push([name, parseJson(text.slice(begin, end))])
      object.leave(end)
    }
  } catch {
    // The text ends here; what came before it counts.
  }
  return Object.fromEntries(fields)
}

/** No answer has more before what it is about. */
const mostFields = 200
