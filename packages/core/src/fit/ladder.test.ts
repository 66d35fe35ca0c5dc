import { describe, expect, it } from 'vitest'
import { foldLine } from '../compaction/summary-template.ts'
import type { PartialConfig } from '../config.ts'
import type { Edit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { reasonsFor } from '../strings/strings-for.ts'
import { letters } from '../testing/letters.ts'
import { deepFreeze, exchange, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { createFitting, type Goal } from './draft.ts'
import { climb, ladder } from './ladder.ts'
import type { Excess } from './request-size.ts'

const long = 'one two three four five six seven eight nine ten\n'.repeat(75)
const some = long.slice(0, 1000)
const image: Part = { type: 'media', mediaType: 'image/png', data: 'x'.repeat(4000) }

/** A round with an image, a step and an answer. */
function round(number: number, said = long): readonly Message[] {
  return [
    { id: `ask${number}`, role: 'user', parts: [{ type: 'text', text: `Do ${number}.` }, image] },
    ...exchange(`write${number}`, 'Write', { path: 'a.ts', content: some }, said),
    { id: `answer${number}`, role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
  ]
}

function summary(id: string): Message {
  const text = `${some}\n${foldLine(2, handleOf(id))}`
  return { id, role: 'system', parts: [{ type: 'text', text }], summary: true }
}

/** Two summaries, three rounds of which the second is pinned, and a running one with a step that was sent and one that was not. */
const messages = deepFreeze([
  summary('summary1'),
  ...round(1),
  summary('summary2'),
  ...round(2),
  ...round(3),
  user('u', 'Next.'),
  ...exchange('old', 'Write', { path: 'b.ts', content: some }, long),
  ...exchange('new', 'Write', { path: 'c.ts', content: some }, long),
  { id: 'screenshot', role: 'user', parts: [image] } satisfies Message,
])
const facts: Facts = {
  tokens: letters,
  pins: ['ask2', 'write2'],
  sent: 'old',
  config: { context_window: 6000, compaction: { keep_rounds: 3, min_messages: 0 } } as PartialConfig,
}

const described = (edit: Edit) =>
  edit.kind === 'fold' ? `${edit.first} to ${edit.last}` : edit.kind === 'replace' ? edit.message : ''

describe('Q-24 each way to shrink a request, its limits and its edits', () => {
  it.each<[name: string, helps: readonly Excess[], goal: Goal, taken: readonly string[]]>([
    ['old media', ['bytes', 'images'], 'target', ['ask1', 'ask3']],
    ['rounds', ['tokens', 'bytes'], 'target', ['ask1 to answer1']],
    ['digests', ['tokens', 'bytes'], 'target', ['write1', 'write3', 'old']],
    ['giants', ['tokens', 'bytes'], 'budget', ['write2', 'new']],
    ['cuts', ['tokens', 'bytes'], 'target', ['write1', 'write3', 'old']],
    ['calls', ['tokens', 'bytes'], 'target', ['write1c', 'write2c', 'write3c', 'oldc']],
    ['old media for room', ['tokens'], 'target', ['ask1', 'ask3']],
    ['fewer rounds', ['tokens', 'bytes', 'images'], 'target', ['ask3 to new', 'ask1 to answer1']],
    ['steps', ['tokens', 'bytes', 'images'], 'target', ['write1c to answer1', 'write3c to answer3', 'oldc to old']],
    ['summaries', ['tokens', 'bytes'], 'target', ['summary1 to summary1', 'summary2 to summary2']],
    ['late digests', ['tokens', 'bytes'], 'budget', ['write2', 'new']],
    ['late cuts', ['tokens', 'bytes'], 'budget', ['write2', 'new']],
    ['late media', ['tokens', 'bytes', 'images'], 'budget', ['ask2', 'screenshot']],
    ['short cuts', ['tokens', 'bytes'], 'budget', ['write1', 'write3', 'old']],
    ['short calls', ['tokens', 'bytes'], 'budget', ['write1c', 'write2c', 'write3c', 'oldc']],
    ['late short cuts', ['tokens', 'bytes'], 'budget', ['write2', 'new']],
    ['late calls', ['tokens', 'bytes'], 'budget', ['newc']],
    ['pinned rounds', ['tokens', 'bytes', 'images'], 'budget', ['ask2 to new', 'ask1 to answer1']],
    ['all summaries', ['tokens', 'bytes'], 'budget', ['summary1 to summary1', 'summary2 to summary2']],
    [
      'unseen steps',
      ['tokens', 'bytes', 'images'],
      'budget',
      ['write1c to answer1', 'write2c to answer2', 'write3c to answer3', 'oldc to old'],
    ],
    ['lines', ['tokens', 'bytes'], 'budget', ['write2', 'new']],
    ['late short calls', ['tokens', 'bytes'], 'budget', ['newc']],
  ])('%s', (name, helps, goal, taken) => {
    const rung = ladder.find((each) => each.name === name)
    const fitting = createFitting(messages, facts, 'full')
    for (const _ of rung?.steps(fitting) ?? []);
    expect({ helps: rung?.helps, goal: rung?.goal, taken: fitting.draft.edits().map(described) }).toEqual({ helps, goal, taken })
  })
})

describe('Q-24 the ladder', () => {
  it('is climbed only as far as necessary', () => {
    const four = [
      user('u', 'fix the cart tests'),
      ...['build', 'lint', 'test', 'pack'].flatMap((id) => exchange(id, 'Bash', { command: id }, long)),
      user('v', 'and now?'),
    ]
    // Two of four results have to shrink.
    const fitting = createFitting(four, { tokens: letters, config: { context_window: 11_000, output_reserve: 0 } }, 'full')
    const reached: string[] = []
    climb(fitting, ({ name }) => reached.push(name))
    expect(reached).toEqual(['digests', 'digests'])
    expect(fitting.draft.edits().map(described)).toEqual(['build', 'lint'])
  })

  it.each([
    [2.7, 2],
    [1, 1],
    [0.5, 1],
    [-3, 1],
    [Number.NaN, 1],
    ['3', 1],
    [null, 1],
  ])('keeps at least the running round: of %s rounds %d', (keep_rounds, kept) => {
    const config = { compaction: { keep_rounds, min_messages: 0 } } as PartialConfig
    const fitting = createFitting(
      [1, 2, 3, 4].flatMap((number) => round(number, 'x'.repeat(300))),
      { tokens: letters, config },
      'full',
    )
    for (const _ of ladder.find(({ name }) => name === 'rounds')?.steps(fitting) ?? []);
    expect(fitting.draft.edits().map(({ why }) => why)).toEqual([reasonsFor('en').window.rounds(kept)])
  })
})
