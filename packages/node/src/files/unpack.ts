import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'

/** A stream that is packed and cannot be unpacked, or not to its end. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError'
  /** `limit` where it would become larger than anything of its size should be. */
  readonly kind: 'damaged' | 'limit'
  readonly limit: number

  constructor(kind: UnpackError['kind'], message: string, limit = 0) {
    super(message)
    this.kind = kind
    this.limit = limit
  }
}

/** What is unpacked may always be this large. */
const freeSize = 256_000_000
/** Beyond that, so many times what it was: text of agents shrinks to a tenth, and a bomb to a thousandth. */
const mostTimes = 250

/**
 * Passes bytes on as they are, or unpacked where they begin as gzip or Zstandard does. Throws `UnpackError` where that fails, after
 * everything that could be unpacked was passed on.
 */
export async function* unpackBytes(bytes: AsyncIterable<Uint8Array>, free: number = freeSize): AsyncGenerator<Uint8Array, void> {
  const chunks = bytes[Symbol.asyncIterator]()
  try {
    const first = await firstBytes(chunks)
    const packing = packingOf(first)
    if (packing === null) yield* rejoined(first, chunks)
    else yield* unpacked(rejoined(first, chunks), packing, free)
  } finally {
    await chunks.return?.()
  }
}

type Packing = 'gzip' | 'zstd'

/** Enough to tell one from the other. */
const markLength = 4

async function firstBytes(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let first: Buffer = Buffer.alloc(0)
  while (first.length < markLength) {
    const { value, done } = await chunks.next()
    if (done === true) break
    first = first.length === 0 ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.concat([first, value])
  }
  return first
}

function packingOf(first: Buffer): Packing | null {
  if (first.length < markLength) return null
  if (first[0] === 0x1f && first[1] === 0x8b && first[2] === 0x08) return 'gzip'
  return isZstdFrame(first) ? 'zstd' : null
}

async function* rejoined(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  if (first.length > 0) yield first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

async function* unpacked(
  packed: AsyncGenerator<Uint8Array, void>,
  packing: Packing,
  free: number,
): AsyncGenerator<Uint8Array, void> {
  const meter: Meter = { taken: 0, given: 0, free }
  const counted = counting(packed, meter)
  if (packing === 'gzip') return yield* unpackedBy(createGunzip(unpackOptions), counted, meter)
  for await (const frame of zstdFrames(counted)) {
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
  const source = Readable.from(packed)
  // What goes wrong is told by whoever reads from the other end.
  pipeline(source, unpacker).catch(() => undefined)
  try {
    for await (const chunk of unpacker as AsyncIterable<Uint8Array>) {
      meter.given += chunk.byteLength
      const limit = Math.max(meter.free, meter.taken * mostTimes)
      if (meter.given > limit) throw new UnpackError('limit', 'more than anything of this size should hold', limit)
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

async function* counting(bytes: AsyncIterable<Uint8Array>, meter: Meter): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes) {
    meter.taken += chunk.byteLength
    yield chunk
  }
}

/** One frame of a Zstandard stream on its way. */
interface ZstdFrame {
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Whether it came to its end, once all its bytes were taken. */
  readonly isWhole: () => boolean
}

/**
 * Cuts a Zstandard stream into its frames: Node's own unpacker stops behind the first one, and takes one that was cut off for a
 * whole one. The bytes of a frame must be taken before the next frame is asked for. Ends where something else than a frame begins.
 */
async function* zstdFrames(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ZstdFrame, void> {
  const source = createSource(stream)
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

/** Whether bytes begin as a frame does. */
function isZstdFrame(bytes: Buffer): boolean {
  return isSkipped(bytes) || (bytes.length >= 4 && bytes.readUInt32LE(0) === frameMagic)
}

const frameMagic = 0xfd2fb528

/** Frames with these marks hold something else, and are left out. */
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
    // A block of one byte over and over holds only that byte.
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

/** How long the rest of a frame's header is: window, dictionary and size of the content. */
function headerLength(descriptor: number): number {
  const isSingle = (descriptor & 0x20) !== 0
  const content = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0
  return (isSingle ? 0 : 1) + dictionary + content
}

interface Source {
  /** So many bytes, or fewer at the end. */
  readonly take: (count: number) => Promise<Buffer>
  /** So many bytes in pieces as they come, or fewer at the end. */
  readonly pass: (count: number) => AsyncGenerator<Uint8Array, void>
}

function createSource(stream: AsyncIterable<Uint8Array>): Source {
  const chunks = stream[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  return { take, pass }

  /** Whether there is at least one byte. */
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
