import { economyPolicies, type Policy, specPolicies } from '@plimsoll/core'
import type { TimingName } from '@plimsoll/core/policies'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { checkLaws, type Reached, type Violation } from './laws/check-laws.ts'
import { doorNames } from './laws/doors.ts'
import { ownConversations, type RecordedConversation, realConversations } from './laws/recordings.ts'
import { variants } from './laws/variants.ts'

const sets: Readonly<Record<string, readonly Policy[]>> = { spec: specPolicies, economy: economyPolicies }
const timings: readonly TimingName[] = ['auto', 'immediate']

/** Large enough for most conversations. */
const endless = { context_window: 100_000_000, request_limits: { max_bytes: null, max_images: null } }

/** Every conversation through every door takes most of an hour; by default, each real one goes through one door. */
const isFull = process.env['PLIMSOLL_LAWS'] === 'full'
if (isFull) vi.setConfig({ testTimeout: 0 })

let own: readonly RecordedConversation[] = []
let real: readonly RecordedConversation[] = []

beforeAll(async () => {
  own = await ownConversations()
  // Requests of a long conversation take longer.
  real = (await realConversations()).map((one) => (isFull ? one : { ...one, requests: one.requests.slice(0, 18) }))
})

/** One in ten long and one in thirty short conversations, different ones for each set. */
function isItsTurn(policies: readonly Policy[]) {
  const first = policies === economyPolicies ? 0 : 1
  return ({ requests }: RecordedConversation, index: number) => (index + first) % (requests.length < 40 ? 30 : 10) === 0
}

/** The first violations, few enough to read. */
function expectNone(violations: readonly Violation[]): void {
  expect({ count: violations.length, first: violations.slice(0, 3) }).toEqual({ count: 0, first: [] })
}

describe.each(Object.entries(sets))('the laws of the engine with the policies %s', (_name, policies) => {
  const reached: Reached = {}

  it.each(doorNames)('hold in own recordings, through %s', (door) => {
    // All of them without a codec, or every second one; with a codec, the formats take turns.
    const every = door === 'messages' ? (policies === economyPolicies ? 1 : 2) : 5
    const isTurn = (index: number) => isFull || (index + doorNames.indexOf(door)) % every === 0
    const taken = own.filter((_, index) => isTurn(index))
    const violations = taken.flatMap((conversation, index) =>
      (isFull || index % 5 === 4 ? timings : (['auto'] as const)).flatMap((timing) =>
        checkLaws(conversation, { door, policies, timing, facts: { config: endless }, reached }),
      ),
    )
    expectNone(violations)
  })

  it.each(isFull ? [] : ['another door'])('hold in real recordings, each through %s', () => {
    const violations = real.filter(isItsTurn(policies)).flatMap((conversation, index) =>
      checkLaws(conversation, {
        door: doorNames[index % doorNames.length] ?? 'messages',
        policies,
        timing: timings[Number(index % 5 === 4)] ?? 'auto',
        facts: { config: endless },
        reached,
      }),
    )
    expectNone(violations)
  })

  // Each combination is a separate test, so that a full run shows its progress.
  const ways = doorNames.flatMap((door) => timings.map((timing) => ({ door, timing })))

  it.each(isFull ? ways : [])('hold in all real recordings, through $door ($timing)', ({ door, timing }) => {
    expectNone(real.flatMap((one) => checkLaws(one, { door, policies, timing, facts: { config: endless }, reached })))
  })

  it.each(Object.entries(variants))('hold with %s, and with a restart at every request', (what, variant) => {
    const turn = Object.keys(variants).indexOf(what)
    const every = policies === economyPolicies ? 7 : 11
    const taken = own.filter((_, index) => isFull || (index + turn) % every === 0)
    const violations = taken.flatMap((conversation, index) =>
      checkLaws(variant(conversation), {
        door: doorNames[index % doorNames.length] ?? 'messages',
        policies,
        timing: timings[Number(index % 5 === 4)] ?? 'auto',
        facts: { config: endless },
        restarts: true,
        reached,
      }),
    )
    expectNone(violations)
  })

  it('hold if requests have to be fitted into a small window', () => {
    const taken = own.filter((_, index) => isFull || index % 5 === 0)
    const violations = taken.flatMap((conversation, index) =>
      checkLaws(conversation, {
        door: doorNames[index % doorNames.length] ?? 'messages',
        policies,
        timing: 'auto',
        facts: { config: { context_window: 24_000 } },
        restarts: true,
        reached,
      }),
    )
    expectNone(violations)
  })

  it('had something to check: each policy fired, edits were pending, rewrites were announced, results were unseen', () => {
    const wanted = [...policies.map(({ name }) => name), 'waiting', 'rewrites', 'unseen results']
    const references = policies === economyPolicies ? ['references'] : []
    expect([...wanted, ...references].filter((name) => (reached[name] ?? 0) < 10)).toEqual([])
  })
})
