import type { Strings } from '../strings/strings-for.ts'
import { ApiError, type ApiStatus } from './api-error.ts'

/** The refusals of the server itself, by their stable names. */
type RefusalCode = Exclude<keyof Strings['server']['refusals'], 'TOO_LARGE'>

/** A refusal of the server itself. */
export function refusal(code: RefusalCode): ApiError {
  return new ApiError(statuses[code], code, ({ server }) => server.refusals[code])
}

/** The refusal of a request that is larger than this many bytes. */
export function tooLarge(most: number): ApiError {
  return new ApiError(413, 'TOO_LARGE', ({ server }) => {
    const { message, suggestion } = server.refusals.TOO_LARGE
    return { message: message(`${Math.floor(most / 2 ** 20)} MB`), suggestion }
  })
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
}
