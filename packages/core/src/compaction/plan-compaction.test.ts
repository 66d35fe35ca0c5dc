import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../edit.ts'
import type { Message } from '../message.ts'
import { checkView } from '../results/invariants.ts'
import { conversations } from '../testing/damaged-conversations.ts'
import { calls, deepFreeze, exchange, result, user } from '../testing/messages.ts'
import { planCompaction } from './plan-compaction.ts'

const said = (id: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text: `answer ${id}` }] })
const system = (id: string): Message => ({ id, role: 'system', parts: [{ type: 'text', text: 'rules' }] })
const summary = (id: string): Message => ({ ...system(id), summary: true })
const round = (id: string): readonly Message[] => [
  user(`u${id}`, `question ${id}`),
  ...exchange(id, 'Bash', {}, 'ok'),
  said(`a${id}`),
]
const rounds = (count: number, from = 1) => Array.from({ length: count }, (_, index) => round(String(from + index))).flat()
const ids = (messages: readonly Message[] | undefined) => messages?.map(({ id }) => id).join(' ')

describe('planCompaction', () => {
  it('R004-24 keeps the latest ten rounds and folds the earlier ones', () => {
    const segment = planCompaction(deepFreeze([system('s'), ...rounds(12)]), { keepRounds: 10 })
    expect(ids(segment?.messages)).toBe('u1 1c 1 a1 u2 2c 2 a2')
    expect(segment?.kept).toHaveLength(40)
    expect(segment?.rounds).toEqual({ folded: 2, kept: 10 })
  })

  it.each<[string, readonly Message[], number, number]>([
    ['as many rounds as are kept', rounds(10), 10, 0],
    ['no round at all', [system('s'), said('a')], 1, 0],
    ['an empty conversation', [], 1, 0],
    ['fewer messages than the least', rounds(3), 1, 13],
    ['more rounds to keep than can be counted', rounds(3), Number.POSITIVE_INFINITY, 0],
    ['no number', rounds(3), Number.NaN, 0],
    ['only system messages before the kept rounds', [system('s'), system('t'), ...round('1')], 1, 0],
  ])('R004-35 folds nothing: %s', (_, messages, keepRounds, minMessages) =>
    expect(planCompaction(messages, { keepRounds, minMessages })).toBeNull(),
  )

  it.each([0, -3, 0.5])('keeps the latest round if asked to keep %s', (keepRounds) =>
    expect(ids(planCompaction(rounds(2), { keepRounds })?.messages)).toBe('u1 1c 1 a1'),
  )

  it('R004-26 cuts at the start of a round with any number of steps', () => {
    const long = [
      user('u', 'fix the cart tests'),
      ...Array.from({ length: 50 }, (_, index) => exchange(`x${index}`, 'Bash', {}, 'ok')).flat(),
    ]
    expect(planCompaction([...long, ...round('1')], { keepRounds: 1 })?.messages).toEqual(long)
  })

  it('R004-22 folds neither system messages nor summaries, and starts after the last of them', () => {
    const segment = planCompaction([system('s'), summary('old'), summary('older'), ...rounds(3)], { keepRounds: 2 })
    expect(ids(segment?.messages)).toBe('u1 1c 1 a1')
    expect(ids(segment?.summaries)).toBe('old older')
  })

  it('R004-22 folds the larger side of a system message between rounds, then the other', () => {
    const messages = [...rounds(1), system('s'), ...rounds(2, 2), ...rounds(1, 4)]
    const first = planCompaction(messages, { keepRounds: 1 })
    expect(ids(first?.messages)).toBe('u2 2c 2 a2 u3 3c 3 a3')
    const folded = [...rounds(1), system('s'), summary('sum'), ...rounds(1, 4)]
    expect(ids(planCompaction(folded, { keepRounds: 1 })?.messages)).toBe('u1 1c 1 a1')
  })

  it('R004-23 keeps more rounds if a result strayed across the boundary', () => {
    const messages = [
      ...rounds(2),
      user('u', 'fix the cart tests'),
      calls('c', ['late', 'Bash', {}]),
      user('v', 'next'),
      result('r', 'late', 'ok'),
      said('a'),
    ]
    expect(ids(planCompaction(messages, { keepRounds: 1 })?.messages)).toBe('u1 1c 1 a1 u2 2c 2 a2')
  })

  it('R004-23 leaves a conversation alone if one pair spans all of it', () => {
    const messages = [
      user('u', 'fix the cart tests'),
      calls('c', ['late', 'Bash', {}]),
      ...rounds(2),
      result('r', 'late', 'ok'),
      user('v', 'end'),
    ]
    expect(planCompaction(messages, { keepRounds: 2 })).toBeNull()
  })

  it('keeps a pinned message with its pair, and folds everything around it', () => {
    const messages = rounds(4)
    expect(ids(planCompaction(messages, { keepRounds: 1, pins: ['2'] })?.messages)).toBe('u1 1c 1 a1')
    expect(ids(planCompaction(messages, { keepRounds: 1, pins: ['3', 'nobody'] })?.messages)).toBe('u1 1c 1 a1 u2 2c 2 a2')
  })

  it('R004-23 a fold breaks no rule that was not broken before, whatever the log looks like', () => {
    let folded = 0
    let damaged = 0
    fc.assert(
      fc.property(conversations, fc.integer({ min: 1, max: 5 }), fc.nat(30), (messages, keepRounds, pin) => {
        const pins = [messages[pin]?.id ?? '']
        const segment = planCompaction(deepFreeze(messages), { keepRounds, pins })
        if (segment === null) return
        folded += 1
        const before = new Set(checkView(messages).map(({ rule, message }) => `${rule} ${message}`))
        if (before.size > 0) damaged += 1
        expect(segment.rounds.kept).toBeGreaterThanOrEqual(keepRounds)
        expect(segment.messages.filter(({ id, role }) => role === 'system' || pins.includes(id))).toEqual([])
        const into: Message = { ...summary('sum') }
        const first = segment.messages[0]?.id ?? ''
        const last = segment.messages.at(-1)?.id ?? ''
        const after = applyEdits(messages, [{ id: 'f', policy: 'compaction', why: '', kind: 'fold', first, last, into }])
        const added = checkView(after).filter(({ rule, message }) => !before.has(`${rule} ${message}`))
        expect(added).toEqual([])
      }),
      { numRuns: 300 },
    )
    expect(folded).toBeGreaterThan(50)
    expect(damaged).toBeGreaterThan(10)
  })
})
