import { expect, it } from 'vitest'
import { calls, user } from '../testing/messages.ts'
import { createUnansweredCalls, noCalls } from './tool-pairs.ts'

it('matches each answer to the first open call of its id', () => {
  const message = calls('a', ['1', 'first', {}], ['2', 'other', {}], ['1', 'second', {}])
  const open = createUnansweredCalls(message)
  expect([open.answer('1'), open.answer('3')]).toEqual([true, false])
  expect(open.left()).toEqual(message.parts.slice(1))
  expect([open.answer('1'), open.answer('1')]).toEqual([true, false])
  expect(open.left()).toEqual(message.parts.slice(1, 2))
})

it('returns nothing for a message without calls', () => {
  expect(createUnansweredCalls(user('u', 'go on'))).toBe(noCalls)
})
