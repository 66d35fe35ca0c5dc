import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { StoreError } from '../store/gateway-store.ts'
import type { Gateway, GatewayEvent, GatewayOptions, OperationsAnswer } from './gateway-options.ts'
import { createCacheKeeper } from './keep-alive/cache-keeper.ts'
import { type ClientLimits, createClients } from './relay/clients.ts'
import { dialectError, type Refusal, refusal } from './relay/dialect-error.ts'
import { reportEvent } from './relay/exchange.ts'
import { type Door, isLoopbackHost, refusalWithoutToken, tokenDigest } from './relay/host-guard.ts'
import { type Relay, relayRequest } from './relay/relay-request.ts'
import type { RequestHead } from './relay/request-head.ts'
import { asksForWebSocket, rawAnswer, tunnelUpgrade } from './relay/tunnel-upgrade.ts'
import { openUpstreams } from './relay/upstream-line.ts'
import { createTurns } from './turns.ts'

/** Relays between agents and model providers, and asks the planner what to change. The caller closes the planner after the gateway. */
export function createGateway(options: GatewayOptions): Gateway {
  if (!isLoopbackHost(options.host) && !(options.allowPublic && options.token !== null)) {
    throw new TypeError('A gateway that other machines can reach needs allowPublic and a token.')
  }
  if (!isLoopbackHost(options.host) && options.keepsCacheAlive === true)
    throw new TypeError('A gateway that other machines can reach does not send requests by itself with their keys.')
  const upstreams = openUpstreams(options)
  const onEvent = (event: GatewayEvent) => reportEvent(options, event)
  const keeper = options.keepsCacheAlive === true ? createCacheKeeper({ upstreams, planner: options.planner, onEvent }) : null
  const token = options.token === null ? null : tokenDigest(options.token)
  let door: Door = { host: options.host, port: options.port, token }
  let closing: Promise<void> | null = null
  const tunnels = new Set<Duplex>()
  const isClosing = () => closing !== null
  const relay: Relay = {
    options,
    upstreams,
    keeper,
    answerOwn: createOwnAnswers(options, () => door, isClosing),
    door: () => door,
    isClosing,
    clients: createClients(clientLimits(options)),
    unpacking: new Set(),
    unpackTurns: createTurns(1),
  }
  const server = openServer(options)

  const onRequest = (request: IncomingMessage, response: ServerResponse) => relayRequest(relay, request, response)
  server.on('connection', (socket) => {
    // A request that is on its way ends in its own way; here there is none.
    const onClose = () => {
      reportEvent(options, { type: 'fault', id: null, code: 'too_many_connections' })
      if (socket.bytesWritten === 0 && socket.bytesRead > 0) socket.end(rawRefusal(refusal('too_busy')))
      socket.destroySoon()
    }
    if (!relay.clients.connect(socket, onClose)) {
      reportEvent(options, { type: 'fault', id: null, code: 'too_many_connections' })
      socket.on('error', () => {})
      socket.end(rawRefusal(refusal('full')))
      socket.destroySoon()
    }
  })
  server.on('request', onRequest)
  // The answer to `expect: 100-continue` comes once the request was let in.
  server.on('checkContinue', onRequest)
  server.on('upgrade', (request, socket, first) => tunnelUpgrade(relay, request, socket, first, tunnels))

  async function listen(): Promise<number> {
    server.listen(options.port, options.host)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    door = { ...door, port }
    return port
  }

  async function shutDown(): Promise<void> {
    keeper?.close()
    const closed = new Promise((resolve) => server.close(resolve))
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    const deadline = setTimeout(() => {
      server.closeAllConnections()
      for (const socket of tunnels) socket.destroy()
    }, options.limits.shutdownSeconds * 1000)
    await closed
    clearInterval(sweep)
    clearTimeout(deadline)
    // Exchanges that were cut off end their upstream requests when their sockets close, a turn of the loop later.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
    await Promise.all(relay.unpacking)
    await upstreams.destroy()
  }

  return {
    listen,
    close: () => {
      closing ??= shutDown()
      return closing
    },
  }
}

function openServer(options: GatewayOptions): Server {
  const { limits } = options
  const headersTimeout = limits.headersSeconds * 1000
  const server = createServer({
    headersTimeout,
    // The relay watches how fast a body arrives: a large file takes as long as the upstream is slow.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(5000, Math.max(50, headersTimeout / 4)),
    maxHeaderSize: limits.maxHeaderBytes,
    insecureHTTPParser: false,
    requireHostHeader: false,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    noDelay: true,
    keepAliveTimeout: 65_000,
    shouldUpgradeCallback: asksForWebSocket,
  })
  // We refuse too many; by default Node would silently drop the rest.
  server.maxHeadersCount = 0
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {})
    socket.end(rawRefusal(refusal('no_proxy')))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const isOverflow = error.code === 'HPE_HEADER_OVERFLOW'
    const code = isOverflow ? 'headers_too_long' : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'too_slow' : 'malformed'
    if (error.code !== 'ECONNRESET') reportEvent(options, { type: 'fault', id: null, code })
    // After the first answer, another one may be half written on the connection.
    if (!socket.writable || (socket as Socket).bytesWritten > 0) socket.destroy()
    else socket.end(rawRefusal(refusal(code)), () => socket.destroy())
  })
  return server
}

function rawRefusal(reason: Refusal): string {
  const again = reason.retryAfter === undefined ? [] : ['retry-after', String(reason.retryAfter)]
  return rawAnswer(reason.status, ['content-type', 'application/json', ...again], dialectError(null, reason, null))
}

function clientLimits({ limits }: GatewayOptions): ClientLimits {
  const { maxConnections, maxConnectionsPerClient, maxBufferedBytes } = limits
  // Unpacked, a body may be as long again.
  const whole = limits.maxBodyBytes + limits.maxReadBytes
  const maxBufferedBytesPerClient = Math.max(maxBufferedBytes / 4, whole)
  return {
    maxConnections,
    maxConnectionsPerClient,
    maxBufferedBytes: Math.max(maxBufferedBytes, whole),
    maxBufferedBytesPerClient,
  }
}

/** Answers requests to the gateway itself, of the operator and of health checks; false for others. */
function createOwnAnswers(
  { planner, operations }: Pick<GatewayOptions, 'planner' | 'operations'>,
  door: () => Door,
  isClosing: () => boolean,
): Relay['answerOwn'] {
  async function readiness(): Promise<OperationsAnswer> {
    if (isClosing()) return text(503, 'closing\n')
    const checked = planner.check().then(
      () => null,
      // The log has the whole sentence; here anyone may ask.
      (error: unknown) => (error instanceof StoreError && error.kind === 'full' ? 'the store is full' : noResponse),
    )
    const problem = await Promise.race([checked, wait(patience, noResponse, { ref: false })])
    return problem === null ? text(200, 'ready\n') : text(503, `${problem}\n`)
  }

  async function findAnswer(path: string, head: RequestHead): Promise<OperationsAnswer> {
    if (path === '/livez') return text(200, 'alive\n')
    if (path === '/readyz') return readiness()
    // Collectors of metrics can often send no other header.
    const token = head.token ?? /^Bearer (.+)$/i.exec(head.credential ?? '')?.[1] ?? null
    if (path === '/metrics' && refusalWithoutToken(token, door()) !== null)
      return text(401, 'the access token of the gateway is missing or wrong\n')
    return (await operations?.(path)) ?? (path === '/health' ? readiness() : text(404, 'not found\n'))
  }

  return (request, response, { path, tag }, head) => {
    if (tag !== null || (request.method !== 'GET' && request.method !== 'HEAD')) return false
    if (path === '/') {
      send(response, text(200, hello))
      return true
    }
    if (!ownPaths.has(path)) return false
    findAnswer(path, head).then(
      (answer) => send(response, answer),
      () => send(response, text(500, 'internal error\n')),
    )
    return true
  }
}

const ownPaths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/health', '/metrics'])

const hello = 'This is a Plimsoll gateway. Point an agent at this address as if it were that of its model provider.\n'

const patience = 2000
const noResponse = 'the store does not respond'

function text(status: number, body: string): OperationsAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body }
}

function send(response: ServerResponse, { status, contentType, body }: OperationsAnswer): void {
  if (response.destroyed || response.headersSent) return
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes.byteLength,
    'cache-control': 'no-store',
  })
  response.end(bytes)
}
