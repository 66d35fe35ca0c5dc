import { describe, expect, it } from 'vitest'
import { viewRequest } from '../engine/view-request.ts'
import type { Message, Part } from '../message.ts'
import { deepFreeze, result, user } from '../testing/messages.ts'
import { patchText, patchValue } from '../text/patch.ts'
import { codecs } from '../wire/codecs.ts'
import { writeRequest } from '../wire/write-request.ts'
import { createDropOldReasoning } from './drop-old-reasoning.ts'
import { defaultEconomyRules } from './economy/economy-rules.ts'
import { createEconomyPolicies } from './economy-policies.ts'

const thought: Part = { type: 'reasoning', text: 'Let me think.' }
const signed: Part = { ...thought, providerOptions: { anthropic: { signature: 'x' } } }
const answer = (id: string, ...parts: readonly Part[]): Message => ({ id, role: 'assistant', parts })
const said: Part = { type: 'text', text: 'done' }
const call: Part = { type: 'tool-call', callId: 'k', tool: 'LS', input: {} }
const plan = (messages: readonly Message[], facts = {}, rules = {}) =>
  createDropOldReasoning({ ...defaultEconomyRules, ...rules })
    .plan(deepFreeze(messages), facts)
    .map((edit) => (edit.kind === 'replace' ? `${edit.message}.${edit.part} ${JSON.stringify(edit.with)}` : ''))
const dropped = (place: string) => `${place} {"type":"reasoning","text":""}`

describe('drop-old-reasoning', () => {
  const running = [user('ask2', 'please continue'), answer('running', thought, call), result('result', 'k', 'x')]

  it('drops reasoning of finished rounds and keeps that of the running one', () => {
    expect(plan([user('ask', 'fix the cart tests'), answer('answer', thought, said), ...running])).toEqual([dropped('answer.0')])
    expect(
      plan(
        [user('ask', 'fix the cart tests'), answer('answer', thought, said), ...running, answer('last', said)],
        {},
        { runningReasoningAfter: 1 },
      ),
    ).toEqual([dropped('answer.0'), dropped('running.0')])
  })

  it('keeps reasoning of a pinned message alone', () => {
    const both = [
      user('ask', 'fix it'),
      answer('one', thought, said),
      user('b', 'go on'),
      answer('two', thought, said),
      ...running,
    ]
    expect(plan(both, { pins: ['two'] })).toEqual([dropped('one.0')])
  })

  it('keeps reasoning that a person pasted', () => {
    expect(plan([{ ...answer('pasted', thought, said), role: 'user' }, answer('first', said), ...running])).toEqual([])
  })

  const start = ['a', 'b', 'd', 'e'].map((id) => user(id, 'hello'))
  const turns = (...parts: readonly (readonly Part[])[]) => [
    ...start,
    ...parts.flatMap((each, index) => [answer(`answer${index}`, ...each), user(`ask${index}`, 'go on')]),
  ]
  const other: Part = { type: 'reasoning', text: 'Let me think again.' }
  it.each<[name: string, before: readonly (readonly Part[])[], after: readonly (readonly Part[])[]]>([
    [
      'thoughts changed',
      [
        [thought, said],
        [thought, said],
        [thought, said],
      ],
      [
        [thought, said],
        [other, other, said],
        [thought, said],
      ],
    ],
    [
      'the first thoughts changed',
      [
        [thought, said],
        [thought, said],
      ],
      [
        [other, other, said],
        [thought, said],
      ],
    ],
    [
      'thoughts came',
      [[thought, said], [said], [thought, said]],
      [
        [thought, said],
        [thought, said],
        [thought, said],
      ],
    ],
    [
      'thoughts went',
      [
        [thought, said],
        [thought, said],
        [thought, said],
      ],
      [[thought, said], [said], [thought, said]],
    ],
    ['text changed beside no thoughts', [[thought, said], [said], [thought, said]], [[thought, said], [call], [thought, said]]],
  ])('drops the right reasoning after a request in which %s', (_, before, after) => {
    const policy = createDropOldReasoning(defaultEconomyRules)
    const known = turns(...before)
    const next = turns(...after).map((message, index) =>
      JSON.stringify(message) === JSON.stringify(known[index]) ? (known[index] as Message) : message,
    )
    policy.plan(known, {})
    expect(policy.plan(next, {})).toEqual(createDropOldReasoning(defaultEconomyRules).plan(structuredClone(next), {}))
  })

  it('drops signed reasoning with the rest of its answer, only once its round is over', () => {
    const before = [user('ask', 'fix the cart tests'), answer('answer', signed, thought, said), user('ask2', 'please continue')]
    const runningRound = [...before, answer('running', signed, thought, call), result('result', 'k', 'x'), answer('last', said)]
    expect(plan(runningRound, {}, { runningReasoningAfter: 0 })).toEqual([dropped('answer.0'), dropped('answer.1')])
  })

  it('drops reasoning of an answer that was never sent back, which costs nothing', () => {
    expect(
      plan([user('ask', 'fix the cart tests'), answer('answer', thought, said), user('ask2', 'please continue')], {
        sent: 'ask',
      }),
    ).toEqual([dropped('answer.0')])
  })

  it.each<[string, Message, object]>([
    [
      'all reasoning of an answer with redacted parts, which must not be altered',
      answer('answer', signed, { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'x' } } }, said),
      {},
    ],
    ['an answer that is only reasoning', answer('answer', thought), {}],
    ['an answer whose text is blank', answer('answer', thought, { type: 'text', text: ' ' }), {}],
    ['reasoning that was dropped before', answer('answer', { type: 'reasoning', text: '' }, said), {}],
    ['a pinned message', answer('answer', thought, said), { pins: ['answer'] }],
  ])('keeps %s', (_, message, facts) => {
    expect(plan([user('ask', 'fix the cart tests'), message, ...running], facts)).toEqual([])
  })
})

describe('an empty reasoning part', () => {
  const view: readonly Message[] = [
    user('ask', 'fix the cart tests'),
    answer('answer', { type: 'reasoning', text: '' }, said),
    user('ask2', 'please continue'),
  ]
  it.each(['openai-chat', 'anthropic', 'ai-sdk'] as const)('is not written for %s', (name) => {
    expect(JSON.stringify(writeRequest(name, view, { model: 'm' }))).not.toMatch(/reasoning|thinking/)
  })

  const policies = createEconomyPolicies()
  it.each([
    [
      'anthropic',
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'x' },
          { type: 'text', text: 'done' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
    ],
    [
      'ai-sdk',
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'x' } } },
          { type: 'text', text: 'done' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
    ],
    ['openai-chat', { role: 'assistant', content: 'done', reasoning_content: 'hm' }, { role: 'assistant', content: 'done' }],
    [
      'anthropic',
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'done' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
    ],
    [
      'ai-sdk',
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'done' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
    ],
  ] as const)('is removed from a request of %s', (name, was, is) => {
    const request = { messages: [{ role: 'user', content: 'go' }, was, { role: 'user', content: 'on' }] }
    const { patches } = viewRequest(codecs[name], request, policies, {})
    const expected = { messages: [{ role: 'user', content: 'go' }, is, { role: 'user', content: 'on' }] }
    expect(patchValue(request, patches)).toEqual(expected)
    expect(JSON.parse(patchText(JSON.stringify(request), patches))).toEqual(expected)
  })
})

it('drop-old-reasoning drops reasoning next to an empty, unsigned part', () => {
  const empty: Part = { type: 'reasoning', text: '' }
  const next = [user('ask2', 'please continue'), answer('running', said)]
  expect(plan([user('ask', 'fix the cart tests'), answer('answer', empty, thought, said), ...next])).toEqual([
    dropped('answer.1'),
  ])
  const hidden: Part = { ...empty, providerOptions: { anthropic: { redactedData: 'x' } } }
  expect(plan([user('ask', 'fix the cart tests'), answer('answer', hidden, thought, said), ...next])).toEqual([])
})
