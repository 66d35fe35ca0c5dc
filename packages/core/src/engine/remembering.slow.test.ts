import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConversationOptions } from '../conversation.ts'
import { createConversation } from '../conversation.ts'
import { computedDuring, withoutCaches } from '../derive.ts'
import type { Facts, Tokenizer } from '../facts.ts'
import type { Message } from '../message.ts'
import { economyPolicies } from '../policies/economy-policies.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import { conversations, now } from '../testing/damaged-conversations.ts'
import { workingSessions } from '../testing/working-sessions.ts'
import { buildView } from './build-view.ts'

const letters: Tokenizer = { name: 'letters', count: (text) => text.length }
const facts: Facts = { now, root: '/project' }
const sessions = fc.oneof(workingSessions, conversations)
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

function endsOf(messages: readonly Message[]): readonly number[] {
  const step = Math.ceil(messages.length / 6)
  return Array.from({ length: Math.ceil(messages.length / step) }, (_, at) => Math.min(messages.length, (at + 1) * step))
}
