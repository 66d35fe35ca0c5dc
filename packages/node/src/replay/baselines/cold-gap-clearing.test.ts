import type { Facts, Message } from '@plimsoll/core'
import type { CacheTerms } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import { coldGapClearing } from './mask-old-results.ts'
import { planAfter, replacedBy, toolRound } from './testing/tool-rounds.ts'

const minute = 60_000
const rounds = (count: number): readonly Message[] =>
  Array.from({ length: count }, (_, index) => toolRound(`r${index}`, 'some output', { at: 0 })).flat()
const lasting = (lifetimeSeconds: number | null): CacheTerms => ({ read: 0.1, write: 1.25, lifetimeSeconds })

describe('cold-gap-clearing', () => {
  it.each<readonly [string, Facts, readonly string[]]>([
    ['exactly five minutes', { now: 5 * minute }, []],
    ['more than five minutes', { now: 5 * minute + 1 }, ['r0', 'r1']],
    ['half an hour, if the cache lasts an hour', { now: 30 * minute, cache: lasting(3600) }, []],
    ['two hours, if the cache lasts an hour', { now: 120 * minute, cache: lasting(3600) }, ['r0', 'r1']],
    ['a day, if the cache never expires', { now: 1440 * minute, cache: lasting(null) }, []],
    ['unknown length', {}, []],
  ])('masks old results only after the cache expired: a pause of %s', (_, facts, masked) => {
    expect(replacedBy(coldGapClearing.plan(rounds(12), facts))).toEqual(masked)
  })

  it('keeps results masked, and masks no more while the cache is warm', () => {
    const first = coldGapClearing.plan(rounds(12), { now: 6 * minute })
    expect(planAfter(coldGapClearing, rounds(20), first, { now: 1 * minute })).toEqual(first)
  })

  it('keeps ten results after any pause', () => {
    expect(coldGapClearing.plan(rounds(10), { now: 60 * minute })).toEqual([])
  })
})
