import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** One event of a stream. The same object for all who listen is written out once. */
export interface StreamEvent {
  readonly id: string
  readonly type: string
  /** What JSON can say. */
  readonly data: unknown
}

/**
 * Listens to the events behind one of them, or from now on where none is named. What is behind it already may be told before this
 * returns. The function that comes back ends it.
 */
export type Subscribe = (after: string | null, listen: (event: StreamEvent) => void) => () => void

/** How a stream goes on and ends. */
export interface EventStreamOptions {
  /** Fires when the server closes: the stream ends with a last comment. */
  readonly stopping: AbortSignal
  /** The event to go on behind. Default: what the request names in `Last-Event-ID`, else in `?after=`. */
  readonly after?: string | null
  /** Milliseconds between signs of life. Default: 15,000. */
  readonly heartbeatMs?: number
  /** Unsent bytes over which a client is cut off; it resumes by the id of its last event. Default: 16 MiB. */
  readonly mostUnsent?: number
}

/** Answers with the events of a subscription, as server-sent events, until the client is gone or the server closes. */
export function eventStream(context: Context, subscribe: Subscribe, options: EventStreamOptions): Response {
  const { stopping, heartbeatMs = 15_000, mostUnsent = 16 * 2 ** 20 } = options
  const after = options.after === undefined ? afterIn(context) : options.after
  let release: () => void = () => undefined

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const ended = new AbortController()
        const send = (bytes: Uint8Array) => {
          if (ended.signal.aborted) return
          controller.enqueue(bytes)
          if (-(controller.desiredSize ?? 0) <= mostUnsent) return
          release()
          cutOff(context, controller)
        }
        const stop = () => {
          send(closing)
          if (ended.signal.aborted) return
          release()
          controller.close()
        }
        const heart = setInterval(() => send(heartbeat), heartbeatMs)
        let unsubscribe: (() => void) | null = null
        release = () => {
          ended.abort()
          clearInterval(heart)
          stopping.removeEventListener('abort', stop)
          unsubscribe?.()
          unsubscribe = null
        }
        send(opening)
        unsubscribe = subscribe(after, (event) => send(frameOf(event)))
        // A client may be cut off by what it missed alone, before there was anything to end.
        if (ended.signal.aborted) release()
        else if (stopping.aborted) stop()
        else stopping.addEventListener('abort', stop)
      },
      cancel() {
        release()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform' },
  })
}

const encoder = new TextEncoder()
const opening = encoder.encode('retry: 1000\n\n')
const heartbeat = encoder.encode(':\n\n')
const closing = encoder.encode(': the server closes\n\n')

/** Events as they go over the wire, so that fifty listeners hold one copy. */
const frames = new WeakMap<StreamEvent, Uint8Array>()

function frameOf(event: StreamEvent): Uint8Array {
  let frame = frames.get(event)
  if (frame === undefined) {
    frame = encoder.encode(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`)
    frames.set(event, frame)
  }
  return frame
}

function afterIn(context: Context): string | null {
  const named = context.req.header('last-event-id') ?? context.req.query('after') ?? ''
  return named === '' ? null : named
}

/** Ending the connection drops what waits in it; ending the stream would still send all of it. */
function cutOff(context: Context, controller: ReadableStreamDefaultController<Uint8Array>): void {
  const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>
  if (outgoing === undefined) controller.error(new Error('the client does not read'))
  else outgoing.destroy()
}
