import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Part } from '../message.ts'
import { conversations } from '../testing/damaged-conversations.ts'
import { longConversations } from '../testing/long-conversations.ts'
import { countImages, imagesIn, maxBytesOf, messageBytes, partBytes } from './request-size.ts'

const encoder = new TextEncoder()
const written = (value: unknown) => encoder.encode(JSON.stringify(value)).length

const answer = { type: 'tool-result', callId: 'c', tool: null } as const

describe('Q-24 the bytes of a request', () => {
  it.each<[name: string, part: Part, sent: unknown]>([
    ['text', { type: 'text', text: 'plain' }, 'plain'],
    ['text that JSON escapes', { type: 'text', text: '"\\\n\u0000\ud800' }, '"\\\n\u0000\ud800'],
    ['text outside ASCII', { type: 'text', text: 'é 日本語 🎉' }, 'é 日本語 🎉'],
    ['media', { type: 'media', mediaType: 'image/png', data: { source: 'A'.repeat(999) } }, { source: 'A'.repeat(999) }],
    ['arguments', { type: 'tool-call', callId: 'c', tool: '', input: { a: [1, 'é'] } }, { a: [1, 'é'] }],
    ['arguments as text', { type: 'tool-call', callId: 'c', tool: '', input: '{"a":1}' }, '{"a":1}'],
    ['reasoning', { type: 'reasoning', text: 'thought é' }, 'thought é'],
    ['a result', { ...answer, content: { type: 'text', text: 'said é' } }, 'said é'],
    ['a result that is a value', { ...answer, content: { type: 'json', value: { a: ['é'] } } }, { a: ['é'] }],
  ])('%s', (_name, part, sent) => {
    const frame = partBytes({ type: 'text', text: '' }) - 2 + (part.type === 'tool-call' ? 2 : 0)
    expect(partBytes(part) - frame).toBe(written(sent))
  })

  it('count each item of a list with a frame', () => {
    const text = { type: 'text', text: 'said é' } as const
    const image = { type: 'media', mediaType: 'image/png', data: { source: 'AAAA' } } as const
    const frame = partBytes({ type: 'text', text: '' }) - 2
    expect(partBytes({ ...answer, content: { type: 'list', items: [text, image] } })).toBe(
      frame + partBytes(text) + partBytes(image),
    )
  })

  it('estimates them from the texts if JSON cannot write the value', () => {
    const loop: Record<string, unknown> = { text: 'x'.repeat(1000) }
    loop['self'] = loop
    const frame = partBytes({ type: 'text', text: '' })
    expect(partBytes({ type: 'tool-call', callId: 'c', tool: '', input: loop }) - frame).toBe(1020)
  })

  it('are never more than the quick count says', () => {
    fc.assert(
      fc.property(fc.oneof(conversations, longConversations), (messages) => {
        const bytes = messages.reduce((sum, message) => sum + messageBytes(message), 0)
        expect(bytes).toBeLessThanOrEqual(maxBytesOf(messages))
      }),
      { numRuns: 30 },
    )
  })
})

it('Q-24 counts images in any place', () => {
  const image = { type: 'media', mediaType: 'image/png', data: {} } as const
  const document = { type: 'media', mediaType: 'application/pdf', data: {} } as const
  const text = { type: 'text', text: 'x' } as const
  const list = { type: 'list', items: [text, image, image] } as const
  expect(
    countImages([
      { id: 'a', role: 'user', parts: [text, image, document] },
      { id: 'b', role: 'tool', parts: [{ type: 'tool-result', callId: null, tool: null, content: list }] },
    ]),
  ).toBe(3)
})

it.each<[name: string, part: unknown]>([
  ['an image with an invalid type', { type: 'media', mediaType: 5, data: {} }],
  ['a text that claims to be an image', { type: 'text', text: 'x', mediaType: 'image/png' }],
])('does not count %s as an image', (_name, part) => expect(imagesIn(part as Part)).toBe(0))
