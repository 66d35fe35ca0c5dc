import type { ApiTrouble } from '../shared/server-api.ts'
import type { Strings } from '../strings/strings-for.ts'

/** A refusal that the client is told of, in the language it asks for. */
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

/** What happened, and what to do about it. */
export type ApiText = Pick<ApiTrouble['error'], 'message'> & Partial<Pick<ApiTrouble['error'], 'suggestion'>>

/** The states of HTTP that a refusal may have. */
export type ApiStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 411 | 413 | 415 | 421 | 422 | 429 | 500 | 503
