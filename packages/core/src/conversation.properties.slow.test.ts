import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkLaws, type Reached, type Violation } from '../../../test/laws/check-laws.ts'
import { economyPolicies } from './policies/economy-policies.ts'
import { specPolicies } from './policies/spec-policies.ts'
import { allDeeds, type HistoryRequest, requestHistories } from './testing/request-histories.ts'

const sets = { spec: specPolicies, economy: economyPolicies } as const
const timings = ['economic', 'immediate'] as const
const doors = ['messages', 'anthropic', 'openai-chat'] as const

/** The kinds of histories, from those of a client in good order to those of one that does anything. */
const kinds = {
  'a client that only works': requestHistories({ deeds: ['say', 'retry'], damage: false }),
  'results that are missing, late or misplaced': requestHistories({ deeds: ['say', 'retry', 'answer late', 'answer in place'] }),
  'a client that rewinds': requestHistories({ deeds: ['say', 'rewind'], damage: false }),
  'a client that does anything to its history': requestHistories({ deeds: allDeeds }),
} as const

describe.each(Object.entries(sets))('a conversation with the policies %s', (set, policies) => {
  describe.each(timings)('timing %s', (timing) => {
    const reached: Reached = {}

    it.each(Object.entries(kinds))('keeps the laws of the engine with %s', (kind, histories) => {
      fc.assert(
        fc.property(histories, fc.constantFrom(...doors), fc.boolean(), (history, door, restarts) => {
          const violations = checkLaws(
            { name: 'generated', model: null, requests: history.map(sent) },
            { door, policies, timing, restarts, reached },
          )
          expect(violations.map(described(history))).toEqual([])
        }),
        // The wildest ones reach what the others do not.
        { numRuns: kind.endsWith('anything to its history') ? (set === 'economy' ? 12 : 9) : 3, endOnFailure: true },
      )
    })

    it('was put to the test: results were unseen, rewrites announced, each policy fired', () => {
      const wanted = ['unseen results', 'rewrites', ...policies.map(({ name }) => name)]
      expect(wanted.filter((name) => (reached[name] ?? 0) < 2)).toEqual([])
    })
  })
})

function sent({ messages, now, pins, config, model, isAccepted }: HistoryRequest) {
  return { messages, at: now, usage: null, isAccepted, model, facts: { pins, config } }
}

/** With what the client did before the request, which says most. */
function described(history: readonly HistoryRequest[]) {
  return (violation: Violation) => ({ ...violation, after: history[violation.request]?.after })
}
