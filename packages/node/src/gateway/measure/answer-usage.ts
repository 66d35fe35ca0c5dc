import { type CostOptions, normaliseUsage, type Usage } from '@plimsoll/core/bill'
import { isRecord, jsonText, parseJson } from '@plimsoll/core/text'
import { skipSpace, skipValue, walkMembers } from '@plimsoll/core/wire'
import type { WireDialect } from '../../store/gateway-record.ts'

/** The text of an answer, as far as it was kept. */
export interface AnswerText {
  readonly head: string
  /** Its end; null if `head` is all. The middle is unknown. */
  readonly tail: string | null
}

/** The facts that an answer reports; null for missing ones. */
export interface AnswerUsage {
  readonly usage: Usage | null
  readonly model: string | null
  /** Why it ended, in the provider's word; null for an answer that was cut off. */
  readonly stop: string | null
  readonly error: string | null
  /** For how long the provider was asked to keep what it wrote to its cache. */
  readonly cacheLifetime: NonNullable<CostOptions['cacheLifetime']>
}

/** Reads an answer: one JSON value, a list or a stream of events, complete or only its two ends. Never throws; takes linear time. */
export function answerUsage(dialect: WireDialect, answer: AnswerText): AnswerUsage {
  const read = readers[dialect]
  let facts: ResponseFacts = { usage: null, model: null, stop: null, error: null }
  for (const event of answerEvents(answer)) facts = read(facts, event)
  return { ...facts, usage: normaliseUsage(facts.usage), cacheLifetime: cacheLifetimeOf(facts.usage) }
}

type Fields = Readonly<Record<string, unknown>>
/** The state so far, with the usage as the provider wrote it. */
type ResponseFacts = Pick<AnswerUsage, 'model' | 'stop' | 'error'> & { readonly usage: Fields | null }
type AnswerReader = (facts: ResponseFacts, event: Fields) => ResponseFacts

const readers: Readonly<Record<WireDialect, AnswerReader>> = {
  /** A stream reports the prompt when it starts, and everything when it ends. */
  anthropic({ usage, model, stop, error }, event) {
    const { type, message, delta } = event
    const said = type === 'message_start' && isRecord(message) ? message : event
    return {
      usage: isRecord(said['usage']) ? updated(usage, said['usage']) : usage,
      model: model ?? textIn(said['model']),
      stop: textIn(isRecord(delta) ? delta['stop_reason'] : said['stop_reason']) ?? stop,
      error: error ?? errorOf(event['error']),
    }
  },
  /** A stream reports its usage last, if it was asked to. */
  'openai-chat'({ usage, model, stop, error }, event) {
    const choice = firstOf(event['choices'])
    return {
      usage: isRecord(event['usage']) ? { ...event['usage'], ...timesNextTo(event) } : usage,
      model: model ?? textIn(event['model']),
      stop: (isRecord(choice) ? textIn(choice['finish_reason']) : null) ?? stop,
      error: error ?? errorOf(event['error']),
    }
  },
  /** Events carry the response as it is then, and the last one all of it. */
  'openai-responses'({ usage, model, stop, error }, event) {
    const response = isRecord(event['response']) ? event['response'] : event
    return {
      usage: isRecord(response['usage']) ? response['usage'] : usage,
      model: textIn(response['model']) ?? model,
      stop: responseStop(response) ?? stop,
      // An event of the type `error` has no field for it.
      error: error ?? errorOf(response['error'] ?? (event['type'] === 'error' ? event : null)),
    }
  },
  /** Every piece of a stream reports the usage up to there. */
  gemini({ usage, model, stop, error }, event) {
    // The service for signed-in users puts each piece into an envelope.
    const piece = isRecord(event['response']) ? event['response'] : event
    return {
      usage: isRecord(piece['usageMetadata']) ? piece['usageMetadata'] : usage,
      model: textIn(piece['modelVersion']) ?? model,
      stop: geminiStop(piece) ?? stop,
      error: error ?? errorOf(event['error']),
    }
  },
}

/** Later numbers are sums and replace earlier ones; but relays write zero, or nothing, for numbers they have lost. */
/** What servers of one's own report next to the usage. */
function timesNextTo({ timings, metrics }: Fields): Fields {
  return { ...(isRecord(timings) ? { timings } : {}), ...(isRecord(metrics) ? { metrics } : {}) }
}

function updated(usage: Fields | null, later: Fields): Fields {
  if (usage === null) return later
  const isKnown = (value: unknown) => value !== null && value !== undefined && value !== 0
  const kept = Object.entries(later).filter(([name, value]) => isKnown(value) || !Object.hasOwn(usage, name))
  return { ...usage, ...Object.fromEntries(kept) }
}

function responseStop({ status, incomplete_details: details }: Fields): string | null {
  if (status === 'incomplete' && isRecord(details)) return textIn(details['reason']) ?? status
  return status === 'completed' || status === 'incomplete' || status === 'failed' || status === 'cancelled' ? status : null
}

function geminiStop({ candidates, promptFeedback }: Fields): string | null {
  const candidate = firstOf(candidates)
  if (isRecord(candidate)) return textIn(candidate['finishReason'])
  return isRecord(promptFeedback) ? textIn(promptFeedback['blockReason']) : null
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? (list as readonly unknown[])[0] : undefined
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null
}

function errorOf(value: unknown): string | null {
  if (typeof value !== 'string' && !isRecord(value)) return null
  const text = jsonText({ error: value })
  return text === '' || value === '' ? null : text.slice(0, 20_000)
}

function cacheLifetimeOf(usage: Fields | null): AnswerUsage['cacheLifetime'] {
  const written = usage?.['cache_creation']
  if (!isRecord(written)) return 'provider'
  const amount = (value: unknown) => (typeof value === 'number' ? value : 0)
  return amount(written['ephemeral_1h_input_tokens']) > amount(written['ephemeral_5m_input_tokens']) ? 'hour' : 'provider'
}

/** The JSON objects of an answer: its only one, the items of a list, or the data of events; of a cut object, its complete fields. */
function* answerEvents({ head, tail }: AnswerText): Generator<Fields> {
  const first = head[head.search(/[^\s\ufeff]/)]
  if (first !== '{' && first !== '[') {
    yield* streamed(head)
    if (tail !== null) yield* streamed(tail)
    return
  }
  const value = tail === null ? parseJson(head) : undefined
  if (isRecord(value)) yield value
  else if (Array.isArray(value)) yield* (value as readonly unknown[]).filter(isRecord)
  else {
    yield fieldsBeforeCut(head)
    if (tail !== null) yield fieldsAfterCut(tail, first === '[' ? 'list' : 'object')
  }
}

/** The data of a stream's events. An event whose beginning or end is missing is not JSON. */
function* streamed(text: string): Generator<Fields> {
  let data: string | null = null
  let unreadable = 0
  let naming = 0
  let start = 0
  while (start <= text.length && unreadable <= maxUnreadable) {
    const end = lineEnd(text, start)
    const isEmpty = end === start
    if (text.startsWith('data:', start)) {
      const line = text.slice(start + 5, end)
      data = data === null ? line : `${data}\n${line}`
    }
    start = end + (text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === newLine ? 2 : 1)
    // A stream may end right after the last line of its last event.
    if (data === null || (!isEmpty && start <= text.length)) continue
    const json = data
    data = null
    if (!telling.test(json)) {
      if (naming >= maxNaming || !json.includes('model')) continue
      naming += 1
    }
    const value = parseJson(json)
    if (isRecord(value)) yield value
    else unreadable += 1
  }
}

const newLine = 0x0a
const carriageReturn = 0x0d

function lineEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === newLine || unit === carriageReturn) return at
  }
  return text.length
}

/** Parsing all events would take longer than finding those that matter. Many say that there is no usage or reason to stop yet. */
const telling = /usage(?:metadata)?"\s*:\s*[^\sn]|reason"\s*:\s*[^\sn]|error|status/i
/** The model is named by the first events or by all of them. */
const maxNaming = 3
/** With more events that are not JSON, this is not an answer of a known dialect. */
const maxUnreadable = 1000
/** No answer has more; text that is not JSON may seem to. */
const maxFields = 200

/** The complete fields of a JSON object, or of the first one of a list, whose text is cut off. Never throws. */
export function fieldsBeforeCut(text: string): Fields {
  const fields: [string, unknown][] = []
  try {
    const start = skipSpace(text, 0)
    const first = text[start] === '[' ? skipSpace(text, start + 1) : start
    if (text[first] !== '{') return {}
    walkMembers(text, first, (name, from) => {
      const end = fields.length < maxFields ? skipValue(text, from) : text.length
      // A number at the very end may have lost some of its digits.
      if (end === text.length) return null
      fields.push([String(name), parseJson(text.slice(from, end))])
      return end
    })
  } catch {
    // The text ends here; the fields before it count.
  }
  return Object.fromEntries(fields)
}

/** The same for a text that starts in the middle, or for the last object of a list: read from its end, where no string is open. */
export function fieldsAfterCut(text: string, kind: 'object' | 'list'): Fields {
  const fields: [string, unknown][] = []
  const brace = lastBrace(text, kind)
  let at = brace
  let depth = brace < 0 ? 0 : 1
  let valueEnd = brace
  for (at -= 1; at >= 0 && depth > 0 && fields.length < maxFields; at -= 1) {
    const unit = text[at]
    if (unit === '"') {
      const end = at
      at = stringStart(text, end)
      if (depth !== 1 || at < 0) continue
      const colon = skipSpaces(text, end + 1)
      if (text[colon] !== ':') continue
      const name = parseJson(text.slice(at, end + 1))
      if (typeof name === 'string') fields.push([name, parseJson(text.slice(colon + 1, valueEnd))])
      valueEnd = at
    } else if (unit === '}' || unit === ']') depth += 1
    else if (unit === '{' || unit === '[') depth -= 1
    else if (unit === ',' && depth === 1) valueEnd = at
  }
  // An object that begins here is inside another one that was cut off after it.
  if (depth === 0 && kind === 'object' && text.slice(0, at + 1).trim() !== '') return {}
  // Of two fields with one name the last one counts, and that was read first.
  return Object.fromEntries(fields.reverse())
}

function lastBrace(text: string, kind: 'object' | 'list'): number {
  const found = (kind === 'list' ? /\}\s*\]\s*$/ : /\}\s*$/).exec(text.slice(-200))
  return found === null ? -1 : Math.max(text.length - 200, 0) + found.index
}

function stringStart(text: string, end: number): number {
  for (let at = text.lastIndexOf('"', end - 1); at >= 0; at = text.lastIndexOf('"', at - 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    // There may have been more before the cut.
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
