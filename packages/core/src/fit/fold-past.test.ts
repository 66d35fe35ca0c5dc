import { describe, expect, it } from 'vitest'
import { parseSummary } from '../compaction/parse-summary.ts'
import { heads } from '../compaction/summary-template.ts'
import type { Facts } from '../facts.ts'
import { type Message, messageText } from '../message.ts'
import { reasonsFor } from '../strings/strings-for.ts'
import { letters } from '../testing/letters.ts'
import { user } from '../testing/messages.ts'
import { createFitting } from './draft.ts'
import { foldSteps, keepFewerRounds } from './ladder.ts'

/** A round of 1,000 tokens. */
function round(id: string): readonly Message[] {
  return [user(`${id}u`, 'x'.repeat(96)), { id: `${id}a`, role: 'assistant', parts: [{ type: 'text', text: 'y'.repeat(896) }] }]
}

describe('Q-24 keeps as many of six rounds as fit next to a summary of 600 tokens', () => {
  const messages = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap(round)

  it.each([
    ['400 tokens too many', 7000, 5],
    ['401 tokens too many', 6999, 4],
    ['1,401 tokens too many', 5749, 3],
    ['more too many than there are', 500, 1],
  ])('%s', (_name, context_window, kept) => {
    const facts = { tokens: letters, config: { context_window, output_reserve: 0, compaction: { min_messages: 0 } } }
    const fitting = createFitting(messages, facts, 'full')
    keepFewerRounds(fitting, 10).next()
    expect(fitting.draft.edits().map(({ why }) => why)).toEqual([reasonsFor('en').window.rounds(kept)])
  })
})

/** A step: a call and its result, each of this many letters plus 4. */
function step(id: string, length = 496, said = ''): readonly Message[] {
  return (['assistant', 'tool'] as const).map((role) => ({
    id: `${id}${role}`,
    role,
    parts: [{ type: 'text', text: `${said} `.trimStart().padEnd(length, 'y') }],
  }))
}

function foldAll(messages: readonly Message[], facts: Facts, age: 'seen' | 'any') {
  const fitting = createFitting(messages, facts, 'full')
  let steps = 0
  for (const _ of foldSteps(fitting, age)) steps += 1
  const folds = fitting.draft.edits().flatMap((edit) => (edit.kind === 'fold' ? [edit] : []))
  return { steps, folds, places: folds.map(({ first, last }) => `${first[0]}-${last[0]}`) }
}

describe('Q-24 the older steps of a running round', () => {
  const steps = Array.from({ length: 8 }, (_, index) => step(`${index}`)).flat()
  const messages = [user('u', 'x'.repeat(96)), ...steps]
  const summary = (role: Message['role']): Message => ({ ...user('s', 'z'.repeat(496)), role, summary: true })
  const tight: Facts = { tokens: letters, config: { context_window: 500, output_reserve: 0 } }

  it.each<[name: string, context_window: number, age: 'seen' | 'any', sent: string | null, expected: readonly string[]]>([
    ['fold in growing groups, except the newest', 9625, 'any', null, ['0-0', '1-2', '3-6']],
    ['fold at least as many as necessary first', 9624, 'any', null, ['0-1', '2-3', '4-6']],
    ['fold only if they were seen', 9625, 'seen', '1tool', ['0-0', '1-1']],
    ['fold even if they were not seen', 9625, 'any', '1tool', ['0-0', '1-2', '3-6']],
  ])('%s', (_name, context_window, age, sent, expected) => {
    const facts = { tokens: letters, sent, config: { context_window, output_reserve: 0 } }
    const { steps: tried, places } = foldAll(messages, facts, age)
    expect([tried, places]).toEqual([expected.length, expected])
  })

  it('folds them if there is no user message before them', () => {
    expect(foldAll(steps, tight, 'any').places).toEqual(['0-6'])
  })

  it('counts them with the estimator without a tokenizer', () => {
    const { config } = tight
    expect(foldAll(messages, { config: { ...config, context_window: 1000 } }, 'any').places).toEqual(['0-6'])
  })

  it('folds both sides of an earlier summary, which stays', () => {
    const view = [...messages.slice(0, 7), summary('assistant'), ...messages.slice(7)]
    expect(foldAll(view, tight, 'any').places).toEqual(['0-2', '3-6'])
  })

  it('do not include a summary after a user message, in any role', () => {
    const view = [user('u', 'x'), summary('tool'), user('v', 'x'), ...step('0'), user('w', 'x')]
    expect(foldAll(view, tight, 'any').places).toEqual([])
  })
})

describe('Q-24 the summary of older steps', () => {
  const earlier = (text: string): Message => ({
    ...user('s', `${heads.title}\n\n${heads.objectives}\n- **Original Goal:** ${text}`),
    role: 'system',
    summary: true,
  })
  const facts = { tokens: letters, config: { context_window: 20_000, output_reserve: 0 } }
  const past = [...step('0', 5000, 'see src/parser.ts'), ...step('1', 5000, 'see src/lexer.ts')]
  const newest = step('2', 5000, 'now src/parser.ts')
  const summarised = (messages: readonly Message[]) => {
    const { folds } = foldAll(messages, facts, 'any')
    return folds.map(({ into }) => {
      const { goal, learnings } = parseSummary(into === null ? '' : messageText(into))
      return { goal, learnings }
    })
  }

  it('names identifiers that later steps still use', () => {
    expect(summarised([user('u', 'fix the cart tests'), ...past, ...newest])).toEqual([
      { goal: [], learnings: ['still in use: src/parser.ts'] },
    ])
  })

  it('keeps the goal of an earlier summary', () => {
    const goals = summarised([user('u', 'fix the cart tests'), earlier('ship the parser'), ...past, ...newest]).map(
      ({ goal }) => goal,
    )
    expect(goals).toEqual([['ship the parser']])
  })

  it('takes no goal from a later summary', () => {
    const goals = summarised([user('u', 'fix the cart tests'), ...past, earlier('ship the parser'), ...newest]).map(
      ({ goal }) => goal,
    )
    expect(goals).toEqual([[]])
  })
})
