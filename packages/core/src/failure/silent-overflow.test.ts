import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../facts.ts'
import { type SilentOverflow, type SilentOverflowInput, silentOverflow } from './silent-overflow.ts'

const used = (input: number, output = 100, cacheRead = 0): Usage => ({ input, cacheRead, cacheWrite: 0, output })
const request: SilentOverflowInput = {
  estimate: 10_000,
  usage: used(10_000),
  finish: 'stop',
  maxOutputTokens: 8192,
  window: 131_072,
}

describe('silentOverflow', () => {
  it.each<[name: string, input: Partial<SilentOverflowInput>, expected: SilentOverflow | null]>([
    ['an ordinary answer', {}, null],
    ['no usage', { usage: null }, null],
    ['more than the window, cached input included', { usage: used(71_072, 10, 60_001) }, 'accepted-too-much'],
    ['exactly the window', { usage: used(131_072, 10) }, null],
    ['more than an unknown window', { usage: used(900_000), window: null }, null],
    ['a prompt that Ollama clipped to half its window', { usage: used(2050), window: 4096 }, 'clipped'],
    ['a long prompt clipped to very little', { estimate: 60_000, usage: used(2050), window: 4096 }, 'clipped'],
    ['the same with an unknown window: it may be new input alone', { estimate: 60_000, usage: used(2050), window: null }, null],
    ['a clipped prompt of a large window', { estimate: 80_000, usage: used(30_000) }, 'clipped'],
    ['a relay that reports new input alone', { estimate: 80_000, usage: used(12) }, null],
    ['a relay that counted everything before, and now only new input', { usage: used(2000), counted: 12_000 }, null],
    ['a prompt clipped to half of the previous one', { usage: used(2050), window: 4096, counted: 3900 }, 'clipped'],
    ['an estimate that is twice too large', { usage: used(5000) }, null],
    ['a short prompt', { estimate: 4000, usage: used(1200), window: 4096 }, null],
    ['images that cost less than estimated', { estimate: 40_000, media: 33_000, usage: used(7000) }, null],
    ['an answer that ended by its own limit', { finish: 'length', usage: used(10_000, 8192) }, null],
    ['an answer that ended by the provider’s limit', { finish: 'length', usage: used(10_000, 4096) }, null],
    ['a full window and no answer', { finish: 'length', estimate: 130_000, usage: used(130_500, 0) }, 'no-room'],
    ['a full window and half an answer', { finish: 'length', estimate: 130_000, usage: used(128_000, 3072) }, 'no-room'],
    ['a full window and a complete answer', { estimate: 130_000, usage: used(128_000, 3072) }, null],
    [
      'no answer, regardless of the allowed length',
      { finish: 'length', usage: used(131_000, 0), maxOutputTokens: null },
      'no-room',
    ],
    ['absurd numbers', { estimate: Number.NaN, window: Number.POSITIVE_INFINITY, maxOutputTokens: -5 }, null],
    ['invalid usage', { usage: { input: 'many' } as unknown as Usage }, null],
  ])('sees in %s: %j', (_name, input, expected) => expect(silentOverflow({ ...request, ...input })).toBe(expected))

  const tokens = fc.integer({ min: 0, max: 300_000 })
  const window = fc.option(fc.integer({ min: 1, max: 300_000 }))
  const finish = fc.constantFrom('stop', 'length', 'tool-calls')

  it('raises no alarm where the prompt fits, its estimate is off by up to half, and the answer has its room', () => {
    let far = 0
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200_000 }),
        fc.double({ min: 0.25, max: 2, noNaN: true }),
        tokens,
        finish,
        (prompt, off, output, ended) => {
          const estimate = Math.floor(prompt * off)
          if (off > 1.9 || off < 0.5) far += 1
          const room = prompt + output + 8192
          const answer = { ...request, estimate, usage: used(prompt, output), finish: ended, window: room }
          expect(silentOverflow(answer)).toBeNull()
        },
      ),
    )
    expect(far).toBeGreaterThan(5)
  })

  it('says only what the numbers show, and each of it now and then', () => {
    const seen = new Map<SilentOverflow | null, number>()
    fc.assert(
      fc.property(
        fc.record({ estimate: tokens, usage: fc.tuple(tokens, fc.integer({ min: 0, max: 9000 })), finish, window }),
        ({ usage: [prompt, output], ...rest }) => {
          const input = Object.freeze({ ...request, ...rest, usage: used(prompt, output) })
          const found = silentOverflow(input)
          seen.set(found, (seen.get(found) ?? 0) + 1)
          if (found === 'accepted-too-much') expect(prompt).toBeGreaterThan(rest.window ?? Number.POSITIVE_INFINITY)
          if (found === 'clipped') expect(prompt).toBeLessThan(rest.estimate / 2)
          if (found === 'no-room') expect([rest.finish, prompt <= (rest.window ?? -1)]).toEqual(['length', true])
        },
      ),
      { numRuns: 5000 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 5000, max: 300_000 }), fc.integer({ min: 0, max: 7000 }), (size, output) => {
        const found = silentOverflow({
          ...request,
          estimate: 0,
          finish: 'length',
          window: size,
          usage: used(size - output, output),
        })
        seen.set(found, (seen.get(found) ?? 0) + 1)
        expect(found).toBe(size < output ? null : 'no-room')
      }),
    )
    for (const kind of ['accepted-too-much', 'clipped', 'no-room', null] as const) expect(seen.get(kind) ?? 0).toBeGreaterThan(20)
  })
})
