import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { letters } from '../testing/letters.ts'
import { user } from '../testing/messages.ts'
import { createFitting } from './fitting.ts'
import { foldSteps, keepFewerRounds } from './fold-past.ts'

/** A round of 1,000 tokens. */
function round(id: string): readonly Message[] {
  return [user(`${id}u`, 'x'.repeat(96)), { id: `${id}a`, role: 'assistant', parts: [{ type: 'text', text: 'y'.repeat(896) }] }]
}

describe('Q-24 of six rounds as many are kept as there seems to be room for beside a summary of 600 tokens', () => {
  const messages = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap(round)

  it.each([
    ['400 have to go', 7000, 5],
    ['401 have to go', 6999, 4],
    ['1,401 have to go', 5749, 3],
    ['more have to go than there are', 500, 1],
  ])('%s', (_name, context_window, kept) => {
    const facts = { tokens: letters, config: { context_window, output_reserve: 0, compaction: { min_messages: 0 } } }
    const fitting = createFitting(messages, facts, 'full')
    keepFewerRounds(fitting, 10).next()
    expect(fitting.draft.edits().map(({ why }) => why)).toEqual([
      `the request did not fit; older rounds are folded, the latest ${kept} stay`,
    ])
  })
})

describe('Q-24 the older steps of a running round', () => {
  /** A step of 1,000 tokens. */
  const step = (id: string): readonly Message[] =>
    (['assistant', 'tool'] as const).map((role) => ({
      id: `${id}${role}`,
      role,
      parts: [{ type: 'text', text: 'y'.repeat(496) }],
    }))
  const messages = [user('u', 'x'.repeat(96)), ...Array.from({ length: 8 }, (_, index) => step(`${index}`)).flat()]

  it.each<[name: string, context_window: number, age: 'seen' | 'any', sent: string | null, expected: readonly string[]]>([
    ['give way in folds that grow, but not the newest', 9625, 'any', null, ['0-0', '1-2', '3-6']],
    ['as many as it takes at first', 9624, 'any', null, ['0-1', '2-3', '4-6']],
    ['only those that were seen', 9625, 'seen', '1tool', ['0-0', '1-1']],
    ['those that were not seen too', 9625, 'any', '1tool', ['0-0', '1-2', '3-6']],
  ])('%s', (_name, context_window, age, sent, expected) => {
    const facts = { tokens: letters, sent, config: { context_window, output_reserve: 0 } }
    const fitting = createFitting(messages, facts, 'full')
    let steps = 0
    for (const _ of foldSteps(fitting, age)) steps += 1
    const folds = fitting.draft.edits().map((edit) => (edit.kind === 'fold' ? `${edit.first[0]}-${edit.last[0]}` : ''))
    expect([steps, folds]).toEqual([expected.length, expected])
  })
})
