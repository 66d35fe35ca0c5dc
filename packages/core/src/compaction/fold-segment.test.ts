import { describe, expect, it } from 'vitest'
import { applyEdits } from '../edit.ts'
import { buildView } from '../engine/build-view.ts'
import type { Message } from '../message.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import { transcriptOf } from '../results/transcript.ts'
import { deepFreeze, exchange, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { planCompaction } from './plan-compaction.ts'
import type { Segment } from './rounds.ts'
import { foldSegment, writeSummary } from './write-summary.ts'

const said = (id: string, text: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text }] })
const round = (index: number, lines = 300): readonly Message[] => [
  user(`u${index}`, `question ${index}`, 1000 * index),
  ...exchange(`t${index}`, 'Bash', { command: `run ${index}` }, `output ${index}\n`.repeat(lines)),
  said(`a${index}`, `answer ${index}`),
]
const rounds = (count: number, lines = 300) => deepFreeze(Array.from({ length: count }, (_, index) => round(index, lines)).flat())
const planned = (messages: readonly Message[], keepRounds = 2) => planCompaction(messages, { keepRounds }) as Segment

describe('foldSegment', () => {
  it('R004-51 returns a system message marked as a summary, with ids from its content', () => {
    const segment = planned(rounds(5))
    const fold = foldSegment(segment, 'short text', {})
    const id = handleOf(`${handleOf(transcriptOf(segment.messages))}\nu0\na2`)
    expect(fold).toEqual({
      id: `compaction:${id}`,
      policy: 'compaction',
      why: '12 messages of 3 rounds compacted into a summary; the latest 2 rounds stay',
      kind: 'fold',
      first: 'u0',
      last: 'a2',
      into: { id: `summary:${id}`, role: 'system', parts: [{ type: 'text', text: 'short text' }], at: 2000, summary: true },
    })
  })

  it('Q-14 puts the summary in the place of the folded messages, separate from the system prompt', () => {
    const system: Message = { id: 's', role: 'system', parts: [{ type: 'text', text: 'L1' }] }
    const messages = [system, ...rounds(5)]
    const segment = planned(messages)
    const fold = foldSegment(segment, writeSummary(segment, {}), {})
    if (fold === null) throw new Error('expected a fold')
    const { view } = buildView({ messages, edits: [fold], policies: [], facts: {} })
    expect(view.map(({ id }) => id)).toEqual(['s', fold.into?.id, ...segment.kept.map(({ id }) => id)])
    expect(view[0]).toBe(system)
  })

  it('R004-35 removes the earlier messages from the view and keeps the remaining pairs intact', () => {
    const messages = rounds(5)
    const fold = foldSegment(planned(messages), 'short text', {})
    expect(applyEdits(messages, fold === null ? [] : [fold])).toHaveLength(9)
  })

  it('folds nothing that would not get smaller', () => {
    const segment = planned(rounds(3, 1))
    expect(foldSegment(segment, 'word '.repeat(1000), {})).toBeNull()
    expect(foldSegment({ ...segment, messages: [] }, '', {})).toBeNull()
  })

  it('gives different ids to two stretches with the same text', () => {
    const one = planned(rounds(3))
    const other = { ...one, messages: one.messages.map((message) => ({ ...message, id: `x${message.id}` })) }
    expect(foldSegment(one, 'text', {})?.into?.id).not.toBe(foldSegment(other, 'text', {})?.into?.id)
  })
})

describe('the full path from messages to view', () => {
  const prose = (index: number): readonly Message[] => [
    user(`u${index}`, `question ${index}`),
    said(`a${index}`, 'long answer '.repeat(200)),
  ]
  const many = (make: (index: number) => readonly Message[], count: number) =>
    Array.from({ length: count }, (_, index) => make(index)).flat()
  it.each<[string, readonly Message[], number]>([
    ['without tools', many(prose, 12), 21],
    ['with tools', many(round, 12), 41],
    ['of mixed rounds', [...many(prose, 6), ...many((index) => round(index + 6), 6)], 33],
    ['of ten rounds, which all stay', many(round, 10), 40],
    [
      'of one round with many calls, which cannot be folded',
      [user('u', 'fix the cart tests'), ...many((index) => round(index).slice(1, 3), 300)],
      601,
    ],
  ])('R004-56 handles a conversation %s', (_, messages, length) => {
    const { view, report } = buildView({ messages, edits: foldsOf(messages), policies: specPolicies, facts: {} })
    expect(view).toHaveLength(length)
    expect(report.problems).toEqual([])
    expect(view.filter(({ summary }) => summary === true)).toHaveLength(length < messages.length ? 1 : 0)
  })

  function foldsOf(messages: readonly Message[]) {
    const segment = planCompaction(messages, { keepRounds: 10, minMessages: 3 })
    const fold = segment === null ? null : foldSegment(segment, writeSummary(segment, {}), {})
    return fold === null ? [] : [fold]
  }
})
