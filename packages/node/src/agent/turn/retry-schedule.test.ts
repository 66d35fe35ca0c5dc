import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NextTry, nextTry } from './ask-model.ts'

const passing = (retryAfter: number | null) => ({ isTransient: true, retryAfter })
const middle = () => 0.5

describe('nextTry', () => {
  it('waits twice as long each time, and gives up after the fifth', () => {
    expect([1, 2, 3, 4, 5, 6].map((failures) => nextTry(passing(null), failures, middle))).toEqual([
      { kind: 'wait', ms: 1000 },
      { kind: 'wait', ms: 2000 },
      { kind: 'wait', ms: 4000 },
      { kind: 'wait', ms: 8000 },
      { kind: 'wait', ms: 16_000 },
      { kind: 'give-up', ms: null },
    ])
  })

  it.each<[name: string, isTransient: boolean, retryAfter: number | null, expected: NextTry]>([
    ['what the provider asks for', true, 60_000, { kind: 'wait', ms: 60_000 }],
    ['nothing, as the provider asks', true, 0, { kind: 'wait', ms: 0 }],
    ['not, where it asks for more than a minute', true, 60_001, { kind: 'give-up', ms: 60_001 }],
    ['by the schedule, where it asks for nonsense', true, Number.NaN, { kind: 'wait', ms: 4000 }],
    ['by the schedule, where it asks for the past', true, -1, { kind: 'wait', ms: 4000 }],
    ['not, where waiting does not help', false, null, { kind: 'give-up', ms: null }],
  ])('waits %s', (_name, isTransient, retryAfter, expected) =>
    expect(nextTry({ isTransient, retryAfter }, 3, middle)).toEqual(expected),
  )

  it('allows two answers that cannot be parsed in the same way, and no third', () => {
    expect([0, 1, 2, 3].map((alike) => nextTry(passing(0), 3, middle, alike).kind)).toEqual([
      'wait',
      'wait',
      'give-up',
      'give-up',
    ])
  })

  it('is never further off than a fifth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, chance) => {
        const next = nextTry(passing(null), failures, () => chance)
        const base = 1000 * 2 ** (failures - 1)
        expect(next.kind === 'wait' && next.ms >= base * 0.8 && next.ms <= base * 1.2).toBe(true)
      }),
    )
  })
})
