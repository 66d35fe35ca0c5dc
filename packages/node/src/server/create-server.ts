import { once } from 'node:events'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { isLoopbackHost } from '../gateway/relay/host-guard.ts'
import { createGatewayShelf } from './gateway-shelf.ts'
import { guardData, guardHost, securityHeaders } from './guard.ts'
import { fileRoutes, helloRoutes } from './hello-routes.ts'
import { lookingRoutes } from './inspect-routes.ts'
import { createLiveSessions } from './live-sessions.ts'
import { errorAnswer, faultPlace, refusal } from './refusal.ts'
import type { RouteOptions, ServerOptions } from './server-options.ts'
import { eventRoutes, sessionRoutes } from './session-routes.ts'
import { searchRoutes, spendingRoutes } from './spending-routes.ts'
import { staticRoutes } from './web-files.ts'

export interface PlimsollServer {
  readonly app: Hono
  /** Starts to listen. Rejects with the system's error, such as `EADDRINUSE`; another port may be tried then. */
  readonly listen: (port?: number) => Promise<{ readonly port: number }>
  /** Ends the streams, and resolves when everything that was acknowledged is stored and all connections are closed. */
  readonly close: () => Promise<void>
}

/** Makes a server that does not listen yet. Throws for an address that other machines reach, unless that is allowed. */
export function createServer(options: ServerOptions): PlimsollServer {
  const { host, token, allowPublic, strings } = options
  if (!isLoopbackHost(host) && !allowPublic)
    throw new Error(`${host}: expected allowPublic for an address that other machines can reach`)
  if (token.length < 16) throw new Error('expected a token of at least 16 characters')
  let port = options.port
  const stop = new AbortController()
  const endings: (() => Promise<void>)[] = []
  const greetings: (() => void)[] = []
  const routes: RouteOptions = {
    ...options,
    stopping: stop.signal,
    atClose: (work) => endings.push(work),
    atHello: (work) => greetings.push(work),
    gateways: options.gatewayStore === undefined ? null : createGatewayShelf(options.gatewayStore, options),
  }
  const live = createLiveSessions(routes)
  const guard = { token, listening: () => ({ host, port, allowPublic }), stopping: stop.signal }

  const api = new Hono()
    .use(guardData(guard))
    .use(async (context, next) => {
      await next()
      if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store')
      // The body is not sent, so its source has to be released.
      if (context.req.method === 'HEAD') await context.res.body?.cancel()
    })
    .use(packing(allowPublic))
    .route('/hello', helloRoutes(routes, greetings))
    .route('/sessions', sessionRoutes(routes, live))
    .route('/events', eventRoutes(routes, live))
    .route('/files', fileRoutes(routes))
    .route('/spending', spendingRoutes(routes))
    .route('/search', searchRoutes(routes))
    .route('/', lookingRoutes(routes))
    .all('*', () => {
      throw refusal('NO_SUCH_ADDRESS')
    })
  const app = new Hono()
    .use(securityHeaders())
    .use(guardHost(guard))
    .route('/api', api)
    .route('/', staticRoutes(options.webFolder))
    .notFound((context) => errorAnswer(refusal('NO_SUCH_ADDRESS'), context, strings))
    .onError((error, context) => {
      const place = faultPlace(error)
      if (place !== null) options.onFault?.(place)
      return errorAnswer(error, context, strings)
    })

  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false, serverOptions: limits(options) }) as Server
  let closing: Promise<void> | null = null

  async function closeAll(): Promise<void> {
    const gone = new Promise((resolve) => server.close(resolve))
    stop.abort()
    const ended = await Promise.allSettled(endings.map((work) => work()))
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    const patience = setTimeout(() => server.closeAllConnections(), 1000)
    await gone
    clearInterval(idle)
    clearTimeout(patience)
    const failed = ended.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  return {
    app,
    async listen(wished = options.port) {
      server.listen({ port: wished, host, exclusive: true })
      await once(server, 'listening')
      const address = server.address()
      port = typeof address === 'object' && address !== null ? address.port : wished
      return { port }
    },
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}

/** On one machine, packing takes longer than sending. */
function packing(isFar: boolean): MiddlewareHandler {
  return isFar
    ? compress({ encoding: 'gzip', contentTypeFilter: (type) => type.startsWith('application/json') })
    : (_context, next) => next()
}

/** A client that sends its request byte by byte does not hold a connection for long. Answers may take any time. */
function limits({ headersTimeoutMs = 10_000 }: ServerOptions) {
  return {
    headersTimeout: headersTimeoutMs,
    requestTimeout: 120_000,
    keepAliveTimeout: 10_000,
    connectionsCheckingInterval: Math.min(5000, headersTimeoutMs),
    maxHeaderSize: 16_384,
    insecureHTTPParser: false,
  } as const
}
