import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** One event of a stream. The same object for several listeners is serialised once. */
export interface StreamEvent {
  readonly id: string
  readonly type: string
  readonly data: unknown
}

/** Listens to the events after an id, or to new ones. Earlier events may come before it returns. Returns a function that ends it. */
export type Subscribe = (after: string | null, listen: (event: StreamEvent) => void) => () => void

export interface EventStreamOptions {
  /** When the server closes, the stream ends with a comment. */
  readonly stopping: AbortSignal
  /** The event to continue after. Default: the request's `Last-Event-ID`, else its `?after=`. */
  readonly after?: string | null
  /** Milliseconds between keep-alive comments. Default: 15,000. */
  readonly heartbeatMs?: number
  /** A client with more unsent bytes is cut off; it resumes by the id of its last event. Default: 16 MiB. */
  readonly maxUnsentBytes?: number
}

/** Answers with server-sent events until the client is gone or the server closes. */
export function eventStream(context: Context, subscribe: Subscribe, options: EventStreamOptions): Response {
  const { stopping, heartbeatMs = 15_000, maxUnsentBytes = 16 * 2 ** 20 } = options
  const after = options.after === undefined ? afterIn(context) : options.after
  let release: () => void = () => undefined

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const ended = new AbortController()
        const send = (bytes: Uint8Array) => {
          if (ended.signal.aborted) return
          controller.enqueue(bytes)
          if (-(controller.desiredSize ?? 0) <= maxUnsentBytes) return
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
        // Missed events alone may have cut the client off, before there was a subscription to end.
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

/** Serialised events, so that fifty listeners share one copy. */
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

/** Ending the connection drops its unsent bytes; ending the stream would still send them. */
function cutOff(context: Context, controller: ReadableStreamDefaultController<Uint8Array>): void {
  const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>
  if (outgoing === undefined) controller.error(new Error('the client does not read'))
  else outgoing.destroy()
}
