import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { Refusal } from './dialect-error.ts'
import type { RequestHead } from './request-head.ts'

/** Where a gateway listens, and whom it lets in. */
export interface Door {
  readonly host: string
  readonly port: number
  /** Sha-256 of the token that clients have to show; null asks for none. */
  readonly token: Uint8Array | null
}

/** How many headers a request may have: agents send some twenty. */
const mostHeaders = 256

/** Whether only this machine reaches an address. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** What is hashed before it is compared has one length, so that the time it takes tells nothing about the token. */
export function tokenDigest(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}

/**
 * Says why a request must not pass whatever it asks for; null for one that may. A page of another site can be given a name that leads to
 * this machine, and says where it comes from; and what two parsers could read in two ways is read in none.
 */
export function refusalAtDoor(head: RequestHead, door: Door): Refusal | null {
  if (head.count > mostHeaders) return tooManyHeaders
  if (head.transferEncoding !== null && (head.transferEncoding !== 'chunked' || head.contentLength !== null)) return oddLength
  // Whoever has to show a token may call the gateway by any name: a page that was lured here does not have it.
  if (head.host === null || (door.token === null && !isOwnName(head.host, door.host))) return wrongHost
  if (head.origin !== null && !isOwnOrigin(head.origin, door)) return wrongOrigin
  if (head.fetchSite !== null && head.fetchSite !== 'none' && head.fetchSite !== 'same-origin') return wrongOrigin
  return null
}

/** Says why a request must not pass without the token; null for one that may. */
export function refusalWithoutToken(given: string | null, door: Door): Refusal | null {
  if (door.token === null) return null
  if (given === null) return noToken
  return timingSafeEqual(tokenDigest(given), door.token) ? null : wrongToken
}

/** Whether a `host` header names this machine, whatever port it was reached by: tunnels and containers have others. */
function isOwnName(header: string, listening: string): boolean {
  const name = nameIn(header.toLowerCase())
  return name !== null && (isLoopbackHost(name) || name === listening.toLowerCase())
}

function isOwnOrigin(origin: string, door: Door): boolean {
  const ending = `:${door.port}`
  const rest = origin.toLowerCase()
  if (!rest.startsWith('http://') || !rest.endsWith(ending)) return false
  const name = nameIn(rest.slice(7))
  return name !== null && isLoopbackHost(name)
}

/** The name in `name:port`, without brackets; null where it is none. */
function nameIn(header: string): string | null {
  const parts = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/.exec(header)
  const name = parts?.[1]
  if (name === undefined) return null
  return name.startsWith('[') ? name.slice(1, -1) : name
}

const tooManyHeaders: Refusal = {
  status: 431,
  code: 'too_many_headers',
  message: 'the request has too many headers; send fewer than 256.',
}
const oddLength: Refusal = {
  status: 400,
  code: 'odd_length',
  message: 'the length of the body is told in a way that can be read in two ways; send either content-length or chunked.',
}
const wrongHost: Refusal = {
  status: 403,
  code: 'wrong_host',
  message:
    'the host header does not name this machine; call the gateway as 127.0.0.1, localhost or by the address it listens on.',
}
const wrongOrigin: Refusal = {
  status: 403,
  code: 'wrong_origin',
  message: 'the request comes from a web page, and pages may not use the gateway; call it from a program.',
}
const noToken: Refusal = {
  status: 401,
  code: 'no_token',
  message: 'this gateway asks for its token; send it in the header x-plimsoll-token.',
}
const wrongToken: Refusal = {
  status: 401,
  code: 'wrong_token',
  message: 'the token in x-plimsoll-token is not that of this gateway; ask whoever runs it.',
}
