import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { WireDialect } from '../../store/gateway-record.ts'
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts'
import type { Refusal } from './dialect-error.ts'

/** The way to one upstream. */
export interface UpstreamLine {
  readonly pool: UpstreamPool
  readonly managesContext: boolean
  /** The path that a request for this path is sent to; the query is not part of it. */
  readonly pathOf: (path: string) => string
}

/** Connections to one place. */
export interface UpstreamPool {
  readonly dispatch: (options: Omit<Dispatcher.DispatchOptions, 'origin'>, handler: Dispatcher.DispatchHandler) => boolean
  readonly destroy: () => Promise<void>
}

/** The ways to all upstreams; those at the same place share their connections. */
export interface UpstreamLines {
  readonly of: (dialect: WireDialect) => UpstreamLine
  readonly destroy: () => Promise<void>
}

/** Opens the ways to the upstreams; nothing is connected before the first request. Throws where an address is none. */
export function openUpstreams({ upstreams, limits }: Pick<GatewayOptions, 'upstreams' | 'limits'>): UpstreamLines {
  const pools = new Map<string, UpstreamPool>()
  const lineOf = (dialect: WireDialect): UpstreamLine => {
    const { url, managesContext, proxy = null } = upstreams[dialect]
    const address = readAddress(dialect, url)
    const key = `${address.origin} ${proxy ?? ''}`
    const pool = pools.get(key) ?? openPool(address.origin, proxy, limits)
    pools.set(key, pool)
    return { pool, managesContext, pathOf: joinPaths(address.pathname.replace(/\/$/, '')) }
  }
  const lines: Readonly<Record<WireDialect, UpstreamLine>> = {
    anthropic: lineOf('anthropic'),
    'openai-chat': lineOf('openai-chat'),
    'openai-responses': lineOf('openai-responses'),
    gemini: lineOf('gemini'),
  }
  return {
    of: (dialect) => lines[dialect],
    destroy: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

function readAddress(dialect: WireDialect, url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : null
  const isPlain = address !== null && /^https?:$/.test(address.protocol) && address.username === '' && address.password === ''
  // The address itself is not repeated: a password may stand in it.
  if (!isPlain || address.search !== '' || address.hash !== '') {
    throw new TypeError(
      `The upstream for ${dialect} is to be an http or https address without user, password, query or fragment.`,
    )
  }
  return address
}

function openPool(origin: string, proxy: string | null, limits: GatewayLimits): UpstreamPool {
  const options: Pool.Options = {
    allowH2: false,
    pipelining: 1,
    // How long an answer takes is between client and upstream.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
    maxHeaderSize: 128 * 1024,
    connect: { timeout: limits.connectSeconds * 1000, keepAlive: true, keepAliveInitialDelay: 30_000 },
  }
  if (proxy === null) return new Pool(origin, options)
  // A tunnel, also to a place without TLS: the proxy is not to see more than where it leads.
  const agent = new ProxyAgent({ ...options, uri: proxy, proxyTunnel: true, requestTls: options.connect as object })
  return {
    dispatch: (request, handler) => agent.dispatch({ ...request, origin, headers: pairsOf(request.headers) }, handler),
    destroy: () => agent.destroy(),
  }
}

/** Headers one by one: of a list, a proxy's agent keeps only the last of several with one name. */
function pairsOf(headers: Dispatcher.DispatchOptions['headers']): Iterable<[string, string]> | null {
  if (!Array.isArray(headers)) return null
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index + 1 < headers.length; index += 2) yield [headers[index] as string, headers[index + 1] as string]
    },
  }
}

/**
 * Puts a request's path behind that of the upstream. Where both name a version, only one stands there: the upstream's own in place of
 * `v1`, which clients of OpenAI's format say to everybody, else the request's. A client that leaves it out gets that of the upstream, or
 * the one that an upstream without any path has.
 */
function joinPaths(base: string): (path: string) => string {
  if (base === '') return (path) => (unversioned.test(path) ? `/v1${path}` : path)
  const version = /\/v\d[a-z0-9]*$/.exec(base)?.[0]
  if (version === undefined) return (path) => base + path
  const root = base.slice(0, base.length - version.length)
  return (path) => {
    const own = /^\/v\d[a-z0-9]*(?=\/)/.exec(path)?.[0]
    if (own === undefined) return base + path
    return own === '/v1' ? base + path.slice(own.length) : root + path
  }
}

const unversioned = /^\/(?:messages|chat\/completions|responses|models)(?:\/|$)/

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
