import { countMessage, type Message, type Tokenizer, type Usage } from '@plimsoll/core'
import { expect, it } from 'vitest'
import { calls, result, user } from '../../../core/src/testing/messages.ts'
import type { ReadSession } from '../logs/log-reader.ts'
import { recordSession } from './record-session.ts'
import { says } from './testing/recorded.ts'

const tokens: Tokenizer = { name: 'characters', count: (text) => text.length }
const usage = (output: number): Usage => ({ input: 1, cacheRead: 0, cacheWrite: 0, output })
const thinks: Message = { id: 't', role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }] }
const asks = calls('c', ['c1', 'Read', { path: 'a' }])
const answers = result('r', 'c1', 'text')

/** Requests in short: what was sent, what was answered, output, and whether a report is known. */
function stepsOf(messages: readonly Message[], usages: ReadSession['usages'] = []): readonly unknown[] {
  const read: ReadSession = { id: null, title: null, messages, usages, compactions: 0, sidechains: 0, abandoned: 0 }
  const { steps } = recordSession(read, { name: 's', format: 'test', tokens })
  return steps.map(({ length, answer, output, usage: reported }) => [length, answer.id, output, reported?.output ?? null])
}

const size = (...messages: readonly Message[]) => messages.reduce((sum, message) => sum + countMessage(message, tokens), 0)

it('an answer in several messages is one request, with the output of all of them', () =>
  expect(stepsOf([user('u', 'Do.'), thinks, asks, answers, says('a', 'Done.')])).toEqual([
    [1, 't', size(thinks, asks), null],
    [4, 'a', size(says('a', 'Done.')), null],
  ]))

it('a report on a later message of an answer is a report on the answer', () =>
  expect(stepsOf([user('u', 'Do.'), thinks, asks], [{ after: 'c', usage: usage(900), model: null }])).toEqual([
    [1, 't', 900, 900],
  ]))

it('two reports in a row are two requests', () =>
  expect(
    stepsOf(
      [user('u', 'Do.'), says('a', 'Wait.'), says('b', 'Now.')],
      [
        { after: 'a', usage: usage(700), model: null },
        { after: 'b', usage: usage(800), model: null },
      ],
    ),
  ).toEqual([
    [1, 'a', 700, 700],
    [2, 'b', 800, 800],
  ]))

it('what begins with answers that nobody asked for has no request for them', () =>
  expect(stepsOf([says('a', 'Hello.'), says('b', 'Well?')])).toEqual([]))
