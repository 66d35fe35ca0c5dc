import { InspectError, type InspectTrouble } from '../inspect/inspect-facts.ts'
import { WhatIfError } from '../inspect/what-if-choices.ts'
import type { Strings } from '../strings/strings-for.ts'
import { ApiError, type ApiStatus } from './api-error.ts'

type InspectRefusalCode = keyof Strings['server']['inspecting']['refusals']

/** A refusal of what was asked of a session or a log that somebody looks at. */
export function inspectRefusal(code: InspectRefusalCode): ApiError {
  return new ApiError(statuses[code], code, ({ server }) => server.inspecting.refusals[code])
}

/** Trouble that an inspector met as what the client is told; anything else as it is. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof InspectError) return inspectRefusal(codes[error.code])
  if (error instanceof WhatIfError)
    return new ApiError(error.code.startsWith('unknown') ? 400 : 422, codeOf(error), (strings) => ({
      message: error.text(strings),
    }))
  return error
}

function codeOf({ code }: WhatIfError): string {
  return code.replaceAll('-', '_').toUpperCase()
}

const codes: Readonly<Record<InspectTrouble, InspectRefusalCode>> = {
  'no-such-request': 'NO_SUCH_REQUEST',
  'no-such-edit': 'NO_SUCH_CHANGE',
  'no-such-session': 'NO_SUCH_CONVERSATION',
  'no-such-blob': 'NO_SUCH_CONTENT',
  'cannot-read': 'NOT_A_LOG',
  'cannot-replay': 'NOTHING_TO_REPLAY',
}

const statuses: Readonly<Record<InspectRefusalCode, ApiStatus>> = {
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
