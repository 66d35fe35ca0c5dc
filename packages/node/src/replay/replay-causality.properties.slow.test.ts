import type { Policy, Timing } from '@plimsoll/core'
import { estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deepFreeze } from '../../../core/src/testing/messages.ts'
import { repeatingSessions } from '../../../core/src/testing/repeating-sessions.ts'
import { economic } from '../../../core/src/timing/economic.ts'
import { type PriceRow, priceRows } from './bill/price-rows.ts'
import { findNeeds } from './needs/find-needs.ts'
import { type PolicySet, policySets } from './policy-sets.ts'
import type { RecordedSession } from './record-session.ts'
import { replaySession } from './replay-session.ts'
import { recorded } from './testing/recorded.ts'

const row = priceRows.find(({ name }) => name === 'r.05') as PriceRow
// The bounds use hindsight.
const sets = policySets.filter((set) => set.show === undefined && set.name !== 'raw')

/** The views and edits of a set at each request of a session. */
function shownBy(set: PolicySet, session: RecordedSession): readonly string[] {
  const shown: string[] = []
  const watching: Policy = {
    name: 'watching',
    plan(messages, { now }) {
      shown.push(JSON.stringify([now ?? null, messages]))
      return []
    },
  }
  const noting: Timing = (input) => {
    const decision = economic(input)
    shown.push(JSON.stringify([decision.apply, decision.ledger]))
    return decision
  }
  const watched = { ...set, policies: [...set.policies, watching], timing: set.timing === 'economic' ? noting : set.timing }
  replaySession({ session, needs: findNeeds(session), set: watched, rows: [row], tokens: estimator, isCalibrated: false })
  return shown
}

/** The same session after some of its requests. */
function cutOff(session: RecordedSession, count: number): RecordedSession {
  const steps = session.steps.slice(0, count)
  const segments = session.segments.map((messages, segment) => {
    const last = steps.findLast((step) => step.segment === segment)
    return messages.slice(0, last === undefined ? 0 : last.length + 1)
  })
  return { ...session, segments, steps }
}

it.each(sets.map((set) => [set.name, set] as const))(
  '%s never sees the future: what comes later changes nothing that was sent',
  (_name, set) => {
    let requests = 0
    let decisions = 0
    fc.assert(
      fc.property(repeatingSessions, fc.nat(), (messages, number) => {
        const session = recorded(...deepFreeze(messages))
        const all = shownBy(set, session)
        const some = shownBy(set, cutOff(session, 1 + (number % session.steps.length)))
        expect(all.slice(0, some.length)).toEqual(some)
        requests += some.length
        decisions += all.filter((text) => text.includes('"policy"')).length
      }),
      { numRuns: 2 },
    )
    expect(requests).toBeGreaterThan(12)
    // Rules that never change sent content have a separate timing.
    const isHeld = set.rules?.some((rule) => rule === 'sent-stays' || rule === 'signed-thoughts') === true
    if (set.timing === 'economic' && !isHeld) expect(decisions).toBeGreaterThan(0)
  },
)
