import { describe, expect, it } from 'vitest'
import type { Message } from '../../message.ts'
import { requestAges } from './results-in-use.ts'

type Roles = readonly Message['role'][]

const messagesOf = (roles: Roles): readonly Message[] => roles.map((role, index) => ({ id: `${index}`, role, parts: [] }))
const agesOf = (messages: readonly Message[]) => messages.map((_message, index) => requestAges(messages)(index))

describe('requestAges counts the requests answered after each message', () => {
  it.each<readonly [string, Roles, readonly number[]]>([
    ['no answer yet', ['user'], [0]],
    ['one answer', ['user', 'assistant'], [1, 0]],
    ['steps with tools', ['user', 'assistant', 'tool', 'assistant', 'tool'], [2, 1, 1, 0, 0]],
    ['an answer in several messages', ['user', 'assistant', 'assistant', 'tool', 'assistant'], [2, 1, 1, 1, 0]],
    ['a list that starts with an answer', ['assistant', 'user', 'assistant'], [1, 1, 0]],
    ['several messages between two answers', ['user', 'user', 'assistant', 'tool', 'tool', 'assistant'], [2, 2, 1, 1, 1, 0]],
  ])('%s', (_name, roles, ages) => {
    expect(agesOf(messagesOf(roles))).toEqual(ages)
  })
})

it('requestAges returns zero for a missing message', () => {
  expect(requestAges(messagesOf(['user', 'assistant']))(7)).toBe(0)
})

it('requestAges counts a longer list without changing earlier answers', () => {
  const messages = messagesOf(['user', 'assistant', 'assistant', 'tool', 'assistant', 'user', 'assistant'])
  const before = messages.slice(0, 2)
  const ageBefore = requestAges(before)
  expect(agesOf(messages)).toEqual([3, 2, 2, 2, 1, 1, 0])
  expect(before.map((_message, index) => ageBefore(index))).toEqual([1, 0])
})

it.each<readonly [string, Message['role'], readonly number[]]>([
  ['the same role', 'tool', [2, 1, 1, 0]],
  ['another role', 'assistant', [1, 0, 0, 0]],
])('requestAges counts an exchanged message by its own role: %s', (_name, role, ages) => {
  const messages = messagesOf(['user', 'assistant', 'tool', 'assistant'])
  expect(agesOf(messages)).toEqual([2, 1, 1, 0])
  expect(agesOf(messages.with(2, { id: 'other', role, parts: [] }))).toEqual(ages)
})
