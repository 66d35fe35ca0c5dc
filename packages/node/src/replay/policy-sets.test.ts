import { checkView, createConversation, type Message } from '@plimsoll/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolRound, typed } from './baselines/testing/tool-rounds.ts'
import { policySets } from './policy-sets.ts'

/** Turns with results of many sizes, some of them after a pause. */
const conversations = fc
  .array(fc.record({ results: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 12 }), pause: fc.boolean() }), {
    minLength: 3,
    maxLength: 12,
  })
  .map((turns): readonly Message[] => {
    let at = 0
    return turns.flatMap(({ results, pause }, turn) => {
      if (pause) at += 600_000
      const rounds = results.flatMap((length, index) =>
        toolRound(`${turn}-${index}`, 'word '.repeat(length / 5), { at: (at += 1000) }),
      )
      return [{ ...typed(`t${turn}`), at }, ...rounds]
    })
  })

const legalEnds = (messages: readonly Message[]): readonly number[] =>
  messages.flatMap(({ role }, index) => (role === 'assistant' ? [] : [index + 1]))

describe('policy sets', () => {
  it('have unique names', () => {
    expect(policySets.map(({ name }) => name)).toEqual([
      'raw',
      'spec-immediate',
      'spec',
      'economy',
      'economy-keep-alive',
      'gateway-safe',
      'gateway-spec',
      'gateway-economy',
      'gateway-economy-keep-alive',
      'gateway-economy-signed',
      'rolling-mask-10',
      'mask-batches-25',
      'mask-batches-25-keep-30',
      'clear-tool-uses',
      'cap-head-tail-8k',
      'cold-gap-clearing',
      'opencode-prune',
      'oracle',
      'no-tool-output',
    ])
  })

  // Eight random sessions could all be too short for a policy that acts late.
  const long = fc.sample(conversations, { numRuns: 40, seed: 1 }).toSorted((one, other) => other.length - one.length)[0] ?? []
  const baselines = policySets.filter(({ name, policies }) => policies.length === 1 && !name.startsWith('spec'))
  it.each(baselines)('$name shows what a provider takes, at every request', ({ policies, timing }) => {
    let changed = 0
    fc.assert(
      fc.property(conversations, (messages) => {
        const conversation = createConversation({ policies, timing })
        const twin = createConversation({ policies, timing })
        for (const end of legalEnds(messages)) {
          const sent = messages.slice(0, end)
          const facts = { now: (sent.at(-1)?.at ?? 0) + 100, overhead: 20_000 }
          const view = conversation.next(sent, facts)
          conversation.accepted()
          expect(checkView(view.messages)).toEqual([])
          expect(twin.next(sent, facts).messages).toEqual(view.messages)
          twin.accepted()
          if (view.edits.length > 0) changed += 1
        }
      }),
      { numRuns: 8, examples: [[long]] },
    )
    expect(changed).toBeGreaterThan(0)
  })
})
