import { hash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { gentlerMode, type TrimMode } from '@plimsoll/core/policies'
import type { GatewayOptions } from '../gateway-options.ts'
import type { CacheKeeper } from '../keep-alive/cache-keeper.ts'
import { emptyPlan, type RelayedRequest } from '../planner.ts'
import type { Turns } from '../turns.ts'
import type { Clients, Visit } from './clients.ts'
import { type Refusal, refusal } from './dialect-error.ts'
import { answerHere, closeExchange, type Exchange, openExchange, refuse, reportEvent, reportObserved } from './exchange.ts'
import { findRoute, type RequestTarget, type Route, readTarget } from './find-route.ts'
import { type Door, refusalAtDoor, refusalWithoutToken } from './host-guard.ts'
import { planRequest } from './plan-request.ts'
import { bodyBytes, collectBody, isShared, lentBody, passBody, unpackBody } from './read-request-body.ts'
import { relayAnswer } from './relay-answer.ts'
import { type RequestHead, readHead, without } from './request-head.ts'
import type { UpstreamLines } from './upstream-line.ts'

export interface Relay {
  readonly options: GatewayOptions
  readonly upstreams: UpstreamLines
  /** Null if no prompt is ever sent again. */
  readonly keeper: CacheKeeper | null
  /** Answers a request that is for the gateway itself; false for others. */
  readonly answerOwn: (request: IncomingMessage, response: ServerResponse, target: RequestTarget, head: RequestHead) => boolean
  readonly door: () => Door
  readonly isClosing: () => boolean
  readonly clients: Clients
  /** Bodies that passed and are still being unpacked for the planner. */
  readonly unpacking: Set<Promise<void>>
  readonly unpackTurns: Turns
}

/** Bodies up to this length are read before they are sent on: they arrive in a few pieces and go out in one. */
const maxAtOnce = 32 * 1024

/** Relays a request to the upstream of its dialect and the answer back, or answers it here. Never throws. */
export function relayRequest(relay: Relay, request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now()
  const { options } = relay
  const head = readHead(request.rawHeaders)
  const target = readTarget(request.url ?? '')
  const method = request.method ?? 'GET'
  const atDoor = refusalAtDoor(head, relay.door())
  let exchange: Exchange | null = null
  if (head.transferEncoding !== null || (head.contentLength ?? 0) > 0)
    watchBody(request, options.limits.bodySeconds, () => cutOff(request, exchange, options))
  if (atDoor === null && target !== null && relay.answerOwn(request, response, target, head)) return

  const route = target === null ? null : findRoute(method, target, head)
  const isRead = route !== null && route.kind !== null && isJson(head.contentType)
  const mode = isRead ? modeOf(gentlerMode(options.mode, head.trim), route, relay) : null
  const opened = openExchange({ id: randomUUID(), request, response, head, route, mode, startedAt })
  const refused = atDoor ?? refusalWithoutToken(head.token, relay.door()) ?? (relay.isClosing() ? refusal('closing') : null)
  exchange = opened
  if (refused !== null) return refuse(opened, refused, options)
  if (target === null || route === null) return refuse(opened, refusal('wrong_path'), options)

  const makeRoom = () => endToMakeRoom(opened, options)
  const client = clientOf(head, target, request)
  const visit = relay.clients.enter(client, request.socket, makeRoom)
  if (visit === null) {
    // Late, and with its body unread: a client that tries again at once would keep the gateway busy with refusals.
    setTimeout(() => refuse(opened, refusal('too_many_requests'), options), refusalMs).unref()
    return
  }
  request.once('end', visit.arrived)
  response.once('close', visit.leave)
  response.on('error', ignore)
  response.on('close', () => {
    if (opened.isOver) return
    closeExchange(opened, 'client-gone', options)
    opened.abort?.()
  })
  const known = { relay, exchange: opened, client, visit, target, route }
  if (mode === null || mode === 'observe') return forward(known)
  const length = head.contentLength ?? 0
  if (length > options.limits.maxBodyBytes) return refuse(opened, refusal('too_large'), options)
  if (head.isSealed) return forward(known, 'not-applied')
  if (length > options.limits.maxReadBytes) return forward(known, 'too-large')
  planAndForward(known, mode)
}

/** A request for a summary only passes, unless the summary is written here. */
function modeOf(mode: TrimMode, { kind, dialect }: Route, { upstreams }: Relay): TrimMode | null {
  return kind === 'compact' && (mode === 'observe' || upstreams.of(dialect).managesContext) ? null : mode
}

/** Ends a request whose body does not arrive, with its connection: otherwise the rest would have to be waited for. */
function cutOff(request: IncomingMessage, exchange: Exchange | null, options: GatewayOptions): void {
  reportEvent(options, { type: 'fault', id: exchange?.id ?? null, code: slowBody.code })
  if (exchange !== null && !exchange.isOver) {
    const { response } = exchange
    if (!response.headersSent) refuse(exchange, slowBody, options)
    else closeExchange(exchange, 'client-gone', options)
    exchange.abort?.()
  }
  request.socket.destroySoon()
}

/** Ends a request that arrives too slowly while others have no room. */
function endToMakeRoom(exchange: Exchange, options: GatewayOptions): void {
  reportEvent(options, { type: 'fault', id: exchange.id, code: 'too_many_connections' })
  if (!exchange.isOver) {
    refuse(exchange, refusal('too_busy'), options)
    exchange.abort?.()
  }
  exchange.request.socket.destroySoon()
}

interface Passing {
  readonly relay: Relay
  readonly exchange: Exchange
  readonly client: string
  readonly visit: Visit
  readonly target: RequestTarget
  readonly route: Route
}

/** Sends a request on while it arrives, and tells the planner of it afterwards. */
function forward(passing: Passing, finding?: 'not-applied' | 'too-large'): void {
  const { relay, exchange, visit } = passing
  const { head, request, response } = exchange
  const { maxReadBytes } = relay.options.limits
  if (finding !== undefined) exchange.plan = { ...emptyPlan, findings: [{ code: finding, count: 1 }] }
  const isReported = exchange.mode !== null && (head.contentLength ?? 0) <= maxReadBytes
  if (isReported) exchange.telling = 'later'
  const length = head.contentLength ?? (head.transferEncoding === null ? 0 : null)
  if (head.expectsContinue) response.writeContinue()
  if (length === 0) {
    request.resume()
    send(passing, null, head.forward)
    if (isReported) observe(passing, Buffer.alloc(0))
    return
  }
  exchange.overhead = performance.now() - exchange.startedAt
  if (length !== null && length <= maxAtOnce) {
    collectBody(request, { announced: null, max: maxAtOnce, hold: always }, (body) => {
      if (exchange.isOver) return
      exchange.requestBytes = length
      send(passing, body, head.forward)
      if (isReported && body !== null) observe(passing, body)
    })
    return
  }
  const body = passBody(request, { announced: length, max: isReported ? maxReadBytes : 0, hold: visit.hold }, (copy) => {
    visit.letGo()
    exchange.requestBytes = body.length()
    if (isReported && copy !== null) observe(passing, copy, true)
  })
  send(passing, body.stream, length === null ? head.forward : [...head.forward, 'content-length', String(length)])
}

/** Reads a request, asks the planner what to change, and sends it on: changed, or with the original bytes. */
function planAndForward(passing: Passing, mode: TrimMode): void {
  const { relay, exchange, visit } = passing
  const { head, request, response } = exchange
  const { options } = relay
  const max = options.limits.maxBodyBytes
  exchange.overhead = performance.now() - exchange.startedAt
  if (head.expectsContinue) response.writeContinue()
  let isFull = false
  const hold = (bytes: number) => {
    isFull = !visit.hold(bytes)
    return !isFull
  }
  collectBody(request, { announced: head.contentLength, max, hold }, (body) => {
    if (exchange.isOver) return visit.letGo()
    if (body === null) return refuse(exchange, refusal(isFull ? 'too_many_bytes' : 'too_large'), options)
    exchange.requestBytes = body.byteLength
    const readAt = performance.now()
    const ask = (plain: Uint8Array) => relayed(passing, plain, mode)
    planRequest({ ...passing, body, ask }).then(
      (changed) => {
        visit.letGo()
        exchange.overhead += performance.now() - readAt
        if (exchange.isOver) return
        if (exchange.plan?.answer !== undefined) return answerHere(exchange, exchange.plan.answer, options)
        if (changed === null) {
          if (head.contentEncoding === '') holdForRepeat(passing, body)
          return send(passing, body, head.forward)
        }
        holdForRepeat(passing, changed)
        send(passing, changed, without(head.forward, packing))
        bodyBytes.giveBack(body)
      },
      () => send(passing, body, head.forward),
    )
  })
}

/** Keeps a request that may be sent again in the next pause, if the user wants that. */
function holdForRepeat({ relay, exchange, target, route }: Passing, body: Uint8Array): void {
  const { plan, head, id } = exchange
  const isKnown = plan !== null && plan.told === undefined && plan.isForgotten !== true && !exchange.isPlanDropped
  if (relay.keeper === null || route.dialect !== 'anthropic' || route.kind !== 'generate' || !isKnown) return
  const path = relay.upstreams.of(route.dialect).pathOf(target.path) + target.query
  relay.keeper.hold({ id, path, headers: without(head.forward, packing), body })
}

/** Tells the planner of a body that passed unchanged, and whether these bytes are free for others. */
function observe(passing: Passing, body: Uint8Array, isBodyFree = false): void {
  const { relay, exchange } = passing
  const { options } = relay
  const { contentEncoding } = exchange.head
  if (contentEncoding === '') {
    const observed = relayed(passing, body, 'observe')
    return reportObserved(exchange, isBodyFree ? { ...observed, isBodyFree } : observed, options)
  }
  // Measuring is not worth more memory than this.
  const done = relay.unpackTurns.tryTake(passing.client)
  if (done === null) return
  const observed = unpackBody(body, contentEncoding, options.limits.maxReadBytes)
    .finally(done)
    .then((plain) => {
      if (typeof plain !== 'string') reportObserved(exchange, relayed(passing, plain, 'observe'), options)
    }, ignore)
    .finally(() => relay.unpacking.delete(observed))
  relay.unpacking.add(observed)
}

function send({ relay, exchange, target, route }: Passing, body: Buffer | Readable | null, headers: readonly string[]): void {
  // A planner that is late may still be reading.
  if (body instanceof Buffer && isShared(body) && !exchange.isPlanDropped) {
    const withLength = [...headers, 'content-length', String(body.byteLength)]
    // Undici takes any iterable; its types do not know that.
    return dispatch({ relay, exchange, target, route }, lentBody(body) as unknown as Readable, withLength)
  }
  dispatch({ relay, exchange, target, route }, body, headers)
}

type Sending = Pick<Passing, 'relay' | 'exchange' | 'target' | 'route'>

function dispatch({ relay, exchange, target, route }: Sending, body: Buffer | Readable | null, headers: readonly string[]): void {
  const line = relay.upstreams.of(route.dialect)
  const isTelling = exchange.plan !== null && (exchange.plan.appliedEdits !== null || exchange.plan.told !== undefined)
  line.pool.dispatch(
    {
      path: line.pathOf(target.path) + target.query,
      method: exchange.request.method ?? 'GET',
      // The applied edits are written into the answer, which therefore must not be packed.
      headers: (isTelling ? [...without(headers, encodings), 'accept-encoding', 'identity'] : headers) as string[],
      body,
    },
    relayAnswer(exchange, relay.options),
  )
}

function relayed({ relay, exchange, target, route }: Passing, body: Uint8Array, mode: TrimMode): RelayedRequest {
  const { options, upstreams } = relay
  return {
    id: exchange.id,
    dialect: route.dialect,
    kind: route.kind ?? 'generate',
    model: route.model,
    credential: credentialHash(exchange.head, target.query),
    mode,
    session: sessionLabel(exchange.head, target),
    isManagedUpstream: upstreams.of(route.dialect).managesContext,
    at: options.now(),
    ...(mode === 'observe' ? {} : { until: Date.now() + options.limits.planMilliseconds }),
    body,
  }
}

/** Who a request belongs to: whoever has its key, or else this address. The key itself is not kept. */
export function clientOf(head: RequestHead, { query }: RequestTarget, { socket }: IncomingMessage): string {
  return credentialHash(head, query) ?? `at ${socket.remoteAddress ?? ''}`
}

function credentialHash({ credential }: RequestHead, query: string): string | null {
  const key = credential ?? /[?&]key=([^&]*)/.exec(query)?.[1] ?? ''
  return key === '' ? null : hash('sha256', key)
}

function sessionLabel({ session }: RequestHead, { tag }: RequestTarget): string | null {
  const label = (tag ?? session)?.replace(/[^\x20-\x7e]/g, '').slice(0, 200) ?? ''
  return label === '' ? null : label
}

function isJson(contentType: string): boolean {
  return contentType === 'application/json' || /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)
}

const ignore = () => {}
const always = () => true
const packing: ReadonlySet<string> = new Set(['content-encoding'])
const encodings: ReadonlySet<string> = new Set(['accept-encoding'])

const slowBody: Refusal = { ...refusal('too_slow'), message: 'the request body did not arrive in time; send it again.' }

/** Milliseconds that a client waits for its refusal. */
const refusalMs = 500

/** Bytes a second: every real connection is faster. */
const minRate = 1000

/** Calls back if less of a body arrives within these seconds than the slowest connection brings. The whole may take any time. */
export function watchBody(request: IncomingMessage, seconds: number, onSlow: () => void): void {
  const { socket } = request
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    const came = socket.bytesRead - seen
    seen += came
    if (came >= minRate * seconds) return
    stop()
    onSlow()
  }, seconds * 1000)
  // A request that was answered before its body came does not close with its connection.
  const stop = () => {
    clearInterval(timer)
    socket.off('close', stop)
  }
  request.once('end', stop).once('close', stop)
  socket.once('close', stop)
  timer.unref()
}
