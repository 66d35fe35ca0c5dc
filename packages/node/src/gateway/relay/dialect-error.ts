import type { WireDialect } from '../../store/gateway-record.ts'

/** Why a gateway answers by itself. */
export interface Refusal {
  readonly status: number
  /** A stable word for logs and for clients whose dialect has codes. */
  readonly code: string
  /** What happened and what to do, in one sentence or two; nothing that came from a client or from an upstream. */
  readonly message: string
}

/** An error of the gateway's own in the words of the client's dialect, so that the client shows it like any other. */
export function dialectError(dialect: WireDialect | null, { status, code, message }: Refusal, id: string | null): string {
  const said = `Plimsoll gateway: ${message}`
  if (dialect === 'anthropic') {
    const error = { type: anthropicTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'), message: said }
    return JSON.stringify(id === null ? { type: 'error', error } : { type: 'error', error, request_id: id })
  }
  if (dialect === 'gemini') {
    return JSON.stringify({
      error: { code: status, message: said, status: geminiStatuses[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL') },
    })
  }
  const type = openaiTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return JSON.stringify({ error: { message: said, type, param: null, code: `plimsoll_${code}` } })
}

const anthropicTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  503: 'overloaded_error',
  504: 'timeout_error',
}

const openaiTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
}

const geminiStatuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/** What is said to whoever still asks while the gateway shuts down. */
export const closingRefusal: Refusal = {
  status: 503,
  code: 'closing',
  message: 'the gateway is shutting down and takes no more requests; ask again when it runs.',
}
