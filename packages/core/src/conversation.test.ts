import { describe, expect, it } from 'vitest'
import { createConversation } from './conversation.ts'
import { specPolicies } from './spec-policies.ts'
import { exchange, user } from './testing/messages.ts'

const reads = (count: number) => [
  user('u', 'go'),
  ...Array.from({ length: count }, (_, index) => exchange(`r${index}`, 'Read', { file_path: 'a.ts' }, `text ${index}`)).flat(),
]

describe('createConversation', () => {
  it('says which edits rewrite what the provider accepted, and only once', () => {
    const conversation = createConversation({ policies: specPolicies })
    conversation.next(reads(5), {})
    conversation.accepted()
    expect(conversation.next(reads(6), {}).report.edits.map(({ message, cache }) => [message, cache])).toEqual([
      ['r0', 'rewrite'],
    ])
    conversation.accepted({ inputTokens: 10 })
    expect(conversation.next(reads(6), {}).report.edits.map(({ message, cache }) => [message, cache])).toEqual([['r0', 'free']])
  })

  it('changes nothing until the provider accepted', () => {
    const conversation = createConversation({ policies: specPolicies })
    const before = conversation.state()
    conversation.next(reads(7), {})
    expect(conversation.state()).toEqual(before)
  })

  it('keeps unseen reads whole, and trims them once they were seen', () => {
    const conversation = createConversation({ policies: specPolicies })
    conversation.next(reads(1), {})
    conversation.accepted()
    expect(conversation.next(reads(8), {}).report.edits.map((edit) => edit.message)).toEqual(['r0'])
    conversation.accepted()
    expect(conversation.next(reads(8), {}).report.edits.map((edit) => edit.message)).toEqual(['r0', 'r1', 'r2'])
  })

  it('goes on from its state, which is plain JSON', () => {
    const first = createConversation({ policies: specPolicies, model: 'm' })
    first.next(reads(6), {})
    first.accepted()
    const state = JSON.parse(JSON.stringify(first.state()))
    expect(createConversation({ policies: specPolicies, model: 'm', state }).next(reads(6), {}).report.edits[0]?.cache).toBe(
      'free',
    )
    expect(createConversation({ policies: specPolicies, model: 'other', state }).state().sent).toBeNull()
  })

  it('after a rewind nothing is known to be cached', () => {
    const conversation = createConversation({ policies: specPolicies })
    conversation.next(reads(8), {})
    conversation.accepted()
    expect(conversation.next(reads(6), {}).report.edits.map(({ message, cache }) => [message, cache])).toEqual([['r0', 'free']])
  })

  it('says so when nothing was built to be accepted', () => {
    expect(() => createConversation({ policies: [] }).accepted()).toThrow('accepted: expected a view from next() first')
  })

  it('Q-27b learns from what the provider counted, also across a restart, and forgets it with the model', () => {
    const messages = [user('u', 'word '.repeat(3000))]
    const conversation = createConversation({ policies: [], model: 'm' })
    const { estimate } = conversation.next(messages, {}).report.load
    conversation.accepted({ prompt_tokens: 2 * estimate, completion_tokens: 10 })
    const state = JSON.parse(JSON.stringify(conversation.state()))
    const load = (model: string) => createConversation({ policies: [], model, state }).next(messages, {}).report.load
    expect(load('m')).toMatchObject({ tokens: 2 * estimate, source: 'usage', factor: 2 })
    expect(load('other')).toMatchObject({ tokens: estimate, source: 'estimate', factor: 1 })
  })

  it('Q-27 keeps a bounded number of counts, and none where a provider reports nothing', () => {
    const conversation = createConversation({ policies: [] })
    for (let count = 0; count < 100; count += 1) {
      conversation.next([user('u', 'hi')], {})
      conversation.accepted(count % 2 === 0 ? { prompt_tokens: count } : 'nonsense')
    }
    const { measurements } = conversation.state()
    expect(measurements?.map(({ usage }) => usage.input)).toEqual(Array.from({ length: 20 }, (_, index) => 60 + index * 2))
  })
})
