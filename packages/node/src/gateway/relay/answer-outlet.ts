import type { ServerResponse } from 'node:http'
import type { AnswerBytes } from '../planner.ts'

/** Where an answer's bytes go out to the client. */
export interface AnswerOutlet {
  readonly write: (bytes: Uint8Array) => void
  /** Lets everything out that was written; the answer is not over. */
  readonly flush: () => void
  readonly end: (trailers: readonly [string, string][]) => void
}

/** How an outlet behaves. */
export interface OutletOptions {
  /** Called when the client has to catch up, and when it has. */
  readonly pause: () => void
  readonly resume: () => void
  /** Seconds of silence after which a comment is sent, for an event stream; null sends none. */
  readonly keepAliveSeconds: number | null
}

/** Bytes that wait for the end of a turn at most. */
const mostWaiting = 64 * 1024

/**
 * Opens the outlet of an answer whose head has been written. What comes in one turn of the event loop goes out in one piece at its end,
 * the headers at the latest then too: a burst of events costs one write, and nothing waits for what comes later.
 */
export function openOutlet(response: ServerResponse, { pause, resume, keepAliveSeconds }: OutletOptions): AnswerOutlet {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let hasBegun = false
  let isScheduled = true
  let silence: NodeJS.Timeout | null = null
  let boundary: EventBoundary | null = null

  function write(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return
    waiting.push(bytes)
    waitingBytes += bytes.byteLength
    if (waitingBytes >= mostWaiting) return flush()
    if (isScheduled) return
    isScheduled = true
    process.nextTick(onTurn)
  }

  function onTurn(): void {
    isScheduled = false
    flush()
  }

  function flush(): void {
    if (response.destroyed || response.writableEnded || (hasBegun && waitingBytes === 0)) return
    hasBegun = true
    if (!response.write(take())) pause()
  }

  function take(): Uint8Array {
    const bytes =
      waiting.length === 1 ? (waiting[0] as Uint8Array) : waitingBytes === 0 ? nothing : Buffer.concat(waiting, waitingBytes)
    waiting = []
    waitingBytes = 0
    boundary?.add(bytes)
    silence?.refresh()
    return bytes
  }

  function end(trailers: readonly [string, string][]): void {
    if (silence !== null) clearTimeout(silence)
    if (response.destroyed) return
    if (trailers.length > 0 && response.chunkedEncoding) response.addTrailers(trailers)
    if (waitingBytes === 0) response.end()
    else response.end(take())
  }

  function breakSilence(): void {
    if (response.destroyed || response.writableEnded) return
    if (boundary?.isBetween() === true && waitingBytes === 0 && !response.writableNeedDrain) response.write(keepAliveComment)
    silence?.refresh()
  }

  response.on('drain', resume)
  // An empty piece takes the headers along; the method that is meant for it would write them in another encoding.
  process.nextTick(onTurn)
  if (keepAliveSeconds !== null) {
    boundary = followEvents()
    silence = setTimeout(breakSilence, keepAliveSeconds * 1000).unref()
  }
  return { write, flush, end }
}

const nothing = new Uint8Array()

/** Knows whether an event stream stands between two whole events. */
interface EventBoundary {
  readonly add: (chunk: Uint8Array) => void
  readonly isBetween: () => boolean
}

/** A comment that clients of event streams skip. */
const keepAliveComment: Uint8Array = new TextEncoder().encode(': keep-alive\n\n')

/**
 * Follows the ends of lines. Before the first byte it is between events; after a lone carriage return it is not, since the other half of
 * the line's end may follow.
 */
export function followEvents(): EventBoundary {
  let last = lineFeed
  let second = lineFeed
  let third = 0

  return {
    add: (chunk) => {
      const start = Math.max(0, chunk.byteLength - 3)
      for (let index = start; index < chunk.byteLength; index++) {
        third = second
        second = last
        last = chunk[index] as number
      }
    },
    isBetween: () => last === lineFeed && (second === lineFeed || (second === carriageReturn && third === lineFeed)),
  }
}

const lineFeed = 10
const carriageReturn = 13

/** Keeps what is needed of an answer to read its usage: the beginning and the end, or all of it where it is packed. */
export interface KeptAnswer {
  readonly add: (chunk: Uint8Array) => void
  /** What was kept; null where a packed answer was too long to be unpacked. */
  readonly take: () => AnswerBytes | null
}

const mostHead = 64 * 1024
const mostTail = 1024 * 1024
const mostPacked = 4 * 1024 * 1024

/** Copies bytes out of what passes, so that nothing that passed is held. */
export function keepAnswer(contentType: string, contentEncoding: string): KeptAnswer {
  const isPacked = contentEncoding !== '' && contentEncoding !== 'identity'
  const limit = isPacked ? mostPacked : mostHead
  // Most answers are short, and memory of this size is had for nothing.
  let head = Buffer.allocUnsafe(4000)
  let headLength = 0
  // A ring once it is full: `tailEnd` is where the next byte goes.
  let tail = empty
  let tailEnd = 0
  let isWrapped = false
  let isTooLong = false

  function add(chunk: Uint8Array): void {
    if (headLength + chunk.byteLength <= head.byteLength) {
      head.set(chunk, headLength)
      headLength += chunk.byteLength
      return
    }
    let rest = chunk
    if (headLength < limit) {
      const taken = Math.min(limit - headLength, rest.byteLength)
      head = withRoom(head, headLength, taken, limit)
      head.set(rest.subarray(0, taken), headLength)
      headLength += taken
      rest = rest.subarray(taken)
    }
    if (rest.byteLength === 0) return
    if (isPacked) {
      isTooLong = true
      return
    }
    if (rest.byteLength > mostTail) rest = rest.subarray(rest.byteLength - mostTail)
    if (!isWrapped && tail.byteLength < mostTail) tail = withRoom(tail, tailEnd, rest.byteLength, mostTail)
    const before = Math.min(tail.byteLength - tailEnd, rest.byteLength)
    tail.set(rest.subarray(0, before), tailEnd)
    tailEnd += before
    if (before === rest.byteLength) return
    tail.set(rest.subarray(before), 0)
    tailEnd = rest.byteLength - before
    isWrapped = true
  }

  function take(): AnswerBytes | null {
    if (isTooLong) return null
    const ring = isWrapped ? Buffer.concat([tail.subarray(tailEnd), tail.subarray(0, tailEnd)]) : tail.subarray(0, tailEnd)
    return { contentType, contentEncoding, head: head.subarray(0, headLength), tail: ring.byteLength === 0 ? null : ring }
  }

  return { add, take }
}

/** A buffer that has room for so many more bytes, up to a limit. */
function withRoom(buffer: Buffer<ArrayBuffer>, length: number, more: number, limit: number): Buffer<ArrayBuffer> {
  if (length + more <= buffer.byteLength || buffer.byteLength >= limit) return buffer
  const size = Math.min(limit, Math.max(16_384, 2 ** Math.ceil(Math.log2(length + more))))
  const larger = Buffer.allocUnsafeSlow(size)
  larger.set(buffer.subarray(0, length))
  return larger
}

const empty = Buffer.alloc(0)
