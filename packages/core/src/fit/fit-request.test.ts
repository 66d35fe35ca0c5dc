import { describe, expect, it } from 'vitest'
import type { Facts, Tokenizer } from '../facts.ts'
import type { Message } from '../message.ts'
import { letters } from '../testing/letters.ts'
import { exchange, user } from '../testing/messages.ts'
import { fitRequest } from './ladder.ts'

const answer = (id: string, length: number): Message => ({
  id,
  role: 'assistant',
  parts: [{ type: 'text', text: 'y'.repeat(length) }],
})
const rounds = Array.from({ length: 6 }, (_, index) => [user(`u${index}`, 'x'.repeat(100)), answer(`a${index}`, 400)]).flat()
/** Counts every text as one token, so that only bytes matter. */
const one: Tokenizer = { name: 'one', count: () => 1 }
const facts = (context_window: number, extra: object = {}): Facts => ({
  tokens: letters,
  config: { context_window, output_reserve: 0, ...extra },
})

describe('Q-24 fitting a request', () => {
  const asked = (length: number) => [...rounds, user('last', 'z'.repeat(length))]
  const fitted = (messages: readonly Message[], given: Facts) => {
    const reached: string[] = []
    const { summaries, draft } = fitRequest(messages, given, ({ name }) => reached.push(name))
    return { summaries, reached, excess: draft.excess('budget'), surplus: draft.surplus('budget'), edits: draft.edits().length }
  }

  it.each<[name: string, messages: readonly Message[], given: Facts, expected: ReturnType<typeof fitted>]>([
    [
      'changes nothing within the budget, even above the target',
      asked(500),
      facts(4000),
      { summaries: 'full', reached: [], excess: [], surplus: 0, edits: 0 },
    ],
    [
      'folds rounds into full summaries',
      asked(3000),
      facts(4000),
      { summaries: 'full', reached: ['fewer rounds'], excess: [], surplus: 0, edits: 1 },
    ],
    [
      'folds rounds into one-line summaries if full ones are too long',
      asked(3900),
      facts(4000),
      { summaries: 'short', reached: ['fewer rounds', 'fewer rounds'], excess: [], surplus: 0, edits: 1 },
    ],
    [
      'folds as far as possible with one-line summaries',
      asked(4050),
      facts(4000),
      { summaries: 'short', reached: ['fewer rounds', 'fewer rounds'], excess: ['tokens'], surplus: 99, edits: 1 },
    ],
    [
      'stops if even a one-line summary would save nothing',
      [user('last', 'z'.repeat(5000))],
      facts(4000),
      { summaries: 'full', reached: [], excess: ['tokens'], surplus: 1004, edits: 0 },
    ],
    [
      'counts bytes too',
      asked(3000),
      { tokens: one, config: { context_window: 1000, output_reserve: 0, request_limits: { max_bytes: 4500 } } },
      { summaries: 'short', reached: ['fewer rounds', 'fewer rounds'], excess: [], surplus: 0, edits: 1 },
    ],
  ])('%s', (_name, messages, given, expected) => expect(fitted(messages, given)).toEqual(expected))

  it('reuses the edits of the last request while their originals exist', () => {
    const messages = [
      user('u', 'fix the cart tests'),
      ...exchange('build', 'Bash', {}, 'one two three\n'.repeat(400)),
      user('v', 'and now?'),
    ]
    const inForce = fitRequest(messages, facts(4000)).draft.edits()
    expect(inForce.length).toBe(1)
    expect(fitRequest(messages, { ...facts(100_000), inForce }).draft.edits()).toEqual(inForce)
  })
})
