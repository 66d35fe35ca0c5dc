import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../../../test/property-runs.ts'
import { keepAnswer } from './answer-outlet.ts'

describe('keepAnswer', () => {
  test('keeps the first 64 KB and the last 1 MB of what passed', () => {
    const sizes = fc.array(fc.oneof(fc.nat(300), fc.nat(70_000), fc.constantFrom(65_536, 1_048_576, 1_200_000)), {
      maxLength: 12,
    })
    let wrapped = 0
    fc.assert(
      fc.property(sizes, (lengths) => {
        const kept = keepAnswer('text/event-stream', '')
        const all: Buffer[] = []
        let byte = 0
        for (const length of lengths) {
          const chunk = Buffer.alloc(length, ++byte)
          all.push(chunk)
          kept.add(chunk)
        }
        const whole = Buffer.concat(all)
        if (whole.length > 65_536 + 1_048_576) wrapped++
        const rest = whole.subarray(65_536)
        const answer = kept.take()
        expect(answer?.head.byteLength).toBe(Math.min(whole.length, 65_536))
        expect(Buffer.compare(Buffer.from(answer?.head ?? []), whole.subarray(0, 65_536))).toBe(0)
        if (rest.length === 0) expect(answer?.tail).toBeNull()
        else expect(Buffer.compare(Buffer.from(answer?.tail ?? []), rest.subarray(Math.max(0, rest.length - 1_048_576)))).toBe(0)
      }),
      {
        seed: 5,
        numRuns: tries(60),
        examples: [[[65_536, 1_048_576]], [[65_537, 1_048_575, 1]], [[65_536, 1_048_570, 10]], [[3_000_000]]],
      },
    )
    expect(wrapped).toBeGreaterThan(5)
  })

  test('keeps a packed answer in full, or not at all', () => {
    const short = keepAnswer('application/json', 'gzip')
    short.add(Buffer.alloc(3_000_000, 1))
    short.add(Buffer.alloc(1_000_000, 2))
    expect(short.take()?.head.byteLength).toBe(4_000_000)
    const long = keepAnswer('application/json', 'gzip')
    long.add(Buffer.alloc(5_000_000))
    expect(long.take()).toBeNull()
  })

  test('keeps no reference to relayed buffers', () => {
    const chunk = Buffer.from('data: 1\n\n')
    const kept = keepAnswer('text/event-stream', '')
    kept.add(chunk)
    chunk.fill(0)
    expect(Buffer.from(kept.take()?.head ?? []).toString()).toBe('data: 1\n\n')
  })
})
