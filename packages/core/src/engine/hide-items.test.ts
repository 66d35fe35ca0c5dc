import { describe, expect, it } from 'vitest'
import { createConversation } from '../conversation.ts'
import type { Message } from '../message.ts'
import { resultText } from '../message.ts'
import { economyPolicies } from '../policies/economy-policies.ts'
import { hidingCost } from './hiding-cost.ts'

const step = (id: string, text: string): readonly Message[] => [
  {
    id: `call-${id}`,
    role: 'assistant',
    parts: [{ type: 'tool-call', callId: id, tool: 'bash', input: { command: `make ${id}` } }],
  },
  {
    id: `result-${id}`,
    role: 'tool',
    parts: [{ type: 'tool-result', callId: id, tool: 'bash', content: { type: 'text', text } }],
  },
]
const long = (name: string) => Array.from({ length: 60 }, (_, line) => `${name} line ${line * 37} of a log;`).join('\n')
const messages: readonly Message[] = [
  { id: 'question', role: 'user', parts: [{ type: 'text', text: 'Why does it fail?' }] },
  ...step('a', long('alpha')),
  ...step('b', long('beta')),
  ...step('c', long('gamma')),
]
const shown = (view: readonly Message[], id: string) =>
  view
    .filter((message) => message.id === id)
    .flatMap(({ parts }) => parts.map((part) => (part.type === 'tool-result' ? resultText(part) : '')))
    .join('')

describe('a hidden result', () => {
  it.each([[[]], [economyPolicies]])('is gone from the next request, and back once it is shown again', (policies) => {
    const conversation = createConversation({ policies, timing: 'economic', model: 'claude-sonnet-4-5' })
    const send = (hides: readonly string[], minute: number) => {
      const prepared = conversation.next(messages, { hides, now: minute * 60_000 })
      conversation.accepted({ input_tokens: 10 }, prepared.sent)
      return prepared
    }
    const before = send([], 1)
    expect(shown(before.messages, 'result-b')).toContain('beta line 37')
    const hidden = send(['result-b'], 2)
    expect(shown(hidden.messages, 'result-b')).toBe('[result hidden by the user]')
    expect(shown(hidden.messages, 'result-a')).toBe(shown(before.messages, 'result-a'))
    expect(hidden.report.rewrite).toMatchObject({ reason: 'hidden', message: 'result-b' })
    expect(send(['result-b'], 3).report.rewrite).toBeNull()
    expect(shown(send([], 4).messages, 'result-b')).toBe(shown(before.messages, 'result-b'))
  })

  it('costs what is cached after it, and nothing if nothing is', () => {
    const conversation = createConversation({ policies: [], timing: 'economic', model: 'gpt-6-sol' })
    const prepared = conversation.next(messages, { now: 60_000 })
    const state = { ...conversation.state(), messages }
    const unsent = hidingCost(state, 'result-b', { now: 60_000 })
    expect(unsent).toMatchObject({ rewritten: 0, dollars: 0 })
    expect(unsent.saved).toBeGreaterThan(300)
    conversation.accepted({ input_tokens: 10 }, prepared.sent)
    const sent = { ...conversation.state(), messages }
    const cost = hidingCost(sent, 'result-b', { now: 120_000 })
    const last = hidingCost(sent, 'result-c', { now: 120_000 })
    expect(cost.saved).toBe(unsent.saved)
    expect(cost.rewritten).toBeGreaterThan(last.rewritten)
    expect(cost.dollars).toBeGreaterThan(0)
    // As announced, so it is.
    const { report } = conversation.next(messages, { hides: ['result-b'], now: 120_000 })
    expect(report.rewrite?.tokens).toBe(cost.rewritten)
    expect(hidingCost(sent, 'question', { now: 120_000 })).toMatchObject({ saved: 0, rewritten: 0 })
  })

  it('is hidden although what was sent stays otherwise', () => {
    const conversation = createConversation({ policies: economyPolicies, rules: ['sent-stays'], timing: 'economic' })
    conversation.accepted({ input_tokens: 10 }, conversation.next(messages, {}).sent)
    const hidden = conversation.next(messages, { hides: ['result-a'] })
    expect(shown(hidden.messages, 'result-a')).toBe('[result hidden by the user]')
    conversation.accepted({ input_tokens: 10 }, hidden.sent)
    expect(shown(conversation.next(messages, {}).messages, 'result-a')).toContain('alpha line 37')
  })
})
