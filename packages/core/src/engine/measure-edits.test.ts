import { expect, it } from 'vitest'
import type { Edit } from '../edit.ts'
import type { Message } from '../message.ts'
import { buildView } from './build-view.ts'
import { createEditsInForce } from './edits-in-force.ts'
import { measureEdits } from './measure-edits.ts'
import { stagesOf } from './plan-stages.ts'

const tokens = { name: 'characters', count: (text: string) => text.length }
const messages: readonly Message[] = ['a', 'b'].map((id) => ({
  id,
  role: 'assistant',
  parts: [
    { type: 'text', text: 'x'.repeat(50) },
    { type: 'text', text: 'y'.repeat(40) },
  ],
}))

function replacement(policy: string, message: string, part: number, length: number): Edit {
  const id = `${policy}:${message}.${part}`
  return { id, policy, kind: 'replace', message, part, with: { type: 'text', text: '-'.repeat(length) }, why: '' }
}

const mixed: readonly Edit[] = [
  replacement('first', 'b', 1, 30),
  replacement('first', 'a', 0, 20),
  replacement('second', 'a', 0, 10),
  replacement('second', 'a', 1, 8),
  replacement('third', 'b', 1, 6),
]

it('measures each replacement after the previous ones, in one stage for any order of policies', () => {
  const stages = stagesOf(messages, mixed, { tokens })
  expect(stages.length).toBe(1)
  expect(
    measureEdits(stages, createEditsInForce([])).map(({ id, tokensBefore, tokensAfter }) => [id, tokensBefore, tokensAfter]),
  ).toEqual([
    ['first:b.1', 40, 30],
    ['first:a.0', 50, 20],
    ['second:a.0', 20, 10],
    ['second:a.1', 40, 8],
    ['third:b.1', 30, 6],
  ])
})

it('reports the tokens of the view if a timing mixes edits of several policies', () => {
  const policies = ['first', 'second', 'third'].map((name) => ({
    name,
    plan: () => mixed.filter(({ policy }) => policy === name),
  }))
  const timing = () => ({ apply: mixed, waiting: [], ledger: { debts: {}, bank: 0, cacheLifetimeSeconds: null } })
  const { view, report } = buildView({ messages, policies, timing, facts: { tokens } })
  const frames = messages.length * 4
  const counted = view.flatMap(({ parts }) => parts).reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  expect(report.tokensAfter).toBe(counted + frames)
})
