import { classifyFailure } from '@plimsoll/core'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { type Failure, failureWords } from '@plimsoll/core/wire'
import type { WireRecord } from './bounded-fetch.ts'
import { ModelCallError } from './model-client.ts'
import { AnswerProblem, isCallError } from './model-failure.ts'

interface FailedCall {
  readonly error: unknown
  readonly wire: WireRecord
  readonly secrets: readonly string[]
  readonly now: number
}

/**
 * The one error for all that can go wrong with a call: refused, not reached, broken off, or answered with something that is no
 * answer. Neither what was sent nor where to, beyond the host's name, is part of it.
 */
export function callFailure(call: FailedCall): ModelCallError {
  const { wire, secrets, now } = call
  const evidence = evidenceOf(call)
  const { status, body, headers } = evidence
  const failure = classifyFailure({ status, body, headers })
  const text = textOf(body)
  const wait = retryAfter(headers, text, now)
  const words = oneLine(evidence.words ?? (failureWords(body) || 'no reason given'), secrets)
  const shown = status !== null && status >= 400 ? `HTTP ${status}: ${words}` : words
  return new ModelCallError(shown.slice(0, 300), {
    failure,
    status: status ?? wire.response()?.status ?? null,
    retryAfter: wait,
    isTransient: isTransient(evidence, failure, text, wait),
    requestId: requestIdOf(headers),
    misread: evidence.misread ?? null,
  })
}

interface Evidence {
  /** The provider's word for what happened, as a status of HTTP; null where it gave none. */
  readonly status: number | null
  readonly body: unknown
  readonly headers: ReadonlyHeaders
  readonly words: string | null
  /** What is to be thought of it where nothing else tells. */
  readonly fallback: 'transient' | 'lasting'
  /** In which way an answer that came could not be understood. Default: that is not it. */
  readonly misread?: string | null
}

function evidenceOf({ error, wire }: FailedCall): Evidence {
  const headers = headersOf(wire)
  const told = error instanceof AnswerProblem ? error.told : null
  // What came as an event is more than what the library made of it.
  const event = wire.error()
  if (isCallError(error) && error.statusCode !== undefined && error.statusCode >= 300) {
    const { statusCode: status, responseBody, message } = error
    const words = status < 400 ? redirection(headers, wire) : wordsOf(responseBody, message)
    return { status, body: [responseBody, message], headers, words, fallback: 'lasting' }
  }
  if (event !== null || isErrorLike(told)) {
    // A library's own complaint about the event says nothing more.
    const body = event === null ? told : isErrorLike(told) ? [event, told] : event
    return { status: statusIn(told) ?? statusIn(event), body, headers, words: null, fallback: 'transient' }
  }
  const answered = wire.response()
  if (answered === null) return { ...nothing, headers, words: `cannot reach ${wire.host() ?? 'the server'}${codeIn(error)}` }
  if (!wire.isStream() && wire.text().trim() !== '') {
    const type = answered.headers.get('content-type')?.split(';', 1)[0] ?? 'something'
    const body = wire.text()
    const isError = /^\s*[[{]/.test(body) && failureWords(body) !== ''
    return {
      ...nothing,
      body: isError ? (parseJson(body) ?? body) : null,
      headers,
      words: isError ? null : `the server sent ${type.slice(0, 60)} in place of an answer: ${failureWords(body)}`,
      fallback: isError ? 'transient' : 'lasting',
    }
  }
  if (error instanceof AnswerProblem && error.kind !== 'error')
    return {
      ...nothing,
      headers,
      words: error.message,
      fallback: error.kind === 'filtered' ? 'lasting' : 'transient',
      misread: error.kind === 'empty' ? error.kind : null,
    }
  if (hasNetworkCause(error)) return { ...nothing, headers, words: `the answer broke off${codeIn(error)}` }
  if (wire.text().trim() === '') return { ...nothing, headers, words: 'the server sent an empty answer' }
  const problem = told ?? error
  if (isUnfinished(problem)) return { ...nothing, headers, words: 'the answer broke off' }
  const damage = damageOf(problem)
  return {
    ...nothing,
    headers,
    words: damage === null ? wordsOfProblem(problem) : 'the server sent something that is no part of an answer',
    fallback: damage === null ? 'lasting' : 'transient',
    misread: damage,
  }
}

const nothing: Omit<Evidence, 'headers' | 'words'> = { status: null, body: null, fallback: 'transient' }

function isTransient({ status, body, fallback }: Evidence, failure: Failure, text: string, wait: number | null): boolean {
  if (failure.kind === 'rate_limit') return wait !== null || !isExhausted.test(text)
  if (failure.kind !== 'other') return false
  const told = status ?? statusIn(body)
  if (told !== null) return told === 408 || told === 409 || told === 425 || told === 429 || (told >= 500 && !final.has(told))
  if (isBusy.test(text)) return true
  return fallback === 'transient' && !isRefusal.test(text)
}

/** Not implemented, and not this version of HTTP: asking again changes nothing. */
const final: ReadonlySet<number> = new Set([501, 505])

const isExhausted =
  /insufficient_quota|billing|exceeded your current quota|credit balance|out of credits|insufficient (?:balance|funds|credits?)|payment required|余额不足|欠费/i
const isBusy = /overloaded|server_error|api_error|internal_error|timeout|timed out|temporarily|unavailable|try again/i
const isRefusal =
  /invalid_request|invalid_prompt|invalid_argument|not_found|permission|unauthorized|authentication|unsupported|policy|billing|quota/i

function textOf(body: unknown): string {
  // Written as JSON all together, the JSON in a text would be escaped.
  const pieces = Array.isArray(body) ? (body.slice(0, 10) as readonly unknown[]) : [body]
  return pieces.map((piece) => (typeof piece === 'string' ? piece : json(piece)).slice(0, 20_000)).join('\n')
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

function wordsOf(responseBody: string | undefined, message: string): string | null {
  const told = failureWords(responseBody ?? '')
  return told === '' ? (message.trim() === '' ? null : message) : told
}

/** Redirections are not followed, so it has to be said where they lead: most often from `http` to `https`. */
function redirection({ location = '' }: ReadonlyHeaders, wire: WireRecord): string {
  const target = URL.parse(location, `http://${wire.host() ?? 'localhost'}`)
  return `the server redirects${target === null || location === '' ? '' : ` to ${target.origin}${target.pathname}`.slice(0, 200)}, which is not followed`
}

function isErrorLike(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  return isRecord(value) && !(value instanceof Error)
}

function statusIn(value: unknown): number | null {
  for (const candidate of Array.isArray(value) ? value : [value]) {
    if (!isRecord(candidate)) continue
    const inner = isRecord(candidate['error']) ? candidate['error'] : candidate
    for (const field of [candidate['statusCode'], inner['code'], inner['status']]) {
      const number = Number(typeof field === 'number' || typeof field === 'string' ? field : Number.NaN)
      if (Number.isInteger(number) && number >= 400 && number <= 599) return number
    }
  }
  return null
}

/** How what came was not what it should have been, as on a line that garbles; null for a library's own complaint. */
function damageOf(error: unknown): string | null {
  const name = isRecord(error) ? error['name'] : null
  return typeof name === 'string' ? (/JSONParse|TypeValidation|InvalidResponseData/.exec(name)?.[0] ?? null) : null
}

function isUnfinished(error: unknown): boolean {
  return damageOf(error) === 'InvalidResponseData' && error instanceof Error && /without a finish reason/.test(error.message)
}

function wordsOfProblem(error: unknown): string {
  return isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'no reason given'
}

function hasNetworkCause(error: unknown): boolean {
  return codeIn(error) !== ''
}

function codeIn(error: unknown): string {
  let current = error
  for (let depth = 0; depth < 8 && isRecord(current); depth += 1) {
    const { code } = current
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return ` (${code})`
    if (current instanceof AggregateError) current = current.errors[0]
    else current = current['cause']
  }
  return ''
}

function headersOf(wire: WireRecord): ReadonlyHeaders {
  return Object.fromEntries(wire.response()?.headers ?? [])
}

function requestIdOf(headers: ReadonlyHeaders): string | null {
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['x-amzn-requestid'] ?? headers['x-ds-trace-id']
  return id === undefined || !/^[\w.:/=+-]{1,200}$/.test(id) ? null : id
}

function oneLine(text: string, secrets: readonly string[]): string {
  let shown = text
  // A shorter one is a word that may stand anywhere, as with servers that take any key.
  for (const secret of secrets) if (secret.length >= 6) shown = shown.replaceAll(secret, '***')
  return shown.slice(0, 2000).replace(/\s+/g, ' ').trim()
}

/**
 * Milliseconds that a provider asks to wait, by its headers or by what its refusal says; null where it does not tell. `now` is the
 * time in milliseconds, for those who name a moment.
 */
export function retryAfter(headers: ReadonlyHeaders, text: string, now: number): number | null {
  return fromHeaders(headers, now) ?? fromText(text)
}

type ReadonlyHeaders = Readonly<Record<string, string>>

/** Nobody means more: it is a moment that was taken for a length of time. */
const longest = 7 * 24 * 60 * 60 * 1000

function fromHeaders(headers: ReadonlyHeaders, now: number): number | null {
  const exact = amount(headers['retry-after-ms'], 1)
  if (exact !== null) return exact
  const after = headers['retry-after']?.trim()
  if (after !== undefined) return amount(after, 1000) ?? (/^[a-z]{3}, \d/i.test(after) ? until(Date.parse(after), now) : null)
  const resets = ['x-ratelimit-reset-requests', 'x-ratelimit-reset-tokens'].flatMap((name) => duration(headers[name]) ?? [])
  if (resets.length > 0) return Math.max(...resets)
  return moment(headers['x-ratelimit-reset'], now)
}

/** `"retryDelay": "34s"`, `try again in 1.5s`, `try again in 6m0s`, `retry after 20 seconds`. */
function fromText(text: string): number | null {
  const told =
    /retry_?delay["'\s:]{1,6}([\d.]{1,10}s)/i.exec(text.slice(0, 20_000)) ??
    /(?:try again|retry)(?: in| after) ((?:[\d.]{1,10} ?(?:ms|h|m|s)[a-z]{0,7} ?){1,3})/i.exec(text.slice(0, 20_000))
  return duration(told?.[1])
}

function amount(value: string | undefined, unit: number): number | null {
  if (value === undefined || !/^\d{1,12}(?:\.\d{1,6})?$/.test(value.trim())) return null
  return within(Number(value) * unit)
}

/** A length of time such as `1s`, `6m0s`, `850ms`. */
function duration(value: string | undefined): number | null {
  if (value === undefined) return null
  let total = 0
  let found = false
  for (const [, number, unit] of value.slice(0, 60).matchAll(/(\d{1,9}(?:\.\d{1,6})?) ?(ms|h|m|s)/gi)) {
    total += Number(number) * (units[(unit ?? '').toLowerCase()] ?? 0)
    found = true
  }
  return found ? within(total) : null
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A moment in seconds or milliseconds since 1970, or so many seconds from now. */
function moment(value: string | undefined, now: number): number | null {
  if (value === undefined || !/^\d{1,13}$/.test(value.trim())) return duration(value)
  const number = Number(value)
  if (number > 1e11) return until(number, now)
  return number > 1e8 ? until(number * 1000, now) : within(number * 1000)
}

function until(time: number, now: number): number | null {
  return Number.isNaN(time) ? null : within(Math.max(0, time - now))
}

function within(milliseconds: number): number | null {
  return Number.isFinite(milliseconds) && milliseconds >= 0 && milliseconds <= longest ? Math.ceil(milliseconds) : null
}
