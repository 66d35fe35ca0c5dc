import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { TimingName } from '../../config.ts'
import { type Conversation, createConversation } from '../../conversation.ts'
import { buildView } from '../../engine/build-view.ts'
import type { ConversationState } from '../../engine/prepare.ts'
import type { Facts } from '../../facts.ts'
import type { Message } from '../../message.ts'
import { checkView } from '../../results/invariants.ts'
import { deepFreeze } from '../../testing/messages.ts'
import { repeatingSessions, requestLengths } from '../../testing/repeating-sessions.ts'
import { createEconomyPolicies, economyPolicies } from '../economy-policies.ts'
import { defaultEconomyRules } from './economy-rules.ts'

const runs = { numRuns: 10 }
const timings = fc.constantFrom<TimingName>('immediate', 'economic')
const reads = fc.constantFrom(0.025, 0.1, 0.4)

function factsAt(messages: readonly Message[], read = 0.1): Facts {
  return { now: messages.at(-1)?.at ?? 0, root: '/project', prefix: 'p', cache: { read, write: 1.25, lifetimeSeconds: 300 } }
}

/** Policies that save nothing at first sight, so that there is little to risk on what waits. */
const { cutOver, stubAfter } = defaultEconomyRules
const lateOnly = createEconomyPolicies({
  numberEvery: Number.POSITIVE_INFINITY,
  repeatedLines: Number.POSITIVE_INFINITY,
  cutOver: { ...cutOver, search: cutOver.other, terminal: cutOver.other },
  stubAfter: { ...stubAfter, search: 2, terminal: 2 },
  keepRecent: 0,
})
const sets = fc.constantFrom(economyPolicies, lateOnly)

function start(timing: TimingName, policies = economyPolicies, state?: ConversationState): Conversation {
  return createConversation({ policies, timing, ...(state === undefined ? {} : { state }) })
}

/** Sends the requests of a session, all or from one on, and tells what was shown at each. */
function* requests(conversation: Conversation, session: readonly Message[], read?: number, from = 0) {
  for (const length of requestLengths(session).slice(from)) {
    const originals = session.slice(0, length)
    const { messages: view, edits, report } = conversation.next(originals, factsAt(originals, read))
    for (const { policy } of edits) reach(policy)
    if (report.timing !== null) reach(report.timing.decision)
    yield { originals, view, edits, report }
    conversation.accepted()
  }
}

const reached = new Map<string, number>()
const reach = (name: string) => reached.set(name, (reached.get(name) ?? 0) + 1)

describe('sessions that come back to what they have seen', () => {
  afterAll(() => {
    // The checks below apply to every policy that shows less, and to every decision.
    const policies = economyPolicies.map(({ name }) => name).slice(2, -1)
    const wanted = [...policies, 'pays', 'cold', 'waits', 'bank', 'nothing', 'kept', 'changed', 'stopped while something waits']
    expect(wanted.filter((name) => (reached.get(name) ?? 0) < 3)).toEqual([])
  })

  it('frozen messages stay as they were, views are legal, people’s words stand, and the same is shown a second time', () => {
    fc.assert(
      fc.property(repeatingSessions, timings, reads, sets, (session, timing, read, policies) => {
        const bytes = JSON.stringify(session)
        const again = requests(start(timing, policies), structuredClone(session), read)
        for (const { originals, view } of requests(start(timing, policies), deepFreeze(session), read)) {
          expect(checkView(view)).toEqual([])
          expect(view.filter(({ role }) => role === 'user')).toEqual(originals.filter(({ role }) => role === 'user'))
          expect(JSON.stringify(again.next().value?.view)).toBe(JSON.stringify(view))
        }
        expect(JSON.stringify(session)).toBe(bytes)
      }),
      runs,
    )
  })

  it('applied at once, a view does not depend on the requests before it, and a second plan has nothing new', () => {
    fc.assert(
      fc.property(repeatingSessions, (session) => {
        const conversation = start('immediate')
        for (const { originals, view } of requests(conversation, session)) {
          if (originals.length % 9 !== 0) continue
          const facts = factsAt(originals)
          const sent = conversation.state().sent
          const alone = buildView({ messages: structuredClone(originals), policies: economyPolicies, facts, sent })
          expect(JSON.stringify(alone.view)).toBe(JSON.stringify(view))
        }
        const before = conversation.state().edits
        const { edits, report } = conversation.next(session, factsAt(session))
        conversation.accepted()
        const second = conversation.next(session, factsAt(session))
        expect(second.edits).toEqual(edits)
        expect(second.report.edits.filter(({ cache }) => cache === 'rewrite')).toEqual([])
        expect(report.edits.length).toBeGreaterThanOrEqual(Math.min(1, before.length))
      }),
      runs,
    )
  })

  it('a view that is read as a log stays as it is: no policy changes anything twice', () => {
    fc.assert(
      fc.property(repeatingSessions, (session) => {
        const build = (messages: readonly Message[]) =>
          buildView({ messages, policies: economyPolicies, facts: factsAt(session) })
        const first = build(session)
        const touched = new Set(first.edits.map(({ id }) => id))
        // Results that nothing refers to any more may be old now; but no policy changes its own outcome.
        expect(build(first.view).edits.filter(({ id }) => touched.has(id))).toEqual([])
      }),
      runs,
    )
  })

  it('what was sent stays byte for byte, but where a rewrite is reported or nothing of it is cached', () => {
    fc.assert(
      fc.property(repeatingSessions, reads, sets, (session, read, policies) => {
        let before: ReadonlyMap<string, string> = new Map()
        for (const { view, report } of requests(start('economic', policies), session, read)) {
          const shown = new Map(view.map((message) => [message.id, JSON.stringify(message)]))
          const changed = [...before].filter(([id, text]) => shown.get(id) !== text).map(([id]) => id)
          const rewritten = new Set(report.edits.flatMap(({ cache, message }) => (cache === 'rewrite' ? [message] : [])))
          if (report.timing?.cold === null) expect(changed.filter((id) => !rewritten.has(id))).toEqual([])
          if (changed.length > 0) reach('changed')
          else if (report.edits.length > 0) reach('kept')
          before = shown
        }
      }),
      runs,
    )
  })

  it('stopped anywhere and read back from a file, the conversation goes on with the same bytes', () => {
    fc.assert(
      fc.property(repeatingSessions, timings, reads, sets, fc.nat(), (session, timing, read, policies, number) => {
        const stop = number % requestLengths(session).length
        const conversation = start(timing, policies)
        let stopped: ConversationState = conversation.state()
        const shown: string[] = []
        for (const { view, report } of requests(conversation, session, read)) {
          if (shown.length === stop) {
            stopped = JSON.parse(JSON.stringify(conversation.state())) as ConversationState
            if (report.waiting.length > 0) reach('stopped while something waits')
          }
          shown.push(JSON.stringify(view))
        }
        const resumed = requests(start(timing, policies, stopped), structuredClone(session), read, stop)
        expect([...resumed].map(({ view }) => JSON.stringify(view))).toEqual(shown.slice(stop))
      }),
      runs,
    )
  })
})
