import type { WireDialect } from '../../store/gateway-record.ts'

/** Why a gateway answers a request itself. */
export interface Refusal {
  readonly status: number
  /** A stable name for logs and for clients whose dialect has codes. */
  readonly code: string
  /** Says what happened and what to do; includes no text of a client or an upstream. */
  readonly message: string
  /** Seconds after which another try makes sense. */
  readonly retryAfter?: number
}

export function refusal(code: keyof typeof refusals): Refusal {
  const [status, message] = refusals[code]
  return { status, code, message, ...(status === 429 || status === 503 ? { retryAfter: 1 } : {}) }
}

/** An error of the gateway in the client's dialect, so that the client shows it like any other. */
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
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

const openaiTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}

const geminiStatuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  429: 'RESOURCE_EXHAUSTED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const refusals = {
  malformed: [400, 'the request is not valid HTTP; check the client.'],
  odd_length: [400, 'the length of the body is ambiguous; send either content-length or transfer-encoding: chunked.'],
  wrong_path: [
    400,
    'the path cannot be relayed: full URLs, empty segments and dots are rejected; check the base URL for a trailing slash.',
  ],
  no_web_socket: [400, 'this address has no WebSocket; send the request with POST instead.'],
  no_token: [401, 'this gateway needs an access token; send it in the header x-plimsoll-token.'],
  wrong_token: [401, 'the access token in x-plimsoll-token is wrong; ask the operator of this gateway for it.'],
  wrong_host: [
    403,
    'the host header does not name this machine; use 127.0.0.1, localhost or the address that the gateway listens on.',
  ],
  wrong_origin: [403, 'web pages may not use the gateway; send the request from a program.'],
  no_proxy: [405, 'the gateway is not a proxy for other addresses; use its address as the base URL of the client.'],
  too_slow: [408, 'the request did not arrive in time; send it again.'],
  too_large: [413, 'the body is too large; raise gateway.limits.max_body_mb, or use the mode observe, which has no such limit.'],
  too_many_requests: [
    429,
    'this client has too many requests open; wait until some have ended, or raise gateway.limits.max_connections_per_client.',
  ],
  too_many_bytes: [
    429,
    'this client sends too many bytes at once; wait until some requests have been sent on, or raise gateway.limits.max_buffered_mb.',
  ],
  headers_too_long: [431, 'the headers are too large; send fewer, or raise gateway.limits.max_header_kb.'],
  too_many_headers: [431, 'the request has too many headers; send fewer than 256.'],
  upstream_not_found: [502, 'the host name of the upstream could not be resolved; check its address and the network.'],
  upstream_unreachable: [502, 'cannot connect to the upstream; check that it is running and that its address is right.'],
  proxy_failed: [
    502,
    'the proxy in HTTPS_PROXY or HTTP_PROXY did not connect to the upstream; check its address and password, or add the upstream to NO_PROXY.',
  ],
  upstream_not_trusted: [
    502,
    'the certificate of the upstream is not trusted; check its address, or add its certificate authority with NODE_EXTRA_CA_CERTS.',
  ],
  upstream_malformed: [502, 'the upstream did not send valid HTTP; check that its address is that of a model provider.'],
  upstream_closed: [
    502,
    'the upstream closed the connection before it responded; it may have processed the request, so it was not sent again.',
  ],
  not_sent: [502, 'the request could not be sent to the upstream, or the gateway was shutting down; nothing was sent.'],
  closing: [503, 'the gateway is shutting down; send the request again when it is running.'],
  full: [503, 'the gateway has as many connections as it may have, and all are in use; try again.'],
  too_busy: [503, 'the gateway has too many clients, and this one sent too slowly; send the request again.'],
  upstream_timeout: [504, 'connecting to the upstream took too long; check its address and the network, then try again.'],
} satisfies Record<string, readonly [status: number, message: string]>
