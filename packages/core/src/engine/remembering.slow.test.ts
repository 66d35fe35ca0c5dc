import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConversationOptions } from '../conversation.ts'
import { createConversation } from '../conversation.ts'
import { computedDuring, withoutCaches } from '../derive.ts'
import type { Facts, Tokenizer } from '../facts.ts'
import type { Message } from '../message.ts'
import { createEconomyPolicies, economyPolicies } from '../policies/economy-policies.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import { conversations, now } from '../testing/damaged-conversations.ts'
import { repeatingSessions, requestLengths } from '../testing/repeating-sessions.ts'
import { workingSessions } from '../testing/working-sessions.ts'
import { buildView } from './build-view.ts'

const letters: Tokenizer = { name: 'letters', count: (text) => text.length }
const facts: Facts = { now, root: '/project' }
const sessions = fc.oneof(workingSessions, conversations)
const stubAfter = { read: 3, search: 2, terminal: 2, edit: 5, recall: 1, other: 5 }
const small = { minTokens: 20, keepRecent: 2, keepRecentCold: 1, capOver: 300, argumentsAfter: 6, argumentsOver: 100 }
const soon = { stubAfter, stubErrorAfter: 4, stubResolvedErrorAfter: 2, placeholderAfter: 7, ...small }
const sets: readonly (readonly [string, Pick<ConversationOptions, 'policies' | 'timing'>])[] = [
  ['spec', { policies: specPolicies, timing: 'immediate' }],
  ['economy', { policies: economyPolicies, timing: 'economic' }],
]

/** Everything policies depend on besides the messages, each varied once. */
const others: readonly Facts[] = [
  facts,
  { ...facts, root: '/' },
  { ...facts, platform: 'win32' },
  {
    ...facts,
    tools: [
      { name: 'Bash', kind: 'file-read' },
      { name: 'Read', kind: 'terminal' },
    ],
  },
  { ...facts, tokens: letters },
  { ...facts, strings: { outdatedCommand: 'gone', cutByCap: () => '…' } },
  { ...facts, config: { locale: 'zh' } },
  { ...facts, config: { placeholder_style: 'actionable', compression: { other_chars: 10 } } },
  { ...facts, config: { outdated_commands: { stderr_is_error: false }, tool_output_limits: { default: { max_chars: 900 } } } },
  facts,
]

describe.each(sets)('%s', (_name, options) => {
  it('what is remembered changes nothing, whatever the same messages are looked at with', () => {
    let edits = 0
    fc.assert(
      fc.property(sessions, (messages) => {
        const views = () =>
          others.map((each) => {
            const { view, report } = buildView({ messages, policies: options.policies, facts: each })
            edits += report.edits.length
            return JSON.stringify({ view, report })
          })
        const remembered = views()
        expect(remembered).toEqual(withoutCaches(views))
      }),
      { numRuns: 3 },
    )
    expect(edits).toBeGreaterThan(500)
  })

  it('what is remembered changes nothing in a conversation that goes on', () => {
    fc.assert(
      fc.property(sessions, (messages) => {
        const requests = () => {
          const conversation = createConversation(options)
          return endsOf(messages).map((end) => {
            const { messages: view, report } = conversation.next(messages.slice(0, end), facts)
            conversation.accepted()
            return JSON.stringify({ view, report })
          })
        }
        const remembered = requests()
        expect(remembered).toEqual(withoutCaches(requests))
      }),
      { numRuns: 6 },
    )
  })

  it('a request that is made again computes nothing but its lists of results', () => {
    let computed = 0
    fc.assert(
      fc.property(workingSessions, (messages) => {
        const conversation = createConversation(options)
        const request = (end: number) => {
          conversation.next(messages.slice(0, end), { ...facts })
          conversation.accepted()
        }
        // A conversation that has gone on for a while.
        for (const left of [8, 6, 4, 2]) request(Math.max(1, messages.length - left))
        computed += computedDuring(() => request(messages.length)).length
        request(messages.length)
        const lists = new Set(['resultsOfRequest', 'newestOfList'])
        expect(computedDuring(() => request(messages.length)).filter((name) => !lists.has(name))).toEqual([])
      }),
      { numRuns: 6 },
    )
    expect(computed).toBeGreaterThan(100)
  })
})

it.each([
  ...sets,
  // Every rule comes into effect in a short session.
  ['economy, soon', { policies: createEconomyPolicies(soon), timing: 'economic' }],
] as typeof sets)(
  '%s: what is remembered changes nothing from one request to the next, nor in one that goes back',
  (_name, options) => {
    let edits = 0
    fc.assert(
      fc.property(repeatingSessions, fc.array(fc.nat(), { maxLength: 3 }), (messages, back) => {
        const ends = [...requestLengths(messages), ...back.map((at) => 1 + (at % messages.length)), messages.length]
        const last = messages.findLast(({ at }) => at !== undefined)?.at ?? now
        const requests = () => {
          const conversation = createConversation(options)
          return ends.map((end, at) => {
            const list = messages.slice(0, end)
            const pins = at % 7 === 3 ? [messages[at % end]?.id ?? ''] : []
            const { messages: view, report } = conversation.next(list, { ...facts, pins, now: list.at(-1)?.at ?? last })
            if (at % 5 !== 4) conversation.accepted()
            edits += report.edits.length
            return JSON.stringify({ view, report })
          })
        }
        const remembered = requests()
        expect(remembered).toEqual(withoutCaches(requests))
      }),
      { numRuns: 5 },
    )
    expect(edits).toBeGreaterThan(1000)
  },
)

function endsOf(messages: readonly Message[]): readonly number[] {
  const step = Math.ceil(messages.length / 6)
  return Array.from({ length: Math.ceil(messages.length / step) }, (_, at) => Math.min(messages.length, (at + 1) * step))
}
