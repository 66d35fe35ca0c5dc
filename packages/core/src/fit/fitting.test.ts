import { describe, expect, it } from 'vitest'
import type { Facts } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { letters } from '../testing/letters.ts'
import { calls, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { createFitting, createLateness, newestStart, showInstead } from './draft.ts'

const summary: Message = { id: 's', role: 'system', parts: [{ type: 'text', text: 'before' }], summary: true }
const answer = (id: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text: 'done' }] })

describe('Q-24 a replaced part names its original and the reason', () => {
  const long = 'x'.repeat(2000)
  const media: Part = { type: 'media', mediaType: 'application/pdf', data: long }

  it.each<[name: string, was: Message, shown: Part, original: string, why: string]>([
    [
      'a call',
      calls('m', ['c', 'Run', long]),
      { type: 'tool-call', callId: 'c', tool: 'Run', input: 'short' },
      long,
      'the request did not fit; 2,011 tokens of an old call shown in 16',
    ],
    [
      'media',
      { id: 'm', role: 'user', parts: [media] },
      { type: 'text', text: 'a line' },
      JSON.stringify(long),
      'the request did not fit; a line of text replaces an image or a file',
    ],
    [
      'a result',
      result('m', 'c', long),
      { type: 'tool-result', callId: 'c', tool: null, content: { type: 'text', text: 'short' } },
      long,
      'the request did not fit; 2,004 tokens of a result shown in 9',
    ],
  ])('%s', (_name, was, shown, original, why) => {
    const fitting = createFitting([user('u', 'fix the cart tests'), was], { tokens: letters }, 'full')
    expect(showInstead(fitting, 1, 0, shown)).toBe(true)
    expect(fitting.draft.edits()).toEqual([
      {
        id: `fit-window:m.0:${handleOf(original)}`,
        policy: 'fit-window',
        kind: 'replace',
        message: 'm',
        part: 0,
        with: shown,
        why,
      },
    ])
  })
})

it('knows the summaries it started with', () => {
  expect(createFitting([user('u', 'fix the cart tests'), summary, answer('a')], {}, 'full').known()).toEqual(new Set([summary]))
})

describe('Q-24 the start of the messages the model is about to answer', () => {
  it.each<[name: string, messages: readonly Message[], expected: number]>([
    ['is 0 without messages', [], 0],
    ['is 0 if the model answered last', [answer('a')], 0],
    [
      'is at the results of the last calls',
      [user('u', 'fix the cart tests'), calls('c'), result('1', 'x', ''), result('2', 'y', '')],
      2,
    ],
    ['is at the results, even if a user message follows', [calls('c'), result('1', 'x', ''), user('u', 'fix the cart tests')], 1],
    ['is before an unfinished answer', [answer('a'), user('u', 'fix the cart tests'), answer('b')], 1],
    ['is 0 if nothing was answered', [user('u', 'fix the cart tests'), user('v', 'and now?')], 0],
    ['is not at a summary', [answer('a'), { ...summary, role: 'user' }], 0],
    ['is after a summary', [answer('a'), { ...summary, role: 'user' }, user('u', 'fix the cart tests')], 2],
    ['is not at a system message', [user('u', 'fix the cart tests'), answer('a'), { ...user('s', 'rules'), role: 'system' }], 0],
  ])('%s', (_name, messages, expected) => expect(newestStart(messages)).toBe(expected))
})

describe('Q-24 parts shrunk last', () => {
  const messages = [
    user('u', 'fix the cart tests'),
    answer('a'),
    user('v', 'please continue'),
    answer('b'),
    answer('c'),
    user('w', 'now'),
  ]

  it.each<[name: string, facts: Facts, expected: string]>([
    ['messages the model is about to answer', {}, 'w'],
    ['unsent messages', { sent: 'v' }, 'bcw'],
    ['pinned messages', { pins: ['a'] }, 'aw'],
  ])('%s', (_name, facts, expected) => {
    const isLate = createLateness(messages, facts)
    expect(messages.flatMap(({ id }, index) => (isLate(index) ? [id] : [])).join('')).toBe(expected)
  })
})
