import type { Message, Tokenizer } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import { countMessage } from '@plimsoll/core/text'
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

/** Requests in short: length, id of the answer, output tokens, and reported output. */
function stepsOf(messages: readonly Message[], usages: ReadSession['usages'] = []): readonly unknown[] {
  const read: ReadSession = { id: null, title: null, messages, usages, compactions: 0, sidechains: 0, abandoned: 0 }
  const { steps } = recordSession(read, { name: 's', format: 'test', tokens })
  return steps.map(({ length, answer, output, usage: reported }) => [length, answer.id, output, reported?.output ?? null])
}

const size = (...messages: readonly Message[]) => messages.reduce((sum, message) => sum + countMessage(message, tokens), 0)

it('makes one request of an answer in several messages, with the output of all of them', () =>
  expect(stepsOf([user('u', 'Do.'), thinks, asks, answers, says('a', 'Done.')])).toEqual([
    [1, 't', size(thinks, asks), null],
    [4, 'a', size(says('a', 'Done.')), null],
  ]))

it('assigns a report on a later message of an answer to the answer', () =>
  expect(stepsOf([user('u', 'Do.'), thinks, asks], [{ after: 'c', usage: usage(900), model: null }])).toEqual([
    [1, 't', 900, 900],
  ]))

it('makes two requests of two reports in a row', () =>
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

it('makes no requests of answers before the first user message', () =>
  expect(stepsOf([says('a', 'Hello.'), says('b', 'Well?')])).toEqual([]))

/** The ids of the messages that each request of a session sends, and its time. */
function sentBy(
  messages: readonly Message[],
  keptFrom?: ReadonlyMap<string, string>,
  keptMessages?: ReadSession['keptMessages'],
) {
  const read: ReadSession = {
    id: null,
    title: null,
    messages,
    usages: [],
    compactions: 0,
    sidechains: 0,
    abandoned: 0,
    ...(keptFrom === undefined ? {} : { keptFrom }),
    ...(keptMessages === undefined ? {} : { keptMessages }),
  }
  const { segments, steps, hasTimes } = recordSession(read, { name: 's', format: 'test', tokens })
  const sent = steps.map(({ segment, length }) =>
    (segments[segment] ?? [])
      .slice(0, length)
      .map(({ id }) => id)
      .join(' '),
  )
  return { sent, at: steps.map(({ at }) => at), hasTimes }
}

const system: Message = { id: 's', role: 'system', parts: [] }
const summary: Message = { id: 'f', role: 'user', parts: [{ type: 'text', text: 'What was.' }], summary: true }
const before = [system, user('u', 'Do.'), asks, answers, says('a', 'Done.')]

it('sends prompt, summary and kept messages after a compaction, without requests for kept answers', () => {
  const after = [user('v', 'On.'), says('b', 'Done.')]
  expect(sentBy([...before, summary, ...after]).sent).toEqual(['s u', 's u c r', 's f v'])
  expect(sentBy([...before, summary, ...after], new Map([['f', 'c']])).sent).toEqual(['s u', 's u c r', 's f c r a v'])
  expect(sentBy([...before, summary, ...after], new Map([['f', 'gone']])).sent).toEqual(['s u', 's u c r', 's f v'])
})

it.each<[string, readonly string[], 'before-summary' | 'after-summary', string]>([
  ['after its summary', ['c', 'r'], 'after-summary', 's f c r v'],
  ['before its summary', ['u'], 'before-summary', 's u f v'],
  ['with gaps, in the order of the log', ['a', 'u'], 'after-summary', 's f u a v'],
  ['only if they exist', ['gone'], 'after-summary', 's f v'],
  ['once if they are sent anyway', ['s', 'a'], 'before-summary', 's a f v'],
])('keeps single messages of a compaction %s', (_, ids, place, expected) => {
  const kept = new Map([['f', { ids: new Set(ids), place }]])
  const { sent } = sentBy([...before, summary, user('v', 'On.'), says('b', 'Done.')], undefined, kept)
  expect(sent).toEqual(['s u', 's u c r', expected])
})

it('does not send messages again that an earlier compaction removed', () => {
  const later = { ...summary, id: 'g' }
  const list = [...before, summary, user('v', 'On.'), says('b', 'Done.'), later, user('w', 'On.'), says('d', 'Done.')]
  const kept = new Map(
    ['f', 'g'].map((id) => [id, { ids: new Set(id === 'f' ? ['a'] : ['u', 'a', 'b']), place: 'after-summary' as const }]),
  )
  expect(sentBy(list, undefined, kept).sent).toEqual(['s u', 's u c r', 's f a v', 's g a b w'])
})

it('accepts a session that starts with a summary', () =>
  expect(sentBy([summary, user('v', 'On.'), says('b', 'Done.')]).sent).toEqual(['f v']))

it('keeps the last time until a clock that was set back has caught up', () => {
  const times = [5000, 9000, 2000, 3000, 9500, 9600]
  const list = [user('u', 'Do.'), asks, answers, asks, answers, says('a', 'Done.')].map((message, index) => ({
    ...message,
    id: `${message.id}${index}`,
    at: times[index] as number,
  }))
  expect(sentBy(list)).toMatchObject({ at: [5000, 5000, 9500], hasTimes: true })
})

it('returns no times for a log without times', () => expect(sentBy(before)).toMatchObject({ at: [0, 0], hasTimes: false }))
