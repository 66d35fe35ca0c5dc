import { describe, expect, it } from 'vitest'
import type { Message, Part, Role } from '../message.ts'
import { letters } from '../testing/letters.ts'
import { loadOf } from '../tokens/load.ts'
import { messageBytes, overflowOf } from './request-size.ts'

const none = { max_bytes: null, max_images: null }

function overflow(view: readonly Message[], config: object, extra: object = {}) {
  const facts = { tokens: letters, config: { output_reserve: 0, request_limits: none, ...config }, ...extra }
  return overflowOf(view, loadOf(view, facts), facts)
}

describe('Q-24 a request that does not fit', () => {
  const said = (id: string, length: number, role: Role = 'user'): Message => ({
    id,
    role,
    parts: [{ type: 'text', text: 'x'.repeat(length) }],
  })
  const image: Part = { type: 'media', mediaType: 'image/png', data: {} }

  it('is null at exactly the limit', () => {
    expect(overflow([said('a', 96)], { context_window: 100 })).toBe(null)
  })

  it('reports the excess and the largest parts', () => {
    const message = said('a', 97)
    const bytes = messageBytes(message)
    expect(overflow([message], { context_window: 100 })).toEqual({
      tokens: 101,
      limit: 100,
      bytes: 0,
      maxBytes: null,
      images: 0,
      maxImages: null,
      parts: [{ message: 'a', part: 0, tool: null, role: 'user', tokens: 97, why: 'user messages are never changed' }],
    })
    expect(overflow([message], { request_limits: { max_bytes: bytes - 1, max_images: 4 } })).toMatchObject({
      tokens: 101,
      limit: 200_000,
      bytes,
      maxBytes: bytes - 1,
      images: 0,
      maxImages: 4,
    })
  })

  it('names the five largest, earlier first if equal, with their call or message', () => {
    const view = [said('a', 10), said('b', 30), said('c', 20), said('d', 30), said('e', 5), said('f', 8)]
    const parts = overflow(view, { context_window: 1 }, { overhead: 25 })?.parts
    expect(parts?.map(({ message, tokens }) => [message, tokens])).toEqual([
      ['b', 30],
      ['d', 30],
      [null, 25],
      ['c', 20],
      ['a', 10],
    ])
    expect(parts?.[2]).toEqual({
      message: null,
      part: 0,
      tool: null,
      role: 'system',
      tokens: 25,
      why: 'system prompt, tool definitions and everything else outside the conversation',
    })
  })

  it('omits an unknown overhead', () => {
    expect(overflow([said('a', 10)], { context_window: 1 }, { overhead: 0 })?.parts.length).toBe(1)
  })

  it.each<[part: Part, role: Role, tool: string | null, why: string]>([
    [{ type: 'text', text: 'said' }, 'user', null, 'user messages are never changed'],
    [{ type: 'text', text: 'said' }, 'system', null, 'system messages are never changed'],
    [{ type: 'text', text: 'said' }, 'assistant', null, "the assistant's text in the current round is kept"],
    [{ type: 'text', text: 'said' }, 'tool', null, 'a tool result that cannot be shortened further'],
    [{ type: 'reasoning', text: 'thought' }, 'assistant', null, 'providers reject changed reasoning'],
    [image, 'user', null, 'a block that only the provider can read'],
    [
      { type: 'tool-call', callId: 'c', tool: 'Run', input: {} },
      'assistant',
      'Run',
      'a tool call that cannot be shortened further',
    ],
    [
      { type: 'tool-result', callId: 'c', tool: 'Run', content: { type: 'text', text: 'ok' } },
      'tool',
      'Run',
      'a tool result that cannot be shortened further',
    ],
  ])('explains why it cannot get smaller: %j of %s', (part, role, tool, why) => {
    const view: readonly Message[] = [{ id: 'm', role, parts: [part] }]
    expect(overflow(view, { context_window: 1 })?.parts).toMatchObject([{ message: 'm', part: 0, role, tool, why }])
    expect(overflow([{ ...(view[0] as Message), summary: true }], { context_window: 1 })?.parts).toMatchObject([
      { why: 'summaries are never shortened again' },
    ])
  })
})
