import { expect, it } from 'vitest'
import { planOnce } from '../derive.ts'
import type { ReplaceEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { user } from '../testing/messages.ts'

/** Edits every message, and tells which ones it looked at. */
function createPlan() {
  const looked: string[] = []
  const plan = planOnce({
    settingsOf: ({ root }) => [root],
    editsFrom: (messages, from, { root }) =>
      messages.slice(from).map(({ id }) => {
        looked.push(id)
        return editOf(id, root)
      }),
  })
  const lookedAt = (messages: readonly Message[], facts: Facts) => {
    looked.length = 0
    expect(plan(messages, facts)).toEqual(messages.map(({ id }) => editOf(id, facts.root)))
    return looked.join('')
  }
  return { plan, lookedAt }
}

function editOf(message: string, root = ''): ReplaceEdit {
  return { id: message, policy: 'p', kind: 'replace', message, part: 0, with: { type: 'text', text: root }, why: '' }
}

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => user(id, id)) as [Message, Message, Message, Message]

it('only what was added is planned, for each conversation and for each setting', () => {
  const { lookedAt } = createPlan()
  expect(lookedAt([a, b], { root: '/one' })).toBe('ab')
  expect(lookedAt([c], { root: '/two' })).toBe('c')
  expect(lookedAt([a, b, d], { root: '/one', now: 5 })).toBe('d')
  expect(lookedAt([c, d], { root: '/two' })).toBe('d')
  expect(lookedAt([a, b, d], { root: '/two' })).toBe('abd')
  expect(lookedAt([a, c], { root: '/one' })).toBe('ac')
})

it('what a caller does to a list of edits does not come back', () => {
  const { plan } = createPlan()
  plan([a], {}).push(editOf('z'))
  expect(plan([a], {})).toEqual([editOf('a')])
})
