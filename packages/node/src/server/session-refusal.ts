import type { Strings } from '../strings/strings-for.ts'
import { ApiError, type ApiStatus } from './api-error.ts'

type SessionRefusalCode = keyof Strings['server']['sessions']

/** A refusal of what was asked of a session. */
export function sessionRefusal(code: SessionRefusalCode): ApiError {
  return new ApiError(statuses[code], code, ({ server }) => server.sessions[code])
}

const statuses: Readonly<Record<SessionRefusalCode, ApiStatus>> = {
  BUSY: 409,
  NO_QUESTION: 409,
  NOTHING_TO_RESUME: 409,
  NOTHING_TO_FOLD: 409,
  NOTHING_SAID: 422,
  NO_SUCH_COMMAND: 404,
  NO_SUCH_EDIT: 404,
  NO_SUCH_MESSAGE: 404,
  NO_SUCH_RESULT: 404,
  NO_SUCH_BLOB: 404,
  NO_SUCH_FORMAT: 400,
  BAD_REQUEST: 400,
  TOO_LONG_TO_EXPORT: 422,
}
