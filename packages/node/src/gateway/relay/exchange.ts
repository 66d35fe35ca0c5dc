import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TrimMode } from '@plimsoll/core/policies'
import type { AnsweredEvent, GatewayEvent } from '../gateway-options.ts'
import type { OwnAnswer, Plan, Planner, RelayedRequest, RequestOutcome } from '../planner.ts'
import type { KeptAnswer } from './answer-outlet.ts'
import { dialectError, type Refusal } from './dialect-error.ts'
import type { Route } from './find-route.ts'
import type { RequestHead } from './request-head.ts'

export type Exchange = ReturnType<typeof openExchange>

interface OpenedRequest {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly head: RequestHead
  /** Null if the request was refused before its path was looked at. */
  readonly route: Route | null
  readonly mode: TrimMode | null
  readonly startedAt: number
}

export function openExchange(opened: OpenedRequest) {
  return {
    ...opened,
    /** Milliseconds that the gateway itself took up to now. */
    overhead: 0,
    requestBytes: 0,
    answerBytes: 0,
    firstByteAt: null as number | null,
    status: null as number | null,
    plan: null as Plan | null,
    isChanged: false,
    isPlanDropped: false,
    kept: null as KeptAnswer | null,
    isOver: false,
    /** Ends the request to the upstream; null while there is none. */
    abort: null as (() => void) | null,
    telling: 'never' as 'never' | 'later' | 'done',
    /** Set if it ended before the planner heard of the request. */
    outcome: null as RequestOutcome | null,
  }
}

export interface Listeners {
  readonly planner: Planner
  readonly onEvent: (event: GatewayEvent) => void
}

export function closeExchange(exchange: Exchange, end: AnsweredEvent['end'], listeners: Listeners): void {
  if (exchange.isOver) return
  exchange.isOver = true
  const { id, head, route, status, firstByteAt, startedAt } = exchange
  const wholeMilliseconds = performance.now() - startedAt
  const firstByteMilliseconds = firstByteAt === null ? null : firstByteAt - startedAt
  if (exchange.telling !== 'never') {
    exchange.outcome = {
      id,
      status,
      end: end === 'refused' ? 'upstream-failed' : end,
      firstByteMilliseconds,
      wholeMilliseconds,
      answer: exchange.kept?.take() ?? null,
      ...(exchange.isPlanDropped ? { isPlanDropped: true } : {}),
    }
    exchange.kept = null
    if (exchange.telling === 'done') reportOutcome(exchange, listeners)
  }
  const isOwnFinding = exchange.isPlanDropped || exchange.telling === 'never'
  const findings = isOwnFinding ? (exchange.plan?.findings ?? []) : []
  reportEvent(listeners, {
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

/** Tells the planner of a request that goes out unchanged, and how it ended if it has. */
export function reportObserved(exchange: Exchange, request: RelayedRequest, listeners: Listeners): void {
  exchange.telling = 'done'
  try {
    listeners.planner.observe(request)
  } catch {
    reportEvent(listeners, { type: 'fault', id: exchange.id, code: 'planner_failed' })
  }
  if (exchange.isOver) reportOutcome(exchange, listeners)
}

/** Reports an event to the operator; an error of the listener does not stop requests. */
export function reportEvent({ onEvent }: Pick<Listeners, 'onEvent'>, event: GatewayEvent): void {
  try {
    onEvent(event)
  } catch {
    // This is where it would be reported.
  }
}

function reportOutcome(exchange: Exchange, listeners: Listeners): void {
  const { outcome } = exchange
  if (outcome === null) return
  exchange.outcome = null
  try {
    listeners.planner.answered(outcome)
  } catch {
    reportEvent(listeners, { type: 'fault', id: exchange.id, code: 'planner_failed' })
  }
}

/** Answers a request without its upstream. */
export function answerHere(exchange: Exchange, { contentType, text }: OwnAnswer, listeners: Listeners): void {
  const body = Buffer.from(text)
  exchange.status = 200
  exchange.answerBytes = body.byteLength
  const headers = ['content-type', contentType, 'content-length', String(body.byteLength), 'x-plimsoll-request-id', exchange.id]
  exchange.response.writeHead(200, headers)
  exchange.response.end(body)
  closeExchange(exchange, 'complete', listeners)
}

/** Answers a request with an error of the gateway, in the client's dialect. */
export function refuse(exchange: Exchange, refusal: Refusal, listeners: Listeners, end: AnsweredEvent['end'] = 'refused'): void {
  const { request, response } = exchange
  if (response.headersSent || response.destroyed) return
  const body = Buffer.from(dialectError(exchange.route?.dialect ?? null, refusal, exchange.id))
  exchange.status = end === 'refused' ? refusal.status : null
  const headers = ['content-type', 'application/json', 'content-length', String(body.byteLength)]
  if (refusal.retryAfter !== undefined) headers.push('retry-after', String(refusal.retryAfter))
  // A client that takes too much room must not keep its connection until the rest of the body has come.
  const isCutOff = refusal.retryAfter !== undefined && !request.complete
  if (isCutOff) headers.push('connection', 'close')
  response.writeHead(refusal.status, [...headers, 'x-plimsoll-request-id', exchange.id])
  response.end(body)
  if (!request.complete) discardRest(request)
  if (isCutOff) setTimeout(() => request.socket.destroy(), cutOffMs).unref()
  closeExchange(exchange, end, listeners)
}

/** Bytes that are read after a refusal: a client that is cut off while sending does not see the answer. */
const maxDiscarded = 256 * 1024 * 1024
/** Milliseconds that such a client has to read why. */
const cutOffMs = 1000

function discardRest(request: IncomingMessage): void {
  let discarded = 0
  request.removeAllListeners('data')
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.byteLength
    if (discarded > maxDiscarded) request.socket.destroy()
  })
  request.resume()
}
