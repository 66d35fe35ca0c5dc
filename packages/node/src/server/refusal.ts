import { basename } from 'node:path'
import type { Context } from 'hono'
import { SessionError, type SessionProblem, sessionProblemText } from '../session/session-error.ts'
import type { ApiProblem } from '../shared/server-api.ts'
import { type Strings, stringsFor } from '../strings/strings-for.ts'

type ServerStrings = Strings['server']
type RefusalCode = Exclude<
  keyof ServerStrings['refusals'] | keyof ServerStrings['sessions'] | keyof ServerStrings['inspecting']['refusals'],
  'TOO_LARGE'
>
type ApiStatus = 400 | 401 | 403 | 404 | 409 | 411 | 413 | 415 | 421 | 422 | 429 | 500 | 503
type ApiText = Pick<ApiProblem['error'], 'message'> & Partial<Pick<ApiProblem['error'], 'suggestion'>>

/** A refusal that the client receives in the language it asks for. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: ApiStatus
  readonly code: string
  readonly text: (strings: Strings) => ApiText

  constructor(status: ApiStatus, code: string, text: (strings: Strings) => ApiText, options?: ErrorOptions) {
    super(code, options)
    this.status = status
    this.code = code
    this.text = text
  }
}

export function refusal(code: RefusalCode): ApiError {
  return new ApiError(statuses[code], code, ({ server: { refusals, sessions, inspecting } }) => {
    return { ...refusals, ...sessions, ...inspecting.refusals }[code]
  })
}

export function tooLarge(max: number): ApiError {
  return new ApiError(413, 'TOO_LARGE', ({ server }) => {
    const { message, suggestion } = server.refusals.TOO_LARGE
    return { message: message(`${Math.floor(max / 2 ** 20)} MB`), suggestion }
  })
}

export function sessionErrorText(
  { problem }: SessionError,
  { session }: Strings,
): { readonly code: string; readonly message: string } {
  return { code: `SESSION_${codeName(problem.kind)}`, message: sessionProblemText(problem, session) }
}

/** The answer to a request that failed: a sentence, and never where in the code. */
export function errorAnswer(error: unknown, context: Context, strings: Strings): Response {
  const { status, code, text } = apiErrorOf(error)
  const locale = requestLocale(context)
  const { message, suggestion = null } = text(locale === null ? strings : stringsFor(locale))
  const problem: ApiProblem = { error: { code, message, suggestion } }
  if (status === 401) context.header('www-authenticate', 'Bearer')
  return context.json(problem, status)
}

/** The first language of `accept-language`, such as `zh-CN`; null if there is none. */
export function requestLocale(context: Context): string | null {
  const first = context.req.header('accept-language')?.split(',', 1)[0]?.split(';', 1)[0]?.trim() ?? ''
  return first === '' || first === '*' ? null : first
}

/** Where in the code a bug showed, without its message, which may repeat what a user wrote; null for expected errors. */
export function faultPlace(error: unknown): string | null {
  if (error instanceof ApiError || error instanceof SessionError) return null
  if (!(error instanceof Error)) return typeof error
  // The message comes before the places, and may look like one.
  const trace = (error.stack ?? '').replace(`${error.name}: ${error.message}`, '').slice(0, 4000)
  const frames = trace.matchAll(/^ {4}at [^\n]{0,300}?([^\s()/\\]{1,200}):(\d{1,9}):\d{1,9}\)?$/gm)
  const places = [...frames].slice(0, 3).map(([, file = '', line]) => `${basename(file)}:${line}`)
  return [error.name, ...places].join(' ')
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (!(error instanceof SessionError)) return refusal('UNEXPECTED')
  const { code } = sessionErrorText(error, stringsFor(null))
  return new ApiError(sessionStatuses[error.problem.kind], code, (strings) => sessionErrorText(error, strings))
}

/** A kind of error such as `not-found` as clients know it: `NOT_FOUND`. */
export function codeName(code: string): string {
  return code.replaceAll('-', '_').toUpperCase()
}

const statuses: Readonly<Record<RefusalCode, ApiStatus>> = {
  NO_TOKEN: 401,
  WRONG_TOKEN: 401,
  WRONG_HOST: 421,
  WRONG_ORIGIN: 403,
  WRONG_TYPE: 415,
  NO_LENGTH: 411,
  NO_SUCH_ADDRESS: 404,
  CLOSING: 503,
  UNEXPECTED: 500,

  BUSY: 409,
  NO_QUESTION: 409,
  NOTHING_TO_RESUME: 409,
  NOTHING_TO_FOLD: 409,
  NOTHING_TO_UNDO: 409,
  NOTHING_SAID: 422,
  NO_SUCH_COMMAND: 404,
  NO_SUCH_EDIT: 404,
  NO_SUCH_MESSAGE: 404,
  NO_SUCH_RESULT: 404,
  NO_SUCH_BLOB: 404,
  NO_SUCH_FORMAT: 400,
  BAD_REQUEST: 400,
  TOO_LONG_TO_EXPORT: 422,

  NO_SUCH_LOG: 404,
  NO_SUCH_CONVERSATION: 404,
  NO_SUCH_REQUEST: 404,
  NO_SUCH_CHANGE: 404,
  NO_SUCH_CONTENT: 404,
  NOT_A_LOG: 422,
  EMPTY_FILE: 422,
  TOO_MANY_FILES: 429,
  NOTHING_TO_REPLAY: 422,
}

const sessionStatuses: Readonly<Record<SessionProblem['kind'], ApiStatus>> = {
  'not-found': 404,
  'no-entry': 404,
  'in-use': 409,
  'in-use-elsewhere': 409,
  newer: 409,
  'changed-behind': 409,
  emptied: 409,
  closed: 409,
  'nothing-to-undo': 409,
  'bad-entry': 422,
  'cannot-read': 500,
  'cannot-write': 500,
  'cannot-restore': 500,
  'no-home': 500,
}
