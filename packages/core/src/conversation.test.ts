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
})
