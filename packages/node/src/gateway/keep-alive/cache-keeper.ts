import type { Dispatcher } from 'undici'
import type { GatewayEvent } from '../gateway-options.ts'
import { addNewest } from '../planner/known-messages.ts'
import type { KeepAliveNote, Planner } from '../planner.ts'
import { keepAnswer } from '../relay/answer-outlet.ts'
import { without } from '../relay/request-head.ts'
import type { UpstreamLines } from '../relay/upstream-line.ts'
import { repeatedBody } from './repeated-body.ts'

/** A request as it went out to the upstream. */
export interface SentRequest {
  readonly id: string
  readonly path: string
  /** Names and values in turn, with the client's key. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

interface CacheKeeperOptions {
  readonly upstreams: Pick<UpstreamLines, 'of'>
  readonly planner: Planner
  readonly onEvent: (event: GatewayEvent) => void
}

export type CacheKeeper = ReturnType<typeof createCacheKeeper>

/**
 * Sends the last request of a conversation again when the planner asks for it. Bytes and headers, and so the client's key, are only in memory: until the
 * planner says that the prompt is not to be kept, for eleven minutes after the last time, or until the gateway closes.
 */
export function createCacheKeeper({ upstreams, planner, onEvent }: CacheKeeperOptions) {
  const held = new Map<string, HeldRequest>()
  let bytes = 0
  let isClosed = false

  function forget(id: string): void {
    const request = held.get(id)
    if (request === undefined) return
    held.delete(id)
    bytes -= request.body.byteLength
    clearTimeout(request.expiry)
  }

  function repeat(id: string, as: string): void {
    const request = held.get(id)
    const body = request === undefined || isClosed ? null : repeatedBody(request.body)
    if (request === undefined || body === null) {
      forget(id)
      return planner.answered(unanswered(as))
    }
    request.expiry.refresh()
    const line = upstreams.of('anthropic')
    const headers = [...request.headers, 'content-length', String(body.byteLength)]
    line.pool.dispatch({ path: request.path, method: 'POST', headers, body }, answerOf(as))
  }

  function answerOf(as: string): Dispatcher.DispatchHandler {
    const startedAt = performance.now()
    let status: number | null = null
    let answer: ReturnType<typeof keepAnswer> | null = null
    const end = (isComplete: boolean) => {
      const ended = isComplete ? 'complete' : 'upstream-failed'
      onEvent({ type: 'kept-alive', id: as, status, end: ended })
      const wholeMilliseconds = performance.now() - startedAt
      planner.answered({ ...unanswered(as), status, end: ended, wholeMilliseconds, answer: answer?.take() ?? null })
    }
    return {
      onRequestStart: () => {},
      onResponseStart: (_controller, code, headers) => {
        if (code < 200) return
        status = code
        const field = (name: string) => String(headers[name] ?? '')
        answer = keepAnswer(field('content-type'), field('content-encoding').trim().toLowerCase())
      },
      onResponseData: (_controller, chunk) => answer?.add(chunk),
      onResponseEnd: () => end(true),
      onResponseError: () => end(false),
    }
  }

  function onNote({ id, as }: KeepAliveNote): void {
    if (as === null) forget(id)
    else repeat(id, as)
  }

  planner.onKeepAlive?.(onNote)
  return {
    /** Copies a request that goes out, if it may be repeated. */
    hold({ headers, body, ...request }: SentRequest): void {
      if (isClosed || !hasApiKey(headers) || body.byteLength > maxBytes) return
      const expiry = setTimeout(() => forget(request.id), expiryMs).unref()
      addNewest(
        held,
        request.id,
        { ...request, headers: without(headers, onlyOnce), body: Buffer.from(body), expiry },
        Number.POSITIVE_INFINITY,
      )
      bytes += body.byteLength
      for (const [oldest] of held) {
        if (held.size <= maxHeld && bytes <= maxBytes) break
        forget(oldest)
      }
    },
    /** One that was sent a moment ago ends with the connections to the upstream. */
    close(): void {
      isClosed = true
      for (const id of [...held.keys()]) forget(id)
    },
  }
}

interface HeldRequest extends SentRequest {
  readonly expiry: NodeJS.Timeout
}

/** Logins of users (`authorization`) are flat rates, and not for requests that no one made. */
function hasApiKey(headers: readonly string[]): boolean {
  const names = headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  return names.includes('x-api-key') && !names.includes('authorization')
}

/** Headers that name this one request. */
const onlyOnce: ReadonlySet<string> = new Set(['idempotency-key', 'traceparent', 'tracestate', 'baggage', 'content-length'])

const maxHeld = 50
const maxBytes = 64 * 1024 * 1024
const expiryMs = 660_000

function unanswered(id: string) {
  return { id, status: null, end: 'upstream-failed', firstByteMilliseconds: null, wholeMilliseconds: 0, answer: null } as const
}
