import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unpackAnswer } from './unpack-answer.ts'

const text = Array.from({ length: 400 }, (_, index) => `data: {"n":${index},"text":"über ${(index * 7919) % 9973}"}\n\n`).join('')
const answer = (contentEncoding: string, head: Uint8Array, tail: Uint8Array | null = null) => ({
  contentType: 'text/event-stream',
  contentEncoding,
  head,
  tail,
})
const packers: readonly (readonly [encoding: string, pack: (bytes: Uint8Array) => Uint8Array])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['GZIP , br', (bytes) => brotliCompressSync(gzipSync(bytes))],
]

describe('unpackAnswer', () => {
  it.each(packers)('reads %s', (encoding, pack) =>
    expect(unpackAnswer(answer(encoding, pack(Buffer.from(text))))).toEqual({ head: text, tail: null }),
  )

  it.each(packers.slice(0, 6))('reads the beginning of %s that was cut off', (encoding, pack) => {
    const packed = pack(Buffer.from(text.repeat(20)))
    const read = unpackAnswer(answer(encoding, packed.subarray(0, Math.floor(packed.length * 0.9)), Buffer.from('the end')))
    expect([read?.tail, text.repeat(20).startsWith((read?.head ?? '?').slice(0, -2))]).toEqual(['', true])
  })

  it.each(['', 'identity'])('returns plain bytes unchanged: "%s"', (encoding) => {
    const bytes = Buffer.from('über')
    expect(unpackAnswer(answer(encoding, bytes, bytes.subarray(1)))).toEqual({ head: 'über', tail: '\ufffdber' })
  })

  it.each(packers)('stops at a bomb of %s', (encoding, pack) => {
    const bomb = pack(Buffer.alloc(3_000_000, 'x'))
    expect([
      unpackAnswer(answer(encoding, bomb), { maxBytes: 2_000_000 }),
      unpackAnswer(answer(encoding, bomb))?.head.length,
    ]).toEqual([null, 3_000_000])
  })

  it.each([
    ['gzip', Buffer.from('not packed at all')],
    ['br', Buffer.from([0xff, 0xff, 0xff])],
    ['zstd', Buffer.from('nor this')],
    ['compress', gzipSync('x')],
    ['gzip, gzip, gzip, gzip', gzipSync('x')],
    ['__proto__', gzipSync('x')],
  ])('returns null for bytes that are not %s although labelled so', (encoding, bytes) =>
    expect(unpackAnswer(answer(encoding, bytes))).toBeNull(),
  )
})
