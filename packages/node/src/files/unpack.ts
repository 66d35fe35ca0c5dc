import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { isZstdFrame, type ZstdFrame, zstdFrames } from './zstd-frames.ts'

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
