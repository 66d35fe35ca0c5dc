import { describe, expect, it } from 'vitest'
import type { Message } from '../../message.ts'
import { requestAges } from './results-in-use.ts'

type Roles = readonly Message['role'][]

const messagesOf = (roles: Roles): readonly Message[] => roles.map((role, index) => ({ id: `${index}`, role, parts: [] }))
const agesOf = (messages: readonly Message[]) => messages.map((_message, index) => requestAges(messages)(index))

describe('the age of a message is how many requests were answered after it', () => {
  it.each<readonly [string, Roles, readonly number[]]>([
    ['one that waits for its answer', ['user'], [0]],
    ['one answer', ['user', 'assistant'], [1, 0]],
    ['steps with tools', ['user', 'assistant', 'tool', 'assistant', 'tool'], [2, 1, 1, 0, 0]],
    ['an answer in several messages', ['user', 'assistant', 'assistant', 'tool', 'assistant'], [2, 1, 1, 1, 0]],
    ['a list that begins with an answer', ['assistant', 'user', 'assistant'], [1, 1, 0]],
    ['several messages between two answers', ['user', 'user', 'assistant', 'tool', 'tool', 'assistant'], [2, 2, 1, 1, 1, 0]],
  ])('%s', (_name, roles, ages) => {
    expect(agesOf(messagesOf(roles))).toEqual(ages)
  })
})

it('a missing message has no age', () => {
  expect(requestAges(messagesOf(['user', 'assistant']))(7)).toBe(0)
})

it('messages grow older with a list that grows, and whoever asked before keeps the answer', () => {
  const messages = messagesOf(['user', 'assistant', 'assistant', 'tool', 'assistant', 'user', 'assistant'])
  const before = messages.slice(0, 2)
  const ageBefore = requestAges(before)
  expect(agesOf(messages)).toEqual([3, 2, 2, 2, 1, 1, 0])
  expect(before.map((_message, index) => ageBefore(index))).toEqual([1, 0])
})

it.each<readonly [string, Message['role'], readonly number[]]>([
  ['the same role', 'tool', [2, 1, 1, 0]],
  ['another role', 'assistant', [1, 0, 0, 0]],
])('a message in place of another is counted by what it is: %s', (_name, role, ages) => {
  const messages = messagesOf(['user', 'assistant', 'tool', 'assistant'])
  expect(agesOf(messages)).toEqual([2, 1, 1, 0])
  expect(agesOf(messages.with(2, { id: 'other', role, parts: [] }))).toEqual(ages)
})
