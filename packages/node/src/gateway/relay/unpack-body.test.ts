import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { unpackBody } from './read-request-body.ts'

describe('unpackBody', () => {
  const text = Buffer.from('{"messages":[]}'.repeat(50))

  test.each([
    ['', text],
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
  ])('unpacks %s', async (encoding, packed) => {
    expect(Buffer.from((await unpackBody(packed, encoding, 10_000)) as Uint8Array)).toEqual(text)
  })

  test.each([
    ['', Buffer.alloc(10_001)],
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(20_000))],
    ['zstd', zstdCompressSync(Buffer.alloc(20_000))],
    ['deflate', deflateSync(Buffer.alloc(20_000))],
  ])('does not unpack a bomb: %s', async (encoding, packed) => {
    expect(await unpackBody(packed, encoding, 10_000)).toBe('too-large')
  })

  test.each([
    ['gzip', 'unreadable'],
    ['zstd', 'unreadable'],
    ['br', 'unreadable'],
    ['gzip, gzip', 'unsupported'],
    ['compress', 'unsupported'],
    ['__proto__', 'unsupported'],
  ])('reports why it does not unpack %s', async (encoding, why) => {
    expect(await unpackBody(Buffer.from('not packed at all'), encoding, 10_000)).toBe(why)
  })
})
