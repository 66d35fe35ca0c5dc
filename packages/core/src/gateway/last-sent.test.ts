import { expect, test } from 'vitest'
import { calls, result, user } from '../testing/messages.ts'
import { lastSent } from './last-sent.ts'

const first = [user('u', 'x')]
const second = [...first, calls('a', ['1', 't', {}]), result('r', '1', 'x')]
const third = [...second, calls('b', ['2', 't', {}]), result('s', '2', 'x')]

test.each([
  ['nothing was sent of a conversation that begins', first, null, null],
  ['the request before', second, 0, 'u'],
  ['the same request again', second, 2, 'r'],
  ['what was answered behind the last request that is known was sent by somebody', third, 0, 'b'],
  ['in a conversation that nobody knows, what was answered to', third, null, 'b'],
  ['a result without any answer before it has not been seen', [...first, result('r', '1', 'x')], null, 'u'],
  ['nothing at all', [], null, null],
])('what counts as sent: %s', (_name, messages, known, sent) => {
  expect(lastSent(messages, known)).toBe(sent)
})
