import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Gateway, GatewayLimits, GatewayOptions, OperationsAnswer } from './gateway-options.ts'
import { dialectError, type Refusal } from './relay/dialect-error.ts'
import { tellEvent } from './relay/exchange.ts'
import type { RequestTarget } from './relay/find-route.ts'
import { type Door, isLoopbackHost, refusalWithoutToken, tokenDigest } from './relay/host-guard.ts'
import { type Relay, relayRequest } from './relay/relay-request.ts'
import type { RequestHead } from './relay/request-head.ts'
import { asksForWebSocket, rawAnswer, tunnelUpgrade } from './relay/tunnel-upgrade.ts'
import { openUpstreams } from './relay/upstream-line.ts'

/**
 * Makes a gateway: a relay between agents and their model providers that asks the planner what is to change and sends everything else as
 * it came. Throws where the options do not go together. The planner stays the caller's, who closes it after the gateway.
 */
export function createGateway(options: GatewayOptions): Gateway {
  if (!isLoopbackHost(options.host) && !(options.allowPublic && options.token !== null)) {
    throw new TypeError('A gateway that other machines reach needs allowPublic and a token.')
  }
  const upstreams = openUpstreams(options)
  const token = options.token === null ? null : tokenDigest(options.token)
  let door: Door = { host: options.host, port: options.port, token }
  let closing: Promise<void> | null = null
  const tunnels = new Set<Duplex>()
  const isClosing = () => closing !== null
  const relay: Relay = {
    options,
    upstreams,
    ownAnswers: createOwnAnswers(options, () => door, isClosing),
    door: () => door,
    isClosing,
    unpacking: new Set(),
  }
  const server = openServer(options)

  const onRequest = (request: IncomingMessage, response: ServerResponse) => relayRequest(relay, request, response)
  server.on('request', onRequest)
  // Whoever asks before it sends is told only when its request has been let in.
  server.on('checkContinue', onRequest)
  server.on('upgrade', (request, socket, first) => tunnelUpgrade(relay, request, socket, first, tunnels))

  async function listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(options.port, options.host, () => {
        server.off('error', reject)
        resolve()
      })
    })
    const { port } = server.address() as AddressInfo
    door = { ...door, port }
    return port
  }

  async function shutDown(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
    // An answer that ends leaves a connection that waits for more.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    const deadline = setTimeout(() => {
      server.closeAllConnections()
      for (const socket of tunnels) socket.destroy()
    }, options.limits.shutdownSeconds * 1000)
    await closed
    clearInterval(sweep)
    clearTimeout(deadline)
    // Those who were cut off let go of their upstreams themselves, once their sockets are closed: that is a turn of the loop later.
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

/** A server that reads requests strictly, and not for ever. */
function openServer(options: GatewayOptions): Server {
  const { limits } = options
  const server = createServer({
    ...timesOf(limits),
    maxHeaderSize: limits.maxHeaderBytes,
    insecureHTTPParser: false,
    // A request without a host gets an answer that says so.
    requireHostHeader: false,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    noDelay: true,
    keepAliveTimeout: 65_000,
    shouldUpgradeCallback: asksForWebSocket,
  })
  // Too many are refused; by default the rest of them would be left out without a word.
  server.maxHeadersCount = 0
  server.maxConnections = limits.maxConnections
  server.on('drop', () => tellEvent(options, { type: 'fault', id: null, code: 'too_many_connections' }))
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', ignore)
    socket.end(rawRefusal(noProxy))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const refusal =
      error.code === 'HPE_HEADER_OVERFLOW' ? headersTooLong : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? tooSlow : malformed
    if (error.code !== 'ECONNRESET') tellEvent(options, { type: 'fault', id: null, code: refusal.code })
    // After the first answer nobody knows whether another one stands half written on the connection.
    if (!socket.writable || (socket as Socket).bytesWritten > 0) socket.destroy()
    else socket.end(rawRefusal(refusal), () => socket.destroy())
  })
  return server
}

function timesOf({ headersSeconds }: GatewayLimits) {
  const headersTimeout = headersSeconds * 1000
  // How long a body may take is seen to where it is relayed: a large file takes as long as the way to the upstream is slow.
  return { headersTimeout, requestTimeout: 0, connectionsCheckingInterval: Math.min(5000, Math.max(50, headersTimeout / 4)) }
}

function rawRefusal(refusal: Refusal): string {
  return rawAnswer(refusal.status, ['content-type', 'application/json'], dialectError(null, refusal, null))
}

function ignore(): void {}

const noProxy: Refusal = {
  status: 405,
  code: 'no_proxy',
  message: 'this is no proxy for other addresses; use it as the base URL of the client.',
}
const headersTooLong: Refusal = {
  status: 431,
  code: 'headers_too_long',
  message: 'the headers are longer than the gateway takes; send fewer of them, or raise gateway.limits.max_header_kb.',
}
const tooSlow: Refusal = {
  status: 408,
  code: 'too_slow',
  message: 'the request did not come in time; send it again.',
}
const malformed: Refusal = {
  status: 400,
  code: 'malformed',
  message: 'this is not HTTP as the gateway reads it; check the client.',
}

/** What the gateway answers by itself. */
export interface OwnAnswers {
  /** Answers a request that is for the gateway; false for one that is not. */
  readonly answer: (request: IncomingMessage, response: ServerResponse, target: RequestTarget, head: RequestHead) => boolean
}

/** Makes what answers those who look whether the gateway is there, and those who run it. */
function createOwnAnswers(
  { planner, operations }: Pick<GatewayOptions, 'planner' | 'operations'>,
  door: () => Door,
  isClosing: () => boolean,
): OwnAnswers {
  async function readiness(): Promise<OperationsAnswer> {
    if (isClosing()) return text(503, 'closing\n')
    const isReady = await inTime(planner.check())
    return isReady ? text(200, 'ready\n') : text(503, 'the store does not answer\n')
  }

  async function findAnswer(path: string, head: RequestHead): Promise<OperationsAnswer> {
    if (path === '/livez') return text(200, 'alive\n')
    if (path === '/readyz') return readiness()
    if (path === '/metrics' && refusalWithoutToken(head.token ?? bearer(head.credential), door()) !== null) {
      return text(401, 'show the token of the gateway\n')
    }
    return (await operations?.(path)) ?? (path === '/health' ? readiness() : text(404, 'there is nothing here\n'))
  }

  return {
    answer: (request, response, { path, tag }, head) => {
      if (tag !== null || (request.method !== 'GET' && request.method !== 'HEAD')) return false
      if (path === '/') {
        send(response, text(200, hello))
        return true
      }
      if (!ownPaths.has(path)) return false
      findAnswer(path, head).then(
        (answer) => send(response, answer),
        () => send(response, text(500, 'this did not work\n')),
      )
      return true
    },
  }
}

const ownPaths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/health', '/metrics'])

const hello = 'This is a Plimsoll gateway. Point an agent at this address as if it were that of its model provider.\n'

/** Milliseconds after which a store that says nothing counts as one that does not answer. */
const patience = 2000

async function inTime(check: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, patience, false)
  })
  const isReady = await Promise.race([
    check.then(
      () => true,
      () => false,
    ),
    late,
  ])
  clearTimeout(timer)
  return isReady
}

/** Those who collect metrics can send this header and often no other. */
function bearer(credential: string | null): string | null {
  return /^Bearer (.+)$/i.exec(credential ?? '')?.[1] ?? null
}

function text(status: number, body: string): OperationsAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body }
}

function send(response: ServerResponse, { status, contentType, body }: OperationsAnswer): void {
  if (response.destroyed || response.headersSent) return
  const bytes = Buffer.from(body)
  response.writeHead(status, [
    'content-type',
    contentType,
    'content-length',
    String(bytes.byteLength),
    'cache-control',
    'no-store',
  ])
  response.end(bytes)
}
