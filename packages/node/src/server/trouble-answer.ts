import { basename } from 'node:path'
import type { Context } from 'hono'
import { SessionError, type SessionTrouble, sessionTroubleText } from '../session/session-error.ts'
import type { ApiTrouble } from '../shared/server-api.ts'
import type { Strings } from '../strings/strings-for.ts'
import { ApiError, type ApiStatus } from './api-error.ts'
import { refusal } from './refusal.ts'
import { requestStrings } from './request-strings.ts'

/** The answer to a request that failed: a sentence, and never where in the code. */
export function troubleAnswer(error: unknown, context: Context, strings: Strings): Response {
  const { status, code, text } = apiErrorOf(error)
  const { message, suggestion = null } = text(requestStrings(context, strings))
  const trouble: ApiTrouble = { error: { code, message, suggestion } }
  if (status === 401) context.header('www-authenticate', 'Bearer')
  return context.json(trouble, status)
}

/** Where in the code a defect showed, without its message, which may repeat what a user wrote; null for what is no defect. */
export function faultPlace(error: unknown): string | null {
  if (error instanceof ApiError || error instanceof SessionError) return null
  if (!(error instanceof Error)) return typeof error
  // A message stands before the places, and may look like one.
  const trace = (error.stack ?? '').replace(`${error.name}: ${error.message}`, '').slice(0, 4000)
  const frames = trace.matchAll(/^ {4}at [^\n]{0,300}?([^\s()/\\]+):(\d+):\d+\)?$/gm)
  const places = [...frames].slice(0, 3).map(([, file = '', line]) => `${basename(file)}:${line}`)
  return [error.name, ...places].join(' ')
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (!(error instanceof SessionError)) return refusal('UNEXPECTED')
  const { trouble } = error
  const code = `SESSION_${trouble.kind.replaceAll('-', '_').toUpperCase()}`
  return new ApiError(sessionStatus(trouble.kind), code, ({ session }) => ({ message: sessionTroubleText(trouble, session) }))
}

function sessionStatus(kind: SessionTrouble['kind']): ApiStatus {
  switch (kind) {
    case 'not-found':
    case 'no-entry':
      return 404
    case 'in-use':
    case 'in-use-elsewhere':
    case 'newer':
    case 'changed-behind':
    case 'closed':
    case 'nothing-to-undo':
      return 409
    case 'bad-entry':
      return 422
    case 'cannot-read':
    case 'cannot-write':
    case 'cannot-restore':
    case 'no-home':
      return 500
  }
}
