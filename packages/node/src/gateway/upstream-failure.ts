import type { Refusal } from './dialect-error.ts'

/** What a client is told about an upstream that did not answer; nothing of the error's own words, which may name addresses. */
export function upstreamFailure(error: Error): Refusal {
  const code = codeOf(error)
  if (timeouts.has(code)) return timedOut
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return notFound
  if (unreachable.has(code)) return notReached
  if (code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || code.includes('CERT') || code.includes('ISSUER'))
    return notTrusted
  if (error.name === 'HTTPParserError' || code.startsWith('UND_ERR_HEADERS') || code.startsWith('ERR_')) return malformed
  return unsent.has(code) ? notSent : closed
}

/** The code of an error, or of the first one in it: several addresses may have been tried. */
function codeOf(error: Error): string {
  const { code, errors } = error as Error & { code?: unknown; errors?: readonly unknown[] }
  if (typeof code === 'string') return code
  const first = errors?.[0]
  return first instanceof Error ? codeOf(first) : ''
}

const timeouts: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])
const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
])

const unsent: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
])

const timedOut: Refusal = {
  status: 504,
  code: 'upstream_timeout',
  message: 'the upstream could not be connected to in time; check its address and the network, then ask again.',
}
const notFound: Refusal = {
  status: 502,
  code: 'upstream_not_found',
  message: 'the name of the upstream could not be resolved; check its address and the network.',
}
const notReached: Refusal = {
  status: 502,
  code: 'upstream_unreachable',
  message: 'the upstream could not be connected to; check that it runs and that its address is right.',
}
const notTrusted: Refusal = {
  status: 502,
  code: 'upstream_not_trusted',
  message: 'the certificate of the upstream was not accepted; check its address, or add its authority with NODE_EXTRA_CA_CERTS.',
}
const malformed: Refusal = {
  status: 502,
  code: 'upstream_malformed',
  message: 'the upstream answered something that is no HTTP; check that its address is that of a model provider.',
}
const closed: Refusal = {
  status: 502,
  code: 'upstream_closed',
  message: 'the upstream closed the connection before it answered, and may have worked on the request; it was not sent again.',
}
const notSent: Refusal = {
  status: 502,
  code: 'not_sent',
  message: 'the request could not be sent to the upstream as it is, or the gateway was shutting down; nothing was sent.',
}
