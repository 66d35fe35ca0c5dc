import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, type InputType, inflate, inflateRaw, zstdDecompress } from 'node:zlib'

/**
 * Reads a body, one that was announced as large into memory of `bodyBytes`. Calls back with null if it is longer, or if `hold` refuses to
 * keep some of its bytes. Does not call back if the client goes away.
 */
export function collectBody(
  request: IncomingMessage,
  { announced, max, hold }: CollectOptions,
  done: (body: Buffer | null) => void,
): void {
  const chunks: Buffer[] = []
  const reserved = Math.min(announced ?? 0, 2 * maxAnnounced)
  let large: Buffer | null = null
  let length = 0
  const onData = (chunk: Buffer) => {
    const start = length
    length += chunk.byteLength
    if (length > max || !hold(chunk.byteLength)) {
      request.off('data', onData).off('end', onEnd)
      return done(null)
    }
    if (large !== null) {
      large = withRoom(large, length, max)
      large.set(chunk, start)
      return
    }
    chunks.push(chunk)
    if (reserved < minShared || length * maxReserved < reserved) return
    large = bodyBytes.take(Math.max(reserved, length))
    let end = 0
    for (const each of chunks) {
      large.set(each, end)
      end += each.byteLength
    }
    chunks.length = 0
  }
  const onEnd = () => {
    if (large !== null) done(large.subarray(0, length))
    else done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length))
  }
  request.on('data', onData).on('end', onEnd)
}

interface CollectOptions {
  /** Its length as the client told it, or null. */
  readonly announced: number | null
  readonly max: number
  readonly hold: (bytes: number) => boolean
}

/** Bytes from which on a body is read into reused memory. */
const minShared = 32 * 1024
/** How many times the memory of what has arrived is reserved for it at most: many clients may announce what never comes. */
const maxReserved = 16

/**
 * Sends a body in reused memory, and gives the memory back once the connection has sent all of it. A short one is copied: a connection asks
 * for more while its buffer has room, before it has sent what is in there.
 */
export async function* lentBody(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes.byteLength < maxBuffered ? Buffer.from(bytes) : bytes
  bodyBytes.giveBack(bytes)
}

/** The `highWaterMark` that Undici gives its connections; a test watches it. */
const maxBuffered = 64 * 1024

/**
 * Passes a body on while it arrives, no faster than it is read. At its end `done` gets a copy in memory of `bodyBytes`, or null if it is
 * longer than `max` or `hold` refuses to keep it. A reader that stops does not stop the client from sending.
 */
export function passBody(
  request: IncomingMessage,
  {
    announced,
    max,
    hold,
  }: { readonly announced: number | null; readonly max: number; readonly hold: (bytes: number) => boolean },
  done: (copy: Uint8Array | null) => void,
): { readonly stream: Readable; readonly length: () => number } {
  let copy = max > 0 ? bodyBytes.take(Math.min(announced ?? maxAnnounced, maxAnnounced)) : null
  let length = 0
  const stream = new Readable({
    highWaterMark: 256 * 1024,
    read: () => request.resume(),
    destroy: (error, callback) => {
      request.resume()
      callback(error)
    },
  })
  request.on('data', (chunk: Buffer) => {
    if (!stream.destroyed && !stream.push(chunk)) request.pause()
    if (copy !== null) {
      const isKept = length + chunk.byteLength <= max && hold(chunk.byteLength)
      copy = isKept ? withRoom(copy, length + chunk.byteLength, max) : null
      copy?.set(chunk, length)
    }
    length += chunk.byteLength
  })
  request.on('end', () => {
    if (!stream.destroyed) stream.push(null)
    done(copy === null ? null : copy.subarray(0, length))
  })
  request.on('close', () => {
    if (!request.complete) stream.destroy()
  })
  return { stream, length: () => length }
}

/** Bytes that are reserved before they arrive: what is announced need not come. */
const maxAnnounced = 1024 * 1024

function withRoom(buffer: Buffer, length: number, max: number): Buffer {
  if (length <= buffer.byteLength) return buffer
  const larger = bodyBytes.take(Math.min(max, Math.max(length, buffer.byteLength * 2)))
  larger.set(buffer)
  bodyBytes.giveBack(buffer)
  return larger
}

/** Unpacks a body by its `content-encoding`, up to this many bytes, or says why it cannot be read. */
export async function unpackBody(
  body: Uint8Array,
  encoding: string,
  max: number,
): Promise<Uint8Array | 'too-large' | 'unreadable' | 'unsupported'> {
  if (encoding === '') return body.byteLength > max ? 'too-large' : body
  const unpack = unpackers.get(encoding)
  if (unpack === undefined) return 'unsupported'
  try {
    // Every piece is a turn of the event loop, and what unpacks to far more than any request is not one.
    const likely = Math.max(minLikely, body.byteLength * maxPacking)
    const chunkSize = Math.min(2 ** 18, Math.max(2 ** 14, body.byteLength * 4))
    return await unpack(body, { maxOutputLength: Math.min(max, likely), chunkSize })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'unreadable'
  }
}

/** Bytes that any body may unpack to, and how many times its length a longer one. Requests are packed to a tenth, repeated text to a fortieth. */
const minLikely = 4_000_000
const maxPacking = 100

type Unpack = (body: InputType, options: { readonly maxOutputLength: number; readonly chunkSize: number }) => Promise<Buffer>

const unwrapped: Unpack = promisify(inflateRaw)
const wrapped: Unpack = promisify(inflate)

const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  // The name means two formats: with a header, and without, as some clients send it.
  ['deflate', (body, options) => (((body as Uint8Array)[0] ?? 0) % 16 === 8 ? wrapped(body, options) : unwrapped(body, options))],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
])

interface SharedBytesOptions {
  /** Default: 16 MB. */
  readonly maxKeptBytes?: number
  /** Default: 4 MB. */
  readonly largest?: number
}

/** Memory that two threads share and that is used again: new large buffers for each request would keep the collector busy. */
export function createSharedBytes({ maxKeptBytes = 2 ** 24, largest = 2 ** 22 }: SharedBytesOptions = {}) {
  const free = new Map<number, SharedArrayBuffer[]>()
  const lentAgain = new WeakMap<SharedArrayBuffer, number>()
  let kept = 0
  return {
    /** Bytes with any content; not shared if they are too many to be kept. */
    take: (length: number): Buffer => {
      const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(Math.max(1, length))))
      if (size > largest) return Buffer.allocUnsafeSlow(length)
      const known = free.get(size)?.pop()
      if (known !== undefined) kept -= size
      return Buffer.from(known ?? new SharedArrayBuffer(size), 0, length)
    },
    /** Lends the same bytes once more: they have to be given back once more. */
    lendAgain: ({ buffer }: Uint8Array): void => {
      if (buffer instanceof SharedArrayBuffer) lentAgain.set(buffer, (lentAgain.get(buffer) ?? 0) + 1)
    },
    /** Accepts lent bytes that are no longer used. Other memory is ignored. */
    giveBack: ({ buffer }: Uint8Array): void => {
      if (!(buffer instanceof SharedArrayBuffer)) return
      const others = lentAgain.get(buffer) ?? 0
      if (others > 0) return void lentAgain.set(buffer, others - 1)
      if (kept + buffer.byteLength > maxKeptBytes) return
      kept += buffer.byteLength
      const list = free.get(buffer.byteLength)
      if (list === undefined) free.set(buffer.byteLength, [buffer])
      else list.push(buffer)
    },
  }
}

const smallest = 2 ** 16

export function isShared({ buffer }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer
}

/** The bodies on their way to the planner of this process. */
export const bodyBytes = createSharedBytes()
