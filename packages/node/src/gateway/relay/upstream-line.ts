import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { WireDialect } from '../../store/gateway-record.ts'
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts'
import { type Refusal, refusal } from './dialect-error.ts'

interface UpstreamPool {
  readonly dispatch: (options: Omit<Dispatcher.DispatchOptions, 'origin'>, handler: Dispatcher.DispatchHandler) => boolean
  readonly destroy: () => Promise<void>
}

export type UpstreamLines = ReturnType<typeof openUpstreams>

/** Ways to the same place share their connections. Connects with the first request. Throws for an address that is not valid. */
export function openUpstreams({ upstreams, limits }: Pick<GatewayOptions, 'upstreams' | 'limits'>) {
  const pools = new Map<string, UpstreamPool>()
  const lineOf = (dialect: WireDialect) => {
    const { url, managesContext, proxy = null } = upstreams[dialect]
    const address = readAddress(dialect, url)
    const key = `${address.origin} ${proxy ?? ''}`
    const pool = pools.get(key) ?? openPool(address.origin, proxy, limits)
    pools.set(key, pool)
    return { pool, managesContext, pathOf: joinPaths(address.pathname.replace(/\/$/, '')) }
  }
  const lines = {
    anthropic: lineOf('anthropic'),
    'openai-chat': lineOf('openai-chat'),
    'openai-responses': lineOf('openai-responses'),
    gemini: lineOf('gemini'),
  }
  return {
    of: (dialect: WireDialect) => lines[dialect],
    destroy: () => Promise.all([...pools.values()].map((pool) => pool.destroy())),
  }
}

function readAddress(dialect: WireDialect, url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : null
  const isPlain = address !== null && /^https?:$/.test(address.protocol) && address.username === '' && address.password === ''
  // The address itself is not repeated: it may hold a password.
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
    // How long an answer may take is up to client and upstream.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
    maxHeaderSize: 128 * 1024,
    connect: { timeout: limits.connectSeconds * 1000, keepAlive: true, keepAliveInitialDelay: 30_000 },
  }
  if (proxy === null) return new Pool(origin, options)
  // A tunnel, also to a place without TLS: the proxy sees only its destination.
  const agent = new ProxyAgent({ ...options, uri: proxy, proxyTunnel: true, requestTls: options.connect as object })
  return {
    dispatch: (request, handler) =>
      agent.dispatch({ ...request, origin, headers: pairsOf(request.headers) }, throughProxy(handler)),
    destroy: () => agent.destroy(),
  }
}

/** Of a list, a proxy's agent keeps only the last of several headers with one name. */
function pairsOf(headers: Dispatcher.DispatchOptions['headers']): Iterable<[string, string]> | null {
  if (!Array.isArray(headers)) return null
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index + 1 < headers.length; index += 2) yield [headers[index] as string, headers[index + 1] as string]
    },
  }
}

/**
 * Joins the upstream's path and the request's. If both name a version, only one is used: the upstream's instead of `v1`, which clients of
 * OpenAI's format always send, else the request's. Without one in the request it is the upstream's, or `v1` for an upstream without a path.
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

/** Marks errors: the same code means the proxy, and not the upstream behind it. */
function throughProxy(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    ...handler,
    onResponseError: (controller, error) => handler.onResponseError?.(controller, Object.assign(error, { isProxied: true })),
  }
}

/** The refusal for an upstream that did not answer; without the error's message, which may name addresses. */
export function upstreamFailure(error: Error & { readonly isProxied?: boolean }): Refusal {
  const code = codeOf(error)
  // A tunnel is opened by name, so that only the proxy's own name is looked up here.
  if (error.isProxied === true && (unreachable.has(code) || code === 'ENOTFOUND' || error.message.startsWith('Proxy response (')))
    return refusal('proxy_failed')
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return refusal('upstream_timeout')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return refusal('upstream_not_found')
  if (unreachable.has(code)) return refusal('upstream_unreachable')
  if (code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || code.includes('CERT') || code.includes('ISSUER'))
    return refusal('upstream_not_trusted')
  if (error.name === 'HTTPParserError' || code.startsWith('UND_ERR_HEADERS') || code.startsWith('ERR_'))
    return refusal('upstream_malformed')
  return refusal(unsent.has(code) ? 'not_sent' : 'upstream_closed')
}

/** Of several errors the first counts: several addresses may have been tried. */
function codeOf(error: Error): string {
  const { code, errors } = error as Error & { code?: unknown; errors?: readonly unknown[] }
  if (typeof code === 'string') return code
  const first = errors?.[0]
  return first instanceof Error ? codeOf(first) : ''
}

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
