import { isIP } from 'node:net'
import { isLoopbackHost } from '../gateway/relay/host-guard.ts'

export interface Listening {
  readonly host: string
  readonly port: number
  readonly allowPublic: boolean
}

/** Whether a `Host` header names the server that listens there. Another site can be given a name that leads to this machine. */
export function isOwnHost(header: string, { host, port, allowPublic }: Listening): boolean {
  const name = nameIn(header.toLowerCase(), port)
  if (name === null) return false
  if (isLoopbackHost(name) || name === host.toLowerCase()) return true
  // A server on all addresses may be called by any of them, but not by names, which others can point here.
  return allowPublic && (host === '0.0.0.0' || host === '::') && isIP(name) !== 0
}

/** An address as written in a URL and in `Host`. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}

function nameIn(header: string, port: number): string | null {
  const ending = `:${port}`
  const name = header.endsWith(ending) ? header.slice(0, -ending.length) : port === 80 ? header : null
  if (name === null) return null
  if (name.startsWith('[') && name.endsWith(']')) return isIP(name.slice(1, -1)) === 6 ? name.slice(1, -1) : null
  return isIP(name) === 6 ? null : name
}
