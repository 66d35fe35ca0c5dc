import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { WireDialect } from '../../store/gateway-record.ts'
import type { AnsweredEvent } from '../gateway-options.ts'
import type { Visit } from './clients.ts'
import { dialectError, type Refusal, refusal } from './dialect-error.ts'
import { reportEvent } from './exchange.ts'
import { findRoute, type Route, readTarget } from './find-route.ts'
import { refusalAtDoor, refusalWithoutToken } from './host-guard.ts'
import { clientOf, type Relay } from './relay-request.ts'
import { type RequestHead, readHead } from './request-head.ts'
import { upstreamFailure } from './upstream-line.ts'

/** Whether a request asks for a web socket: other protocols are not supported. */
export function asksForWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

/** Connects a client and an upstream by a web socket, byte for byte. Open tunnels are in the set, so that a shutdown finds them. */
export function tunnelUpgrade(relay: Relay, request: IncomingMessage, client: Duplex, first: Buffer, open: Set<Duplex>): void {
  const startedAt = performance.now()
  const id = randomUUID()
  const head = readHead(request.rawHeaders)
  const target = readTarget(request.url ?? '')
  const route = target === null ? null : findRoute(request.method ?? 'GET', target, head)
  let isOver = false
  let bytes = 0

  let visit: Visit | null = null

  function close(end: AnsweredEvent['end'], status: number | null): void {
    if (isOver) return
    isOver = true
    open.delete(client)
    visit?.leave()
    reportEvent(relay.options, {
      type: 'answered',
      id,
      dialect: route?.dialect ?? null,
      method: request.method ?? 'GET',
      route: route?.name ?? 'other',
      model: null,
      status,
      end,
      isChanged: false,
      requestBytes: 0,
      answerBytes: bytes,
      firstByteMilliseconds: null,
      wholeMilliseconds: performance.now() - startedAt,
      overheadMilliseconds: 0,
    })
  }

  function refuse(reason: Refusal, end: 'refused' | 'upstream-failed' = 'refused'): void {
    const body = dialectError(route?.dialect ?? null, reason, id)
    const again = reason.retryAfter === undefined ? [] : ['retry-after', String(reason.retryAfter)]
    client.end(rawAnswer(reason.status, ['content-type', 'application/json', 'x-plimsoll-request-id', id, ...again], body))
    close(end, end === 'refused' ? reason.status : null)
  }

  client.on('error', () => {})
  open.add(client)
  const refused =
    refusalAtDoor(head, relay.door()) ?? refusalWithoutToken(head.token, relay.door()) ?? refusalOfUpgrade(relay, head, route)
  if (refused !== null || target === null || route === null) return refuse(refused ?? refusal('no_web_socket'))

  visit = relay.clients.enter(clientOf(head, target, request), request.socket, () => client.destroy())
  if (visit === null) return refuse(refusal('too_many_requests'))
  visit.arrived()

  let abort: (() => void) | null = null
  let status: number | null = null
  client.on('close', () => {
    close(status === null ? 'client-gone' : 'complete', status)
    abort?.()
  })
  const line = relay.upstreams.of(route.dialect)
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      abort = () => controller.abort(clientGone)
      if (isOver) abort()
    },
    onRequestUpgrade: (controller, code, _headers, upstream) => {
      abort = () => upstream.destroy()
      status = code
      client.write(rawHead(code, controller.rawHeaders as readonly Uint8Array[], id), 'latin1')
      if (first.byteLength > 0) upstream.write(first)
      upstream.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
      })
      upstream.on('error', () => {}).on('close', () => client.destroy())
      upstream.pipe(client).pipe(upstream)
    },
    // The upstream refused: its answer goes to the client, and the connection ends with it.
    onResponseStart: (controller, code) => {
      if (code < 200) return
      status = code
      client.write(rawHead(code, controller.rawHeaders as readonly Uint8Array[], id, 'connection: close\r\n'), 'latin1')
    },
    onResponseData: (controller, chunk) => {
      bytes += chunk.byteLength
      // No faster than the client reads: such an answer may be of any length.
      if (client.write(chunk)) return
      controller.pause()
      client.once('drain', () => controller.resume())
    },
    onResponseEnd: () => void client.end(),
    onResponseError: (_controller, error) => {
      if (isOver) return
      const failure = upstreamFailure(error)
      reportEvent(relay.options, { type: 'fault', id, code: failure.code })
      if (status === null) return refuse(failure, 'upstream-failed')
      close('upstream-failed', status)
      client.destroy()
    },
  }
  line.pool.dispatch(
    { path: line.pathOf(target.path) + target.query, method: 'GET', headers: head.forward as string[], upgrade: 'websocket' },
    handler,
  )
}

const talking: ReadonlySet<WireDialect> = new Set(['openai-chat', 'openai-responses', 'gemini'])

function refusalOfUpgrade(relay: Relay, head: RequestHead, route: Route | null): Refusal | null {
  if (relay.isClosing()) return refusal('closing')
  const hasBody = head.transferEncoding !== null || (head.contentLength ?? 0) > 0
  const isRefused = route === null || hasBody || head.upgrade !== 'websocket' || !talking.has(route.dialect)
  return isRefused ? refusal('no_web_socket') : null
}

/** The head of an answer with the upstream's headers, except those about how its body is sent. */
function rawHead(status: number, raw: readonly Uint8Array[], id: string, ending = ''): string {
  let lines = ''
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as Buffer).toString('latin1')
    if (status !== 101 && /^(?:connection|keep-alive|transfer-encoding|upgrade)$/i.test(name)) continue
    lines += `${name}: ${(raw[index + 1] as Buffer).toString('latin1')}\r\n`
  }
  return `HTTP/1.1 ${status} ${status === 101 ? 'Switching Protocols' : ''}\r\n${lines}x-plimsoll-request-id: ${id}\r\n${ending}\r\n`
}

const clientGone = new Error('The client went away.')

/** A complete answer for a raw connection, which ends with it. */
export function rawAnswer(status: number, headers: readonly string[], body: string): string {
  let lines = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  for (let index = 0; index + 1 < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`
  return `${lines}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}
