import { describe, expect, it } from 'vitest'
import { createConversation } from '../conversation.ts'
import type { Message, Part } from '../message.ts'
import { economyPolicies } from '../policies/economy-policies.ts'
import type { ConversationState } from './prepare.ts'

const hour = 3_600_000
const thought: Part = { type: 'reasoning', text: 'I will look.', providerOptions: { anthropic: { signature: 'c2ln' } } }

/** A turn of some calls, and the answer that ends it. */
function turn(name: string, count: number): readonly Message[] {
  const messages: Message[] = [{ id: `${name}-asked`, role: 'user', parts: [{ type: 'text', text: `Do ${name}.` }] }]
  for (let number = 0; number < count; number += 1) {
    const callId = `${name}-${number}`
    const text = Array.from({ length: 60 }, (_, line) => `line ${line} of ${callId} with its own words;`).join('\n')
    messages.push(
      {
        id: `${callId}-call`,
        role: 'assistant',
        parts: [thought, { type: 'tool-call', callId, tool: 'Bash', input: { command: callId } }],
      },
      { id: callId, role: 'tool', parts: [{ type: 'tool-result', callId, tool: 'Bash', content: { type: 'text', text } }] },
    )
  }
  messages.push({ id: `${name}-done`, role: 'assistant', parts: [thought, { type: 'text', text: 'Done.' }] })
  return messages
}

const asked: Message = { id: 'next', role: 'user', parts: [{ type: 'text', text: 'And now?' }] }
const first = turn('one', 12)
const second = turn('two', 3)

function shown(messages: readonly Message[]) {
  return {
    thoughts: messages.flatMap(({ id, parts }) =>
      parts.some((part) => part.type === 'reasoning' && part.text !== '') ? [id] : [],
    ),
    cut: messages.flatMap(({ id, parts }) =>
      parts.some((part) => part.type === 'tool-result' && part.content.type === 'text' && part.content.text.length < 1000)
        ? [id]
        : [],
    ),
  }
}

const summary: Message = { id: 'summary', role: 'user', parts: [{ type: 'text', text: 'So far: one.' }] }

/** Sends these requests, each an hour after the one before it, and returns what the last one showed. */
function sendAll(model: string, ...requests: readonly (readonly Message[])[]) {
  const conversation = createConversation({ policies: economyPolicies, timing: 'economic', model })
  return requests.map((messages, index) => {
    const prepared = conversation.next(messages, { now: index * hour })
    conversation.accepted()
    return shown(prepared.messages)
  })
}

describe('a model that signs its thoughts with everything before them', () => {
  it('has nothing changed in the middle of a turn', () => {
    const [, later] = sendAll('claude-opus-5-5', first.slice(0, 13), first.slice(0, -1))
    expect(later).toEqual({ thoughts: first.filter(({ id }) => id.endsWith('-call')).map(({ id }) => id), cut: [] })
  })

  it('has old results trimmed between turns, without the thoughts after them', () => {
    const [, later] = sendAll('claude-opus-5-5', first.slice(0, -1), [...first, asked])
    expect(later?.cut).toContain('one-0')
    expect(later?.thoughts).toEqual([])
  })

  it('keeps the thoughts of the turns that follow, and never brings one back', () => {
    const requests = [first.slice(0, -1), [...first, asked], [...first, asked, ...second.slice(1, -1)]]
    const after = sendAll('claude-opus-5-5', ...requests).at(-1)
    expect(after?.cut).toContain('one-0')
    expect(after?.thoughts).toEqual(['two-0-call', 'two-1-call', 'two-2-call'])
  })

  it('has nothing changed in the middle of a turn by a request to another model in between', () => {
    let state: ConversationState | null = null
    const views = [13, 19, -1].map((length, index) => {
      const model = index === 1 ? 'claude-haiku-4-5' : 'claude-opus-5-5'
      const before = state === null ? {} : { state }
      const conversation = createConversation({ policies: economyPolicies, timing: 'economic', model, ...before })
      const prepared = conversation.next(first.slice(0, length), { now: index * hour })
      conversation.accepted()
      state = JSON.parse(JSON.stringify(conversation.state())) as ConversationState
      return shown(prepared.messages)
    })
    expect(views.map(({ cut }) => cut)).toEqual([[], [], []])
    expect(views[2]?.thoughts).toHaveLength(12)
  })

  it('is an exception: other models have them trimmed at any time', () => {
    const [, later] = sendAll('claude-opus-5', first.slice(0, 13), first.slice(0, -1))
    expect(later?.cut).toContain('one-0')
    expect(later?.thoughts).toHaveLength(12)
  })

  it.each([
    ['at once', 60_000],
    ['after a pause', hour],
  ])('has no thought in messages that the host’s own compaction kept, %s', (_when, pause) => {
    const conversation = createConversation({ policies: [], timing: 'economic', model: 'claude-opus-5-5' })
    const whole = [...first, asked, ...second.slice(1, -1)]
    const kept = [summary, ...whole.slice(20)]
    const later = [...kept, ...turn('three', 2).slice(1, -1)]
    const thoughts = [whole, kept, later].map((messages, index) => {
      const prepared = conversation.next(messages, { now: index * pause })
      conversation.accepted()
      return shown(prepared.messages).thoughts
    })
    expect(thoughts[0]).not.toEqual([])
    expect(thoughts.slice(1)).toEqual([[], ['three-0-call', 'three-1-call']])
  })

  it('keeps them behind a summary that the provider wrote', () => {
    const written: Message = {
      ...summary,
      role: 'assistant',
      parts: [{ type: 'media', mediaType: 'vendor/compaction', data: { type: 'compaction', content: 'So far: one.' } }],
    }
    const conversation = createConversation({ policies: [], timing: 'economic', model: 'claude-opus-5-5' })
    const kept = first.slice(9, -1)
    const after = [first.slice(0, -1), [written, ...kept]].map((messages) => {
      const prepared = conversation.next(messages, { now: 0 })
      conversation.accepted()
      return shown(prepared.messages).thoughts
    })
    expect(after[1]).toEqual(kept.filter(({ id }) => id.endsWith('-call')).map(({ id }) => id))
  })

  it('has them omitted once after a summary of its own, with a timing that never waits', () => {
    const conversation = createConversation({ policies: [], timing: 'immediate', model: 'claude-opus-5-5' })
    const own: Message = { ...summary, role: 'system', summary: true }
    const requests = [first.slice(0, -1), [own, ...first.slice(9)], [own, ...first.slice(9), asked, ...second.slice(1, -1)]]
    const shownThoughts = requests.map((messages) => {
      const prepared = conversation.next(messages, { now: 0 })
      conversation.accepted()
      return shown(prepared.messages).thoughts
    })
    expect(shownThoughts[1]).toEqual([])
    expect(shownThoughts[2]).toEqual(['two-0-call', 'two-1-call', 'two-2-call'])
  })
})
