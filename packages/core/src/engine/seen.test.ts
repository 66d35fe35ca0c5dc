import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { exchange, user } from '../testing/messages.ts'
import { compactedAt, sentPlaces } from './seen.ts'

const messages: readonly Message[] = [
  user('u', 'fix the cart tests'),
  ...exchange('a', 'Read', {}, 'x'),
  ...exchange('b', 'Read', {}, 'y'),
]

describe('sentPlaces', () => {
  it.each<[name: string, sent: string | null, ids: readonly string[], expected: { sent: string | null; seen: string | null }]>([
    ['nothing sent, but answered messages seen', null, [], { sent: null, seen: 'bc' }],
    ['the last request, and its answer seen', 'a', [], { sent: 'a', seen: 'bc' }],
    ['the complete conversation', 'b', [], { sent: 'b', seen: 'b' }],
    ['the answered messages, if more were answered than known', 'u', [], { sent: 'bc', seen: 'bc' }],
    ['the answered messages, if the last request is not in the list', 'gone', [], { sent: 'bc', seen: 'bc' }],
    ['the shared start with the last request', 'gone', ['u', 'ac', 'a', 'bc', 'b', 'gone'], { sent: 'b', seen: 'b' }],
  ])('returns %s', (_name, sent, ids, expected) => {
    expect(sentPlaces(messages, sent, () => ids)).toEqual(expected)
  })

  it('includes the summary if the last request was folded', () => {
    const summary: Message = { id: 's', role: 'system', parts: [{ type: 'text', text: 'before' }], summary: true }
    const folded = [user('pinned', 'go'), summary, user('v', 'next')]
    expect(sentPlaces(folded, 'gone', () => ['pinned', 'u', 'gone'])).toEqual({ sent: 's', seen: 's' })
    expect(sentPlaces([user('v', 'next'), summary], 'gone', () => ['u', 'gone'])).toEqual({ sent: null, seen: null })
  })

  it('returns null without an answer', () => {
    expect(sentPlaces([user('u', 'fix the cart tests')], null)).toEqual({ sent: null, seen: null })
  })
})

describe('compactedAt', () => {
  const ids = ['s', 'u', 'a', 'b', 'c']
  it.each<[name: string, now: readonly string[], expected: string | null]>([
    ['nothing if the request continues', [...ids, 'd'], null],
    ['nothing after a rewind', ['s', 'u', 'a', 'x'], null],
    ['nothing if a message changed at its place', ['s', 'u', 'x', 'b', 'c', 'd'], null],
    ['nothing if a message was added between others', ['s', 'u', 'x', 'a', 'b', 'c'], null],
    ['the summary if later messages stayed', ['s', 'summary', 'b', 'c', 'd'], 'summary'],
    ['the first message that stayed, without a summary', ['s', 'b', 'c', 'd'], 'b'],
    ['the summary if only the last answer stayed', ['s', 'summary', 'd', 'e'], 'summary'],
    ['nothing if only the start stayed, as after a rewind to another answer', ['s', 'u', 'x', 'y', 'z'], null],
  ])('is %s', (_name, now, expected) => {
    const history = now.map((id): Message => (id === 's' ? { id, role: 'system', parts: [] } : user(id, 'x')))
    expect(compactedAt(history, ids)).toBe(expected)
  })
})
