import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, type InputType, inflate, inflateRaw, zstdDecompress } from 'node:zlib'

/** Reads a whole body, or says that it is too long and reads no further. Says nothing where the client goes away. */
export function collectBody(request: IncomingMessage, most: number, done: (body: Buffer | null) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  const onData = (chunk: Buffer) => {
    length += chunk.byteLength
    if (length <= most) {
      chunks.push(chunk)
      return
    }
    request.off('data', onData).off('end', onEnd)
    done(null)
  }
  const onEnd = () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length))
  request.on('data', onData).on('end', onEnd)
}

/** What is kept of a body that passes. */
export interface PassingBody {
  readonly stream: Readable
  /** Bytes that came so far. */
  readonly length: () => number
}

/**
 * Passes a body on while it comes, no faster than it is taken. A copy of it is given away at its end, unless it is longer than is wanted:
 * then null; it is in memory of `bodyBytes`. Whoever stops taking it does not stop the client from sending.
 */
export function passBody(
  request: IncomingMessage,
  { announced, most }: { readonly announced: number | null; readonly most: number },
  done: (copy: Uint8Array | null) => void,
): PassingBody {
  // What is announced need not come.
  let copy = most > 0 ? bodyBytes.take(Math.min(announced ?? mostAnnounced, mostAnnounced)) : null
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
      copy = length + chunk.byteLength > most ? null : withRoom(copy, length + chunk.byteLength, most)
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

/** Bytes for which there is room before they came. */
const mostAnnounced = 1024 * 1024

/** A buffer of at least so many bytes that begins with the same ones, which are given back. */
function withRoom(buffer: Buffer, length: number, most: number): Buffer {
  if (length <= buffer.byteLength) return buffer
  const larger = bodyBytes.take(Math.min(most, Math.max(length, buffer.byteLength * 2)))
  larger.set(buffer)
  bodyBytes.giveBack(buffer)
  return larger
}

/** A body unpacked, or why it is not read: `too-large` unpacked, damaged, or packed in a way that nobody here knows. */
type Unpacked = Uint8Array | 'too-large' | 'unreadable' | 'unsupported'

/** Unpacks a body by its `content-encoding`, and stops at so many bytes: a small body may be packed out of an endless one. */
export async function unpackBody(body: Uint8Array, encoding: string, most: number): Promise<Unpacked> {
  if (encoding === '') return body.byteLength > most ? 'too-large' : body
  const unpack = unpackers.get(encoding)
  if (unpack === undefined) return 'unsupported'
  try {
    return await unpack(body, { maxOutputLength: most })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'unreadable'
  }
}

type Unpack = (body: InputType, options: { readonly maxOutputLength: number }) => Promise<Buffer>

const unzip: Unpack = promisify(gunzip)
const unwrapped: Unpack = promisify(inflateRaw)
const wrapped: Unpack = promisify(inflate)
const unpackBrotli: Unpack = promisify(brotliDecompress)
const unpackZstandard: Unpack = promisify(zstdDecompress)

const unpackers: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', unzip],
  ['x-gzip', unzip],
  // The name stands for two formats: with a header of its own, and without, as some clients send it.
  ['deflate', (body, options) => (((body as Uint8Array)[0] ?? 0) % 16 === 8 ? wrapped(body, options) : unwrapped(body, options))],
  ['br', unpackBrotli],
  ['zstd', unpackZstandard],
])

/** Memory that two threads see and that is used again and again: large pieces made anew for each request keep a process collecting garbage. */
interface SharedBytes {
  /** So many bytes, with whatever stood in them before; of their own where they are too many to be kept. */
  readonly take: (length: number) => Buffer
  /** Takes back what nobody looks at any more. What is not of this kind is left alone. */
  readonly giveBack: (bytes: Uint8Array) => void
}

/** How much is kept for later. */
interface SharedBytesOptions {
  /** Default: 16 MB. */
  readonly mostKept?: number
  /** Default: 4 MB. */
  readonly largest?: number
}

/** Pieces of a power of two each, none yet. */
export function createSharedBytes({ mostKept = 2 ** 24, largest = 2 ** 22 }: SharedBytesOptions = {}): SharedBytes {
  const free = new Map<number, SharedArrayBuffer[]>()
  let kept = 0
  return {
    take(length) {
      const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(Math.max(1, length))))
      if (size > largest) return Buffer.allocUnsafeSlow(length)
      const known = free.get(size)?.pop()
      if (known !== undefined) kept -= size
      return Buffer.from(known ?? new SharedArrayBuffer(size), 0, length)
    },
    giveBack({ buffer }) {
      if (!(buffer instanceof SharedArrayBuffer) || kept + buffer.byteLength > mostKept) return
      kept += buffer.byteLength
      const list = free.get(buffer.byteLength)
      if (list === undefined) free.set(buffer.byteLength, [buffer])
      else list.push(buffer)
    },
  }
}

const smallest = 2 ** 16

/** Whether bytes are of this kind. */
export function isShared({ buffer }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer
}

/** The bodies on their way to the planner of this process. */
export const bodyBytes: SharedBytes = createSharedBytes()
