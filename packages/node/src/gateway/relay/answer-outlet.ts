import type { ServerResponse } from 'node:http'
import type { AnswerBytes } from '../planner.ts'

export type AnswerOutlet = ReturnType<typeof openOutlet>

interface OutletOptions {
  /** Called when the client has to catch up, and when it has. */
  readonly pause: () => void
  readonly resume: () => void
  /** Seconds of silence after which a comment is sent, for an event stream; null sends none. */
  readonly keepAliveSeconds: number | null
}

const maxWaiting = 64 * 1024

/**
 * Writes an answer after its head. Everything that arrives in one turn of the event loop goes out in one piece at its end, with the
 * headers: a burst of events costs one write, and nothing waits for later bytes.
 */
export function openOutlet(response: ServerResponse, { pause, resume, keepAliveSeconds }: OutletOptions) {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let hasBegun = false
  let isScheduled = true
  let silence: NodeJS.Timeout | null = null
  let boundary: ReturnType<typeof followEvents> | null = null

  function write(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return
    waiting.push(bytes)
    waitingBytes += bytes.byteLength
    if (waitingBytes >= maxWaiting) return flush()
    if (isScheduled) return
    isScheduled = true
    process.nextTick(onTurn)
  }

  function onTurn(): void {
    isScheduled = false
    flush()
  }

  /** Sends everything that was written; the answer is not over. */
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
  // An empty piece sends the headers; the method that is meant for it would write them in another encoding.
  process.nextTick(onTurn)
  if (keepAliveSeconds !== null) {
    boundary = followEvents()
    silence = setTimeout(breakSilence, keepAliveSeconds * 1000).unref()
  }
  return { write, flush, end }
}

const nothing = new Uint8Array()

/** A comment that clients of event streams skip. */
const keepAliveComment: Uint8Array = new TextEncoder().encode(': keep-alive\n\n')

/** Whether an event stream is between two events. After a lone carriage return it is not: the other half of the line's end may follow. */
export function followEvents() {
  let last = lineFeed
  let second = lineFeed
  let third = 0

  return {
    add: (chunk: Uint8Array): void => {
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

export type KeptAnswer = ReturnType<typeof keepAnswer>

const maxHead = 64 * 1024
const maxTail = 1024 * 1024
const maxPacked = 4 * 1024 * 1024

/** Copies what is needed to read an answer's usage: the beginning and the end, or all of it if it is packed. */
export function keepAnswer(contentType: string, contentEncoding: string) {
  const isPacked = contentEncoding !== '' && contentEncoding !== 'identity'
  const limit = isPacked ? maxPacked : maxHead
  // Most answers are short, and memory of this size is free.
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
    if (rest.byteLength > maxTail) rest = rest.subarray(rest.byteLength - maxTail)
    if (!isWrapped && tail.byteLength < maxTail) tail = withRoom(tail, tailEnd, rest.byteLength, maxTail)
    const before = Math.min(tail.byteLength - tailEnd, rest.byteLength)
    tail.set(rest.subarray(0, before), tailEnd)
    tailEnd += before
    if (before === rest.byteLength) return
    tail.set(rest.subarray(before), 0)
    tailEnd = rest.byteLength - before
    isWrapped = true
  }

  /** Null if a packed answer was too long to be unpacked. */
  function take(): AnswerBytes | null {
    if (isTooLong) return null
    const ring = isWrapped ? Buffer.concat([tail.subarray(tailEnd), tail.subarray(0, tailEnd)]) : tail.subarray(0, tailEnd)
    return { contentType, contentEncoding, head: head.subarray(0, headLength), tail: ring.byteLength === 0 ? null : ring }
  }

  return { add, take }
}

function withRoom(buffer: Buffer<ArrayBuffer>, length: number, more: number, limit: number): Buffer<ArrayBuffer> {
  if (length + more <= buffer.byteLength || buffer.byteLength >= limit) return buffer
  const size = Math.min(limit, Math.max(16_384, 2 ** Math.ceil(Math.log2(length + more))))
  const larger = Buffer.allocUnsafeSlow(size)
  larger.set(buffer.subarray(0, length))
  return larger
}

const empty = Buffer.alloc(0)
