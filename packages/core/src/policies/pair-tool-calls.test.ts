import { describe, expect, it } from 'vitest'
import { applyEdits } from '../edit.ts'
import { checkView } from '../invariants.ts'
import type { Message } from '../message.ts'
import { calls, deepFreeze, exchange, expectEdits, result, user } from '../testing/messages.ts'
import { buildView } from '../view.ts'
import { pairToolCalls } from './pair-tool-calls.ts'

const interrupted = 'Error: tool call was interrupted, no result'
const ask = user('u', 'go on')

describe('Q-49 calls without results', () => {
  it('an unanswered call gets a result that says so', () => {
    expectEdits(pairToolCalls, [calls('a', ['1', 'Bash', {}]), ask], {}, { 'after a': interrupted })
  })

  it('one of several calls is missing its result: the others stay and the missing one stands beside them', () => {
    const messages = [calls('a', ['1', 'Bash', {}], ['2', 'Read', {}], ['3', 'Grep', {}]), result('r2', '2', 'text'), ask]
    const view = applyEdits(messages, pairToolCalls.plan(messages, {}))
    expect(view.map((message) => message.id)).toEqual(['a', 'r2', 'a:1', 'a:3', 'u'])
    expect(checkView(view)).toEqual([])
  })

  it('the last call of a session that broke off is answered too', () => {
    expectEdits(pairToolCalls, [ask, calls('a', ['1', 'Bash', {}])], {}, { 'after a': interrupted })
  })

  it('a call that waits for approval is left alone', () => {
    const waiting: Message = {
      id: 'a',
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: '1', tool: 'Bash', input: {}, pending: true }],
    }
    expectEdits(pairToolCalls, [ask, waiting], {}, {})
  })

  it('two calls with one id want two results', () => {
    const messages = [calls('a', ['1', 'Bash', {}], ['1', 'Bash', {}]), ask]
    const view = applyEdits(messages, pairToolCalls.plan(messages, {}))
    expect(view.map((message) => message.id)).toEqual(['a', 'a:1', 'a:1:2', 'u'])
  })
})

describe('Q-49 results without calls', () => {
  it('an orphan is removed', () => {
    expectEdits(pairToolCalls, [...exchange('m', 'Bash', {}, 'ok'), result('orphan', 'gone', 'text')], {}, { orphan: null })
  })

  it('a result from long before its call is no answer to it: agents use ids again', () => {
    const messages = [result('early', '1', 'text'), ask, calls('a', ['1', 'Bash', {}])]
    expectEdits(pairToolCalls, messages, {}, { early: null, 'after a': interrupted })
  })

  it('a second result for one call is removed', () => {
    expectEdits(
      pairToolCalls,
      [calls('a', ['1', 'Bash', {}]), result('r', '1', 'x'), result('again', '1', 'y')],
      {},
      { again: null },
    )
  })

  it('a result without a call id stays', () => {
    expectEdits(pairToolCalls, [...exchange('m', 'Bash', {}, 'ok'), ask, result('bare', null, 'text')], {}, {})
  })

  it('in a log without any calls every result stays', () => {
    expectEdits(pairToolCalls, [result('a', '1', 'x'), ask, result('b', '2', 'y')], {}, {})
  })

  it('the same object standing twice is a second result, not the same one', () => {
    const once = result('r', '1', 'x')
    const messages = [calls('a', ['1', 'Bash', {}]), once, { ...once, id: 'again' }]
    expectEdits(pairToolCalls, messages, {}, { again: null })
  })

  it('an id that a message has already is not given to another', () => {
    const messages = [calls('a', ['1', 'Bash', {}]), user('a:1', 'taken')]
    const { view } = buildView({ messages, policies: [pairToolCalls], facts: {} })
    expect(view.map((message) => message.id)).toEqual(['a', 'a:1:2', 'a:1'])
  })

  it('an orphan before a good result in one message goes alone', () => {
    const both: Message = { id: 'r', role: 'tool', parts: [...result('', '9', 'orphan').parts, ...result('', '1', 'mine').parts] }
    const { view } = buildView({ messages: [calls('a', ['1', 'Bash', {}]), both], policies: [pairToolCalls], facts: {} })
    expect(view[1]).toEqual(result('r', '1', 'mine'))
  })

  it('a result of one message among several in it is taken out, the rest stays', () => {
    const both: Message = { id: 'r', role: 'tool', parts: [...result('', '1', 'mine').parts, ...result('', '9', 'orphan').parts] }
    expectEdits(pairToolCalls, [calls('a', ['1', 'Bash', {}]), both], {}, { r: 'mine' })
  })
})

describe('results that strayed', () => {
  it('a result after somebody spoke is shown next to its call, with its own content', () => {
    const messages = [calls('a', ['1', 'Bash', {}]), ask, result('late', '1', 'real output'), user('u2', 'next')]
    const view = applyEdits(messages, pairToolCalls.plan(deepFreeze(messages), {}))
    expect(view.map((message) => message.id)).toEqual(['a', 'a:1', 'u', 'u2'])
    expect(view[1]?.parts[0]).toBe(messages[2]?.parts[0])
  })

  it('Q-11 a list given newest first keeps its results: each is shown after its call', () => {
    const messages = [...exchange('m', 'Bash', {}, 'one'), ...exchange('n', 'Read', {}, 'two')].toReversed()
    const view = applyEdits(messages, pairToolCalls.plan(messages, {}))
    expect(view.map((message) => message.id)).toEqual(['nc', 'nc:call-n', 'mc', 'mc:call-m'])
    expect(view[1]?.parts).toEqual(messages[0]?.parts)
    expect(checkView(view)).toEqual([])
  })

  it('a result right before its call is not taken when an earlier call used that id', () => {
    const messages = [...exchange('m', 'Bash', {}, 'x'), result('again', 'call-m', 'y'), calls('b', ['call-m', 'Bash', {}])]
    expectEdits(pairToolCalls, messages, {}, { again: null, 'after b': interrupted })
  })

  it('an id used again belongs to the nearer call', () => {
    const messages = [calls('a', ['0', 'Bash', {}]), ask, calls('b', ['0', 'Bash', {}]), result('r', '0', 'of b')]
    expectEdits(pairToolCalls, messages, {}, { 'after a': interrupted })
  })
})

it('what is paired already is left alone, also with several calls in one message', () => {
  const messages = [
    ask,
    calls('a', ['1', 'Bash', {}], ['2', 'Read', {}]),
    result('r1', '1', 'x'),
    result('r2', '2', 'y'),
    ...exchange('m', 'Bash', {}, 'ok'),
  ]
  expectEdits(pairToolCalls, messages, {}, {})
  const swapped = [ask, calls('a', ['1', 'Bash', {}], ['2', 'Read', {}]), result('r2', '2', 'y'), result('r1', '1', 'x')]
  expectEdits(pairToolCalls, swapped, {}, {})
})

it('R000-35 R001-27 a repaired list needs no second repair', () => {
  const messages = [
    result('o', '9', 'x'),
    calls('a', ['1', 'Bash', {}], ['2', 'Read', {}]),
    ask,
    result('late', '2', 'y'),
    calls('b', ['3', 'Bash', {}]),
  ]
  const once = applyEdits(messages, pairToolCalls.plan(messages, {}))
  expect(pairToolCalls.plan(once, {})).toEqual([])
})

it('a hundred thousand broken pairs take one pass', () => {
  const messages = Array.from({ length: 100_000 }, (_, index) =>
    calls(`a${index}`, [index % 2 === 0 ? 'same' : `${index}`, 'Bash', {}]),
  )
  const view = applyEdits(messages, pairToolCalls.plan(messages, {}))
  expect(view.length).toBe(200_000)
})
