import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib'
import type { AnswerBytes } from '../planner.ts'
import type { AnswerText } from './answer-usage.ts'

/** How much an answer may grow when it is unpacked. */
export interface UnpackOptions {
  /** Default: 32 MB. */
  readonly mostBytes?: number
}

/**
 * The text of an answer's bytes as far as they were kept. Packed bytes can only be read from their beginning, so the end of a long
 * packed answer is not known. Null where the bytes are not what they say, are packed in a way nobody knows, or unpack to too much.
 */
export function unpackAnswer(
  { contentEncoding, head, tail }: AnswerBytes,
  { mostBytes = 32 * 1024 * 1024 }: UnpackOptions = {},
): AnswerText | null {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (encodings.length === 0) return { head: textOf(head), tail: tail === null ? null : textOf(tail) }
  if (encodings.length > mostEncodings) return null
  let bytes = head
  for (const name of encodings.reverse()) {
    const unpacked = unpack(name, bytes, mostBytes)
    if (unpacked === null) return null
    bytes = unpacked
  }
  return { head: textOf(bytes), tail: tail === null ? null : '' }
}

const mostEncodings = 3

function unpack(name: string, bytes: Uint8Array, mostBytes: number): Uint8Array | null {
  const unpacker = unpackers.get(name)
  try {
    return unpacker === undefined ? null : unpacker(bytes, mostBytes)
  } catch {
    return null
  }
}

type Unpacker = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array

/** Each gives what it can of bytes that break off. */
const unpackers: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ['gzip', (bytes, maxOutputLength) => gunzipSync(bytes, zlibOptions(maxOutputLength))],
  ['x-gzip', (bytes, maxOutputLength) => gunzipSync(bytes, zlibOptions(maxOutputLength))],
  ['deflate', inflated],
  [
    'br',
    (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  ],
  ['zstd', (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush })],
])

/** Some mean the format of that name, some the bare algorithm. */
function inflated(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    return inflateSync(bytes, zlibOptions(maxOutputLength))
  } catch {
    return inflateRawSync(bytes, zlibOptions(maxOutputLength))
  }
}

function zlibOptions(maxOutputLength: number): ZlibOptions {
  return { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }
}

function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

const decoder = new TextDecoder()
