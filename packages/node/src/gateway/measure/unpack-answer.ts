import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { AnswerBytes } from '../planner.ts'
import type { AnswerText } from './answer-usage.ts'

interface UnpackOptions {
  /** Default: 32 MB. */
  readonly maxBytes?: number
}

/**
 * The text of an answer's bytes, as far as they were kept. Packed bytes can only be read from their beginning, so the end of a long packed
 * answer is unknown. Null if the bytes are damaged, packed in an unknown way, or unpack to too much.
 */
export function unpackAnswer(
  { contentEncoding, head, tail }: AnswerBytes,
  { maxBytes = 32 * 1024 * 1024 }: UnpackOptions = {},
): AnswerText | null {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (encodings.length === 0) return { head: decoder.decode(head), tail: tail === null ? null : decoder.decode(tail) }
  if (encodings.length > maxEncodings) return null
  let bytes: Uint8Array | undefined = head
  try {
    for (const name of encodings.reverse()) if (bytes !== undefined) bytes = unpackers.get(name)?.(bytes, maxBytes)
  } catch {
    return null
  }
  return bytes === undefined ? null : { head: decoder.decode(bytes), tail: tail === null ? null : '' }
}

const maxEncodings = 3
const decoder = new TextDecoder()

type Unpacker = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array

const unzip: Unpacker = (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength, finishFlush })

/** Each returns what it can of bytes that are cut off. */
const unpackers: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', inflated],
  [
    'br',
    (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  ],
  ['zstd', (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush })],
])

const finishFlush = constants.Z_SYNC_FLUSH

/** Some mean the format of that name, some the bare algorithm. */
function inflated(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength, finishFlush })
  } catch {
    return inflateRawSync(bytes, { maxOutputLength, finishFlush })
  }
}
