import { classifyFailure } from '@plimsoll/core'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { type Failure, failureWords } from '@plimsoll/core/wire'
import type { WireRecord } from './bounded-fetch.ts'
import { AnswerProblem, isCallError, ModelCallError } from './model-client.ts'
import { writeJson } from './repair-answer.ts'

interface FailedCall {
  readonly error: unknown
  readonly wire: WireRecord
  readonly secrets: readonly string[]
  readonly now: number
}

/** The one error for a failed call. It holds neither what was sent nor the address beyond the host's name. */
export function callFailure(call: FailedCall): ModelCallError {
  const { wire, secrets, now } = call
  const headers: ReadonlyHeaders = Object.fromEntries(wire.response()?.headers ?? [])
  const evidence = evidenceOf(call, headers)
  const { status, body } = evidence
  const failure = classifyFailure({ status, body, headers })
  // Each piece is written separately, since the JSON in a text would be escaped.
  const pieces = Array.isArray(body) ? (body.slice(0, 10) as readonly unknown[]) : [body]
  const texts = pieces.map((piece) => (typeof piece === 'string' ? piece : (writeJson(piece) ?? '')).slice(0, 20_000))
  const text = texts.join('\n')
  const wait = retryAfter(headers, text, now)
  const words = oneLine(evidence.words ?? (failureWords(body) || 'no reason given'), secrets)
  const shown = status !== null && status >= 400 ? `HTTP ${status}: ${words}` : words
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['x-amzn-requestid'] ?? headers['x-ds-trace-id']
  return new ModelCallError(shown.slice(0, 300), {
    failure,
    status: status ?? wire.response()?.status ?? null,
    retryAfter: wait,
    isTransient: isTransient(evidence, failure, text, wait),
    requestId: id !== undefined && /^[\w.:/=+-]{1,200}$/.test(id) ? id : null,
    misread: evidence.misread,
  })
}

interface Evidence {
  /** As a status of HTTP; null if the provider gave none. */
  readonly status: number | null
  readonly body: unknown
  readonly words: string | null
  /** Applies if nothing else decides. */
  readonly fallback: 'transient' | 'lasting'
  readonly misread: string | null
}

function evidenceOf({ error, wire }: FailedCall, headers: ReadonlyHeaders): Evidence {
  const told = error instanceof AnswerProblem ? error.told : null
  // The raw event says more than the library’s error.
  const event = wire.error()
  if (isCallError(error) && error.statusCode !== undefined && error.statusCode >= 300) {
    const { statusCode: status, responseBody, message } = error
    // Redirections are not followed, so the target is named: most often `https` instead of `http`.
    const { location = '' } = headers
    const target = location === '' ? null : URL.parse(location, `http://${wire.host() ?? 'localhost'}`)
    const to = target === null ? '' : ` to ${target.origin}${target.pathname}`.slice(0, 200)
    const refusal = failureWords(responseBody ?? '') || (message.trim() === '' ? null : message)
    const words = status < 400 ? `the server redirects${to}, which is not followed` : refusal
    return { status, body: [responseBody, message], words, fallback: 'lasting', misread: null }
  }
  if (event !== null || isErrorLike(told)) {
    // The library’s own complaint about the event adds nothing.
    const body = event === null ? told : isErrorLike(told) ? [event, told] : event
    return { ...said(null), status: statusIn(told) ?? statusIn(event), body }
  }
  const answered = wire.response()
  if (answered === null) return said(`cannot reach ${wire.host() ?? 'the server'}${codeIn(error)}`)
  if (!wire.isStream() && wire.text().trim() !== '') {
    const type = answered.headers.get('content-type')?.split(';', 1)[0] ?? 'something'
    const body = wire.text()
    const words = failureWords(body)
    if (/^\s*[[{]/.test(body) && words !== '') return { ...said(null), body: parseJson(body) ?? body }
    return said(`the server sent ${type.slice(0, 60)} instead of an answer: ${words}`, 'lasting')
  }
  if (error instanceof AnswerProblem && error.kind !== 'error')
    return said(error.message, error.kind === 'filtered' ? 'lasting' : 'transient', error.kind === 'empty' ? error.kind : null)
  if (codeIn(error) !== '') return said(`the answer was cut off${codeIn(error)}`)
  if (wire.text().trim() === '') return said('the server sent an empty answer')
  const problem = told ?? error
  const message = isRecord(problem) && typeof problem['message'] === 'string' ? problem['message'] : 'no reason given'
  const name = isRecord(problem) && typeof problem['name'] === 'string' ? problem['name'] : ''
  const damage = /JSONParse|TypeValidation|InvalidResponseData/.exec(name)?.[0] ?? null
  if (damage === null) return said(message, 'lasting')
  const isUnfinished = damage === 'InvalidResponseData' && problem instanceof Error && /without a finish reason/.test(message)
  if (isUnfinished) return said('the answer was cut off')
  return said('the server sent something that is not part of an answer', 'transient', damage)
}

function said(words: string | null, fallback: Evidence['fallback'] = 'transient', misread: string | null = null): Evidence {
  return { status: null, body: null, words, fallback, misread }
}

function isTransient({ status, body, fallback }: Evidence, failure: Failure, text: string, wait: number | null): boolean {
  if (failure.kind === 'rate_limit') return wait !== null || !isExhausted.test(text)
  if (failure.kind !== 'other') return false
  const told = status ?? statusIn(body)
  // A retry does not help if something is not implemented (501), or this version of HTTP not supported (505).
  if (told !== null) return [408, 409, 425, 429].includes(told) || (told >= 500 && told !== 501 && told !== 505)
  return isBusy.test(text) || (fallback === 'transient' && !isRefusal.test(text))
}

const isExhausted =
  /insufficient_quota|billing|exceeded your current quota|credit balance|out of credits|insufficient (?:balance|funds|credits?)|payment required|余额不足|欠费/i
const isBusy = /overloaded|server_error|api_error|internal_error|timeout|timed out|temporarily|unavailable|try again/i
const isRefusal =
  /invalid_request|invalid_prompt|invalid_argument|not_found|permission|unauthorized|authentication|unsupported|policy|billing|quota/i

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

function oneLine(text: string, secrets: readonly string[]): string {
  let shown = text
  // A shorter one may be an ordinary word, as with servers that take any key.
  for (const secret of secrets) if (secret.length >= 6) shown = shown.replaceAll(secret, '***')
  return shown.slice(0, 2000).replace(/\s+/g, ' ').trim()
}

/** Milliseconds that a provider asks to wait, by its headers or its message; null if it does not say. */
export function retryAfter(headers: ReadonlyHeaders, text: string, now: number): number | null {
  return fromHeaders(headers, now) ?? fromText(text.slice(0, 20_000))
}

type ReadonlyHeaders = Readonly<Record<string, string>>

/** More than a week is a moment that was taken for a duration. */
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
  const found =
    /retry_?delay["'\s:]{1,6}([\d.]{1,10}s)/i.exec(text) ??
    /(?:try again|retry)(?: in| after) ((?:[\d.]{1,10} ?(?:ms|h|m|s)[a-z]{0,7} ?){1,3})/i.exec(text)
  return duration(found?.[1])
}

function amount(value: string | undefined, unit: number): number | null {
  if (value === undefined || !/^\d{1,12}(?:\.\d{1,6})?$/.test(value.trim())) return null
  return within(Number(value) * unit)
}

function duration(value: string | undefined): number | null {
  const found = [...(value ?? '').slice(0, 60).matchAll(/(\d{1,9}(?:\.\d{1,6})?) ?(ms|h|m|s)/gi)]
  const lengths = found.map(([, number, unit = '']) => Number(number) * (units[unit.toLowerCase()] ?? 0))
  return found.length === 0 ? null : within(lengths.reduce((sum, length) => sum + length, 0))
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A moment in seconds or milliseconds since 1970, or seconds from now. */
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
