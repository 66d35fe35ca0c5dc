import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spliceBytes } from '../relay/plan-request.ts'

describe('spliceBytes', () => {
  test('replaces ranges and keeps everything else', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.uint8Array({ maxLength: 12 })), { maxLength: 5 }),
        (body, steps) => {
          let at = 0
          const expected: number[] = []
          const splices = []
          for (const [skip, length, bytes] of steps) {
            const start = Math.min(body.length, at + skip)
            const end = Math.min(body.length, start + length)
            expected.push(...body.subarray(at, start), ...bytes)
            splices.push({ start, end, bytes })
            at = end
          }
          expected.push(...body.subarray(at))
          expect([...(spliceBytes(body, splices) ?? [])]).toEqual(expected)
        },
      ),
      { seed: 3 },
    )
  })

  test.each([
    [[{ start: 4, end: 3 }]],
    [[{ start: 0, end: 11 }]],
    [[{ start: -1, end: 2 }]],
    [[{ start: 0.5, end: 2 }]],
    [
      [
        { start: 0, end: 5 },
        { start: 4, end: 6 },
      ],
    ],
    [
      [
        { start: 6, end: 7 },
        { start: 1, end: 2 },
      ],
    ],
  ])('refuses ranges that do not fit: %j', (ranges) => {
    expect(
      spliceBytes(
        new Uint8Array(10),
        ranges.map((range) => ({ ...range, bytes: new Uint8Array(1) })),
      ),
    ).toBeNull()
  })
})
