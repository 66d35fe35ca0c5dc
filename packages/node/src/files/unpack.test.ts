import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { UnpackError, unpackBytes } from './unpack.ts'

const text = Buffer.from(Array.from({ length: 20_000 }, (_, line) => `line ${line * 7919}\n`).join(''))
const again = Buffer.from('and so on\n')

async function* inPieces(bytes: Uint8Array, size = 700): AsyncGenerator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function unpack(bytes: Uint8Array, size?: number, free?: number) {
  const chunks: Uint8Array[] = []
  let error: unknown
  try {
    for await (const chunk of unpackBytes(inPieces(bytes, size), free)) chunks.push(chunk)
  } catch (thrown) {
    error = thrown
  }
  return { bytes: Buffer.concat(chunks), error }
}

const skipped = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])

describe('unpackBytes', () => {
  it('passes on everything before the place where gzip is cut off, however slowly it is read', async () => {
    const whole = Buffer.concat(Array.from({ length: 4 }, () => text))
    let given = 0
    let error: unknown
    try {
      for await (const chunk of unpackBytes(inPieces(gzipSync(whole).subarray(0, -60), 1 << 20))) {
        given += chunk.byteLength
        await pause(20)
      }
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(UnpackError)
    expect(given).toBeGreaterThan(whole.length * 0.99)
  })

  it.each<[string, Uint8Array, Uint8Array]>([
    ['nothing', Buffer.alloc(0), Buffer.alloc(0)],
    ['a byte', Buffer.from('{'), Buffer.from('{')],
    ['text', text, text],
    ['gzip', gzipSync(text), text],
    ['gzip twice over', Buffer.concat([gzipSync(text), gzipSync(again)]), Buffer.concat([text, again])],
    ['Zstandard', zstdCompressSync(text), text],
    [
      'Zstandard in several frames',
      Buffer.concat([skipped, zstdCompressSync(text), skipped, zstdCompressSync(again)]),
      Buffer.concat([text, again]),
    ],
  ])('unpacks %s in pieces of any size', async (_, packed, whole) => {
    for (const size of [41, 700, 1 << 20]) expect(await unpack(packed, size)).toEqual({ bytes: whole, error: undefined })
  })

  it.each([
    ['gzip', gzipSync(text)],
    ['Zstandard', zstdCompressSync(text)],
    ['Zstandard, in its second frame', Buffer.concat([zstdCompressSync(text), zstdCompressSync(text)])],
  ])('returns the readable part of %s that was cut off, and reports it', async (_, packed) => {
    const { bytes, error } = await unpack(packed.subarray(0, -30))
    expect(error).toMatchObject({ name: 'UnpackError', kind: 'damaged' })
    expect(bytes.length).toBeGreaterThan(1000)
    expect(Buffer.concat([text, text]).subarray(0, bytes.length)).toEqual(bytes)
  })

  it('reports other bytes after a frame', async () => {
    const { bytes, error } = await unpack(Buffer.concat([zstdCompressSync(text), Buffer.from('something else')]))
    expect(bytes).toEqual(text)
    expect(error).toBeInstanceOf(UnpackError)
  })

  it('fails only with its own error if any byte is changed or missing', async () => {
    for (const packed of [gzipSync(again), zstdCompressSync(text)])
      for (let at = 4; at < packed.length; at += Math.ceil(packed.length / 40)) {
        const changed = Buffer.from(packed)
        changed[at] = (changed[at] ?? 0) ^ 0xff
        for (const bytes of [changed, packed.subarray(0, at)]) {
          const { error } = await unpack(bytes)
          expect(error === undefined || error instanceof UnpackError).toBe(true)
        }
      }
  })

  it('stops at what grows beyond all measure', async () => {
    const bomb = Buffer.alloc(50_000_000)
    for (const packed of [gzipSync(bomb), zstdCompressSync(bomb)]) {
      const { bytes, error } = await unpack(packed, 1 << 20, 1_000_000)
      const limit = Math.max(1_000_000, packed.length * 250)
      expect(error).toMatchObject({ kind: 'limit', limit })
      expect(bytes.length).toBeLessThanOrEqual(limit)
    }
  })
})
