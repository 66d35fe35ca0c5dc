import { promisify } from 'node:util'
import { brotliDecompress, gunzip, type InputType, inflate, inflateRaw, zstdDecompress } from 'node:zlib'

/** A body unpacked, or why it is not read: `too-large` unpacked, damaged, or packed in a way that nobody here knows. */
export type Unpacked = Uint8Array | 'too-large' | 'unreadable' | 'unsupported'

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
