import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TrimMode } from '@plimsoll/core/policies'
import type { GatewayEvent } from '../gateway-options.ts'
import type { Plan, Planner, RelayedRequest, RequestOutcome } from '../planner.ts'
import type { KeptAnswer } from './answer-outlet.ts'
import { dialectError, type Refusal } from './dialect-error.ts'
import type { Route } from './find-route.ts'
import type { RequestHead } from './request-head.ts'

/** One request and its answer, while they pass. */
export interface Exchange {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly head: RequestHead
  /** Null where the request was refused before anybody looked where it goes. */
  readonly route: Route | null
  /** How much may be changed; null for what only passes. */
  readonly mode: TrimMode | null
  readonly startedAt: number
  /** Milliseconds that the gateway itself took so far. */
  overhead: number
  requestBytes: number
  answerBytes: number
  firstByteAt: number | null
  status: number | null
  plan: Plan | null
  isChanged: boolean
  isPlanDropped: boolean
  kept: KeptAnswer | null
  /** Whether everything about it has been told. */
  isOver: boolean
  /** Lets the upstream go; null while there is none. */
  abort: (() => void) | null
  /** Where the planner stands: whether it is going to be told of the request, or has been. */
  telling: 'never' | 'later' | 'done'
  /** What became of it, where that was known before the planner was told of the request. */
  outcome: RequestOutcome | null
}

/** How an exchange ended. */
export type ExchangeEnd = 'complete' | 'client-gone' | 'upstream-failed' | 'refused'

/** Begins an exchange. */
export function openExchange(
  begin: Pick<Exchange, 'id' | 'request' | 'response' | 'head' | 'route' | 'mode' | 'startedAt'>,
): Exchange {
  return {
    id: begin.id,
    request: begin.request,
    response: begin.response,
    head: begin.head,
    route: begin.route,
    mode: begin.mode,
    startedAt: begin.startedAt,
    overhead: 0,
    requestBytes: 0,
    answerBytes: 0,
    firstByteAt: null,
    status: null,
    plan: null,
    isChanged: false,
    isPlanDropped: false,
    kept: null,
    isOver: false,
    abort: null,
    telling: 'never',
    outcome: null,
  }
}

/** Those who are told of exchanges. */
export interface Listeners {
  readonly planner: Planner
  readonly onEvent: (event: GatewayEvent) => void
}

/** Tells everybody once what became of an exchange. */
export function closeExchange(exchange: Exchange, end: ExchangeEnd, listeners: Listeners): void {
  if (exchange.isOver) return
  exchange.isOver = true
  const { id, head, route, status, firstByteAt, startedAt } = exchange
  const wholeMilliseconds = performance.now() - startedAt
  const firstByteMilliseconds = firstByteAt === null ? null : firstByteAt - startedAt
  if (exchange.telling !== 'never') {
    const answer = exchange.kept?.take() ?? null
    const how = end === 'refused' ? 'upstream-failed' : end
    const outcome: RequestOutcome = { id, status, end: how, firstByteMilliseconds, wholeMilliseconds, answer }
    exchange.kept = null
    exchange.outcome = exchange.isPlanDropped ? { ...outcome, isPlanDropped: true } : outcome
    if (exchange.telling === 'done') tellOutcome(exchange, listeners)
  }
  const isOwnFinding = exchange.isPlanDropped || exchange.telling === 'never'
  const findings = isOwnFinding ? (exchange.plan?.findings ?? []) : []
  tellEvent(listeners, {
    type: 'answered',
    id,
    dialect: route?.dialect ?? null,
    method: exchange.request.method ?? 'GET',
    route: route?.name ?? 'other',
    model: route?.model ?? null,
    ...(exchange.mode === null ? {} : { mode: exchange.mode }),
    ...(head.traceparent === null ? {} : { traceparent: head.traceparent.slice(0, 100) }),
    ...(findings.length === 0 ? {} : { findings }),
    status,
    end,
    isChanged: exchange.isChanged,
    requestBytes: exchange.requestBytes,
    answerBytes: exchange.answerBytes,
    firstByteMilliseconds,
    wholeMilliseconds,
    overheadMilliseconds: exchange.overhead,
  })
}

/** Tells the planner of a request that goes out as it came, and what became of it if that is known already. */
export function tellObserved(exchange: Exchange, request: RelayedRequest, listeners: Listeners): void {
  exchange.telling = 'done'
  try {
    listeners.planner.observe(request)
  } catch {
    tellEvent(listeners, { type: 'fault', id: exchange.id, code: 'planner_failed' })
  }
  if (exchange.isOver) tellOutcome(exchange, listeners)
}

/** Tells those who run the gateway; whatever they do with it, requests go on. */
export function tellEvent({ onEvent }: Pick<Listeners, 'onEvent'>, event: GatewayEvent): void {
  try {
    onEvent(event)
  } catch {
    // Who listens badly is not told of it here: this is where it would be told.
  }
}

function tellOutcome(exchange: Exchange, listeners: Listeners): void {
  const { outcome } = exchange
  if (outcome === null) return
  exchange.outcome = null
  try {
    listeners.planner.answered(outcome)
  } catch {
    tellEvent(listeners, { type: 'fault', id: exchange.id, code: 'planner_failed' })
  }
}

/** Answers a request in the gateway's own name, in the client's dialect. */
export function refuse(exchange: Exchange, refusal: Refusal, listeners: Listeners, end: ExchangeEnd = 'refused'): void {
  const { request, response } = exchange
  if (response.headersSent || response.destroyed) return
  const body = Buffer.from(dialectError(exchange.route?.dialect ?? null, refusal, exchange.id))
  exchange.status = end === 'refused' ? refusal.status : null
  response.writeHead(refusal.status, [
    'content-type',
    'application/json',
    'content-length',
    String(body.byteLength),
    'x-plimsoll-request-id',
    exchange.id,
  ])
  response.end(body)
  if (!request.complete) discardRest(request)
  closeExchange(exchange, end, listeners)
}

/** Bytes that are read after a refusal: whoever is cut off while sending does not get to see the answer. */
const mostDiscarded = 256 * 1024 * 1024

function discardRest(request: IncomingMessage): void {
  let discarded = 0
  request.removeAllListeners('data')
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.byteLength
    if (discarded > mostDiscarded) request.socket.destroy()
  })
  request.resume()
}
