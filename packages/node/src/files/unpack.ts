import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'

/** A packed stream that cannot be unpacked, or not to its end. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError'
  /** `limit` if it would become suspiciously large. */
  readonly kind: 'damaged' | 'limit'
  readonly limit: number

  constructor(kind: UnpackError['kind'], message: string, limit = 0) {
    super(message)
    this.kind = kind
    this.limit = limit
  }
}

const freeSize = 256_000_000
/** Beyond that, at most this many times the packed size: logs shrink to a tenth, a bomb to a thousandth. */
const maxTimes = 250

/** Unpacks gzip and Zstandard, and passes other bytes unchanged. Throws `UnpackError` after everything that could be unpacked. */
export async function* unpackBytes(bytes: AsyncIterable<Uint8Array>, free: number = freeSize): AsyncGenerator<Uint8Array, void> {
  const chunks = bytes[Symbol.asyncIterator]()
  const source = createSource(chunks)
  try {
    const first = await source.take(4)
    const meter: Meter = { taken: 0, given: 0, free }
    const isGzip = first.length === 4 && first.readUIntBE(0, 3) === 0x1f8b08
    const isZstd = isSkipped(first) || (first.length >= 4 && first.readUInt32LE(0) === frameMagic)
    if (isGzip) yield* unpackedBy(createGunzip(unpackOptions), counting(first, source, meter), meter)
    else if (isZstd) yield* unpackedFrames(counting(first, source, meter), meter)
    else yield* counting(first, source, meter)
  } finally {
    await chunks.return?.()
  }
}

async function* unpackedFrames(packed: AsyncGenerator<Uint8Array, void>, meter: Meter): AsyncGenerator<Uint8Array, void> {
  for await (const frame of zstdFrames(packed)) {
    yield* unpackedBy(createZstdDecompress(unpackOptions), frame.bytes, meter)
    if (!frame.isWhole()) throw new UnpackError('damaged', 'ZSTD_CUT_OFF')
  }
}

const unpackOptions = { chunkSize: 1 << 18 }

interface Meter {
  taken: number
  given: number
  readonly free: number
}

async function* unpackedBy(unpacker: Duplex, packed: ZstdFrame['bytes'], meter: Meter): AsyncGenerator<Uint8Array, void> {
  const isDrained = () => unpacker.destroyed || source.readableLength + unpacker.writableLength + unpacker.readableLength === 0
  const source: Readable = Readable.from(drainedBeforeEnd(packed, isDrained))
  pipeline(source, unpacker).catch(() => undefined)
  try {
    for await (const chunk of unpacker as AsyncIterable<Uint8Array>) {
      meter.given += chunk.byteLength
      const limit = Math.max(meter.free, meter.taken * maxTimes)
      if (meter.given > limit) throw new UnpackError('limit', 'unpacks to more than its size allows', limit)
      yield chunk
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw code.startsWith('Z') ? new UnpackError('damaged', code) : error
  } finally {
    source.destroy()
    unpacker.destroy()
  }
}

/** An unpacker drops unread output if its input is cut off, so the input ends only once everything was read. */
async function* drainedBeforeEnd(packed: ZstdFrame['bytes'], isDrained: () => boolean): AsyncGenerator<Uint8Array, void> {
  yield* packed
  while (!isDrained()) await pause(1)
}

async function* counting(first: Buffer, rest: Source, meter: Meter): AsyncGenerator<Uint8Array, void> {
  meter.taken += first.length
  if (first.length > 0) yield first
  for await (const chunk of rest.pass(Number.POSITIVE_INFINITY)) {
    meter.taken += chunk.byteLength
    yield chunk
  }
}

interface ZstdFrame {
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Valid once all its bytes were taken. */
  readonly isWhole: () => boolean
}

/** Node's unpacker stops after the first frame, and accepts one that was cut off. Take all bytes of a frame before the next. */
async function* zstdFrames(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ZstdFrame, void> {
  const source = createSource(stream[Symbol.asyncIterator]())
  for (let magic = await source.take(4); magic.length > 0; magic = await source.take(4)) {
    if (isSkipped(magic)) {
      if (await skipFrame(source)) continue
      return yield { bytes: [], isWhole: () => false }
    }
    const state = { isWhole: false }
    yield { bytes: frameBytes(magic, source, state), isWhole: () => state.isWhole }
    if (!state.isWhole) return
  }
}

const frameMagic = 0xfd2fb528

/** Skippable frames hold other data. */
function isSkipped(magic: Buffer): boolean {
  return magic.length >= 4 && (magic.readUInt32LE(0) & 0xfffffff0) >>> 0 === 0x184d2a50
}

async function skipFrame(source: Source): Promise<boolean> {
  const size = await source.take(4)
  if (size.length < 4) return false
  let left = size.readUInt32LE(0)
  for await (const piece of source.pass(left)) left -= piece.byteLength
  return left === 0
}

async function* frameBytes(magic: Buffer, source: Source, state: { isWhole: boolean }): AsyncGenerator<Uint8Array, void> {
  if (magic.length < 4 || magic.readUInt32LE(0) !== frameMagic) return
  const [descriptor] = await source.take(1)
  if (descriptor === undefined) return
  yield magic
  yield Buffer.of(descriptor)
  const header = headerLength(descriptor)
  const rest = await source.take(header)
  yield rest
  if (rest.length < header) return
  for (let isLast = false; !isLast; ) {
    const head = await source.take(3)
    yield head
    if (head.length < 3) return
    const block = head.readUIntLE(0, 3)
    isLast = (block & 1) === 1
    // A run-length block holds only one byte.
    let left = ((block >> 1) & 3) === 1 ? 1 : block >> 3
    for await (const piece of source.pass(left)) {
      left -= piece.byteLength
      yield piece
    }
    if (left > 0) return
  }
  const checksum = (descriptor & 4) === 4 ? 4 : 0
  const sum = await source.take(checksum)
  yield sum
  state.isWhole = sum.length === checksum
}

/** Window, dictionary and size of the content. */
function headerLength(descriptor: number): number {
  const isSingle = (descriptor & 0x20) !== 0
  const content = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0
  return (isSingle ? 0 : 1) + dictionary + content
}

interface Source {
  readonly take: (count: number) => Promise<Buffer>
  readonly pass: (count: number) => AsyncGenerator<Uint8Array, void>
}

function createSource(chunks: AsyncIterator<Uint8Array>): Source {
  let held: Buffer = Buffer.alloc(0)
  return { take, pass }

  async function fill(): Promise<boolean> {
    while (held.length === 0) {
      const { value, done } = await chunks.next()
      if (done === true) return false
      held = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
    return true
  }

  async function take(count: number): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    for await (const piece of pass(count)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async function* pass(count: number): AsyncGenerator<Uint8Array, void> {
    for (let left = count; left > 0 && (await fill()); ) {
      const piece = held.subarray(0, left)
      held = held.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
}
