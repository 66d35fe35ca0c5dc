import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { type Refusal, refusal } from './dialect-error.ts'
import type { RequestHead } from './request-head.ts'

export interface Door {
  readonly host: string
  readonly port: number
  /** Sha-256 of the token that clients have to send; null asks for none. */
  readonly token: Uint8Array | null
}

/** Agents send some twenty. */
const maxHeaders = 256

export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Digests have one length, so the time to compare them says nothing about the token. */
export function tokenDigest(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}

/**
 * Says why a request must not pass, regardless of what it asks for; null if it may. A page of another site can be given a name that leads
 * to this machine, and its requests say where they come from. A request that two parsers could read in two ways is refused.
 */
export function refusalAtDoor(head: RequestHead, door: Door): Refusal | null {
  const { transferEncoding, host, origin, fetchSite } = head
  if (head.count > maxHeaders) return refusal('too_many_headers')
  if (transferEncoding !== null && (transferEncoding !== 'chunked' || head.contentLength !== null)) return refusal('odd_length')
  // A client with a token may call the gateway by any name: a page that was lured here does not have it.
  if (host === null || (door.token === null && !isOwnName(host, door.host))) return refusal('wrong_host')
  const isForeignPage = fetchSite !== null && fetchSite !== 'none' && fetchSite !== 'same-origin'
  return isForeignPage || (origin !== null && !isOwnOrigin(origin, door)) ? refusal('wrong_origin') : null
}

/** Says why a request must not pass without the token; null if it may. */
export function refusalWithoutToken(given: string | null, door: Door): Refusal | null {
  if (door.token === null) return null
  if (given === null) return refusal('no_token')
  return timingSafeEqual(tokenDigest(given), door.token) ? null : refusal('wrong_token')
}

/** Ignores the port of a `host` header: tunnels and containers have others. */
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

function nameIn(header: string): string | null {
  const name = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/.exec(header)?.[1] ?? null
  return name?.startsWith('[') === true ? name.slice(1, -1) : name
}
