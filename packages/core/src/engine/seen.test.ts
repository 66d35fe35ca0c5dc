import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { exchange, user } from '../testing/messages.ts'
import { sentPlaces } from './seen.ts'

const messages: readonly Message[] = [
  user('u', 'fix the cart tests'),
  ...exchange('a', 'Read', {}, 'x'),
  ...exchange('b', 'Read', {}, 'y'),
]

describe('what was sent and seen of a conversation', () => {
  it.each<[name: string, sent: string | null, ids: readonly string[], expected: { sent: string | null; seen: string | null }]>([
    ['nothing was sent, but what was answered was seen', null, [], { sent: null, seen: 'bc' }],
    ['the last request, and its answer', 'a', [], { sent: 'a', seen: 'bc' }],
    ['the whole conversation', 'b', [], { sent: 'b', seen: 'b' }],
    ['what was answered, if more was than we know of', 'u', [], { sent: 'bc', seen: 'bc' }],
    ['what was answered, if the last request is not part of it', 'gone', [], { sent: 'bc', seen: 'bc' }],
    ['what it begins with of the last request', 'gone', ['u', 'ac', 'a', 'bc', 'b', 'gone'], { sent: 'b', seen: 'b' }],
  ])('is %s', (_name, sent, ids, expected) => {
    expect(sentPlaces(messages, sent, () => ids)).toEqual(expected)
  })

  it('covers everything its summary replaces if the last request was folded', () => {
    const summary: Message = { id: 's', role: 'system', parts: [{ type: 'text', text: 'before' }], summary: true }
    const folded = [user('pinned', 'go'), summary, user('v', 'next')]
    expect(sentPlaces(folded, 'gone', () => ['pinned', 'u', 'gone'])).toEqual({ sent: 's', seen: 's' })
    expect(sentPlaces([user('v', 'next'), summary], 'gone', () => ['u', 'gone'])).toEqual({ sent: null, seen: null })
  })

  it('is nothing in a conversation without an answer', () => {
    expect(sentPlaces([user('u', 'fix the cart tests')], null)).toEqual({ sent: null, seen: null })
  })
})
