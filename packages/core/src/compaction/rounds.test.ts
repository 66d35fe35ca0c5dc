import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { calls, deepFreeze, exchange, user } from '../testing/messages.ts'
import { roundsOf } from './rounds.ts'

const said = (id: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text: 'done' }] })
const system = (id: string): Message => ({ id, role: 'system', parts: [{ type: 'text', text: 'rules' }] })
const summary = (id: string, role: Message['role']): Message => ({ ...system(id), role, summary: true })

describe('rounds', () => {
  it.each<[string, readonly Message[], readonly (readonly [number, number])[]]>([
    ['nothing', [], []],
    ['no user', [system('s'), said('a')], []],
    ['one question', [user('u', 'hi')], [[0, 0]]],
    ['a system prompt before', [system('s'), user('u', 'hi'), said('a')], [[1, 2]]],
    [
      'two questions in a row',
      [user('u', 'hi'), user('v', 'there'), said('a')],
      [
        [0, 0],
        [1, 2],
      ],
    ],
    [
      'many tool calls',
      [user('u', 'hi'), ...exchange('1', 'Bash', {}, 'x'), ...exchange('2', 'Read', {}, 'y'), said('a'), user('v', 'ok')],
      [
        [0, 5],
        [6, 6],
      ],
    ],
    ['an open call', [user('u', 'hi'), calls('c', ['x', 'Bash', {}])], [[0, 1]]],
    ['a summary in the role of a user', [summary('s', 'user'), said('a'), user('u', 'hi')], [[2, 2]]],
    ['a system message in the middle', [user('u', 'hi'), system('s'), said('a')], [[0, 2]]],
  ])('R004-25 starts a round at each user message: %s', (_, messages, expected) => {
    expect(roundsOf(deepFreeze(messages))).toEqual(expected.map(([first, last]) => ({ first, last })))
  })

  it('continues when the conversation grows, and starts over after a rewind', () => {
    const messages = [user('u', 'hi'), said('a')]
    expect(roundsOf(messages)).toEqual([{ first: 0, last: 1 }])
    expect(roundsOf([...messages, user('v', 'more')])).toEqual([
      { first: 0, last: 1 },
      { first: 2, last: 2 },
    ])
    expect(roundsOf([messages[0] as Message, user('w', 'other')])).toEqual([
      { first: 0, last: 0 },
      { first: 1, last: 1 },
    ])
  })
})
