import { buildView, type Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { dropReasoning } from './recover.ts'

const signed = { anthropic: { signature: 'abc' } }
const thoughtful: Message = {
  id: 'a',
  role: 'assistant',
  parts: [
    { type: 'reasoning', text: 'hm', providerOptions: signed },
    { type: 'text', text: 'I look.' },
    { type: 'tool-call', callId: 'c', tool: 'Read', input: {}, providerOptions: signed },
  ],
}
const messages: readonly Message[] = [
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'look', providerOptions: signed }] },
  thoughtful,
  { id: 't', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: 'Read', content: { type: 'text', text: 'x' } }] },
  { id: 'b', role: 'assistant', parts: [{ type: 'reasoning', text: 'only a thought', providerOptions: signed }] },
  { id: 'c', role: 'assistant', parts: [{ type: 'text', text: 'done' }] },
]

describe('dropReasoning', () => {
  it('leaves out thoughts and signatures of the model, and nothing else', () => {
    const { view } = buildView({ messages, policies: [dropReasoning], facts: {} })
    expect(view).toEqual([
      messages[0],
      {
        id: 'a',
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', callId: 'c', tool: 'Read', input: {} },
        ],
      },
      messages[2],
      { id: 'b', role: 'assistant', parts: [{ type: 'reasoning', text: 'only a thought' }] },
      messages[4],
    ])
    expect(view[4]).toBe(messages[4])
  })

  it('stays active if it is not requested again', () => {
    const first = buildView({ messages, policies: [dropReasoning], facts: {} })
    const later = [...messages, { ...thoughtful, id: 'd', parts: thoughtful.parts.slice(0, 2) }]
    const { view } = buildView({ messages: later, edits: first.edits, policies: [], facts: {} })
    expect(view).toEqual([...first.view, later.at(-1)])
  })
})
