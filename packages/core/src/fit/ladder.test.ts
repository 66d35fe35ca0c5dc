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
function round(id: string, said = long): readonly Message[] {
  return [
    { id: `${id}u`, role: 'user', parts: [{ type: 'text', text: `Do ${id}.` }, image] },
    ...exchange(`${id}r`, 'Write', { path: 'a.ts', content: some }, said),
    { id: `${id}a`, role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
  ]
}

function summary(id: string): Message {
  const text = `${some}\n${foldLine(2, handleOf(id))}`
  return { id, role: 'system', parts: [{ type: 'text', text }], summary: true }
}

/** Two summaries, three rounds of which the second is pinned, and a running one with a step that was sent and one that was not. */
const messages = deepFreeze([
  summary('s'),
  ...round('a'),
  summary('t'),
  ...round('b'),
  ...round('c'),
  user('u', 'Go on.'),
  ...exchange('old', 'Write', { path: 'b.ts', content: some }, long),
  ...exchange('new', 'Write', { path: 'c.ts', content: some }, long),
  { id: 'p', role: 'user', parts: [image] } satisfies Message,
])
const facts: Facts = {
  tokens: letters,
  pins: ['bu', 'br'],
  sent: 'old',
  config: { context_window: 6000, compaction: { keep_rounds: 3, min_messages: 0 } } as PartialConfig,
}

const told = (edit: Edit) => (edit.kind === 'fold' ? `${edit.first}-${edit.last}` : edit.kind === 'replace' ? edit.message : '')

describe('Q-24 each way to shrink a request, its limits and its edits', () => {
  it.each<[name: string, helps: readonly Excess[], goal: Goal, taken: readonly string[]]>([
    ['old media', ['bytes', 'images'], 'target', ['au', 'cu']],
    ['rounds', ['tokens', 'bytes'], 'target', ['au-aa']],
    ['digests', ['tokens', 'bytes'], 'target', ['ar', 'cr', 'old']],
    ['giants', ['tokens', 'bytes'], 'budget', ['br', 'new']],
    ['cuts', ['tokens', 'bytes'], 'target', ['ar', 'cr', 'old']],
    ['calls', ['tokens', 'bytes'], 'target', ['arc', 'brc', 'crc', 'oldc']],
    ['old media for room', ['tokens'], 'target', ['au', 'cu']],
    ['fewer rounds', ['tokens', 'bytes', 'images'], 'target', ['cu-new', 'au-aa']],
    ['steps', ['tokens', 'bytes', 'images'], 'target', ['arc-aa', 'crc-ca', 'oldc-old']],
    ['summaries', ['tokens', 'bytes'], 'target', ['s-s', 't-t']],
    ['late digests', ['tokens', 'bytes'], 'budget', ['br', 'new']],
    ['late cuts', ['tokens', 'bytes'], 'budget', ['br', 'new']],
    ['late media', ['tokens', 'bytes', 'images'], 'budget', ['bu', 'p']],
    ['short cuts', ['tokens', 'bytes'], 'budget', ['ar', 'cr', 'old']],
    ['short calls', ['tokens', 'bytes'], 'budget', ['arc', 'brc', 'crc', 'oldc']],
    ['late short cuts', ['tokens', 'bytes'], 'budget', ['br', 'new']],
    ['late calls', ['tokens', 'bytes'], 'budget', ['newc']],
    ['pinned rounds', ['tokens', 'bytes', 'images'], 'budget', ['bu-new', 'au-aa']],
    ['all summaries', ['tokens', 'bytes'], 'budget', ['s-s', 't-t']],
    ['unseen steps', ['tokens', 'bytes', 'images'], 'budget', ['arc-aa', 'brc-ba', 'crc-ca', 'oldc-old']],
    ['lines', ['tokens', 'bytes'], 'budget', ['br', 'new']],
    ['late short calls', ['tokens', 'bytes'], 'budget', ['newc']],
  ])('%s', (name, helps, goal, taken) => {
    const rung = ladder.find((each) => each.name === name)
    const fitting = createFitting(messages, facts, 'full')
    for (const _ of rung?.steps(fitting) ?? []);
    expect({ helps: rung?.helps, goal: rung?.goal, taken: fitting.draft.edits().map(told) }).toEqual({ helps, goal, taken })
  })
})

describe('Q-24 the ladder', () => {
  it('is climbed only as far as necessary', () => {
    const four = [
      user('u', 'fix the cart tests'),
      ...['a', 'b', 'c', 'd'].flatMap((id) => exchange(id, 'Bash', {}, long)),
      user('v', 'now'),
    ]
    // Two of four results have to go.
    const fitting = createFitting(four, { tokens: letters, config: { context_window: 11_000, output_reserve: 0 } }, 'full')
    const reached: string[] = []
    climb(fitting, ({ name }) => reached.push(name))
    expect(reached).toEqual(['digests', 'digests'])
    expect(fitting.draft.edits().map(told)).toEqual(['a', 'b'])
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
      ['a', 'b', 'c', 'd'].flatMap((id) => round(id, 'x'.repeat(300))),
      { tokens: letters, config },
      'full',
    )
    for (const _ of ladder.find(({ name }) => name === 'rounds')?.steps(fitting) ?? []);
    expect(fitting.draft.edits().map(({ why }) => why)).toEqual([reasonsFor('en').window.rounds(kept)])
  })
})
