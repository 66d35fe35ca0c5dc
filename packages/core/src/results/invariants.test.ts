import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../message.ts'
import type { RuleName } from '../report.ts'
import { calls, exchange, result, user } from '../testing/messages.ts'
import { checkView } from './invariants.ts'

const ask = user('u', 'go on')
const pending: Message = {
  id: 'a',
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: '1', tool: 'Bash', input: {}, pending: true }],
}

describe('the providers’ rules, one by one', () => {
  it.each<[string, readonly Message[], readonly (readonly [RuleName, string])[]]>([
    ['a paired conversation is legal', [ask, ...exchange('m', 'Bash', {}, 'ok')], []],
    [
      'results may come in another order than the calls',
      [calls('a', ['1', 'x', {}], ['2', 'x', {}]), result('r2', '2', ''), result('r1', '1', '')],
      [],
    ],
    [
      'ids may be used again by a later message',
      [...exchange('m', 'x', {}, ''), calls('b', ['call-m', 'x', {}]), result('n', 'call-m', '')],
      [],
    ],
    ['a call that waits for approval needs no result', [ask, pending], []],
    ['a log without calls says nothing about pairs', [result('r', '9', ''), ask], []],
    ['a result without an id belongs to nobody', [...exchange('m', 'x', {}, ''), ask, result('r', null, '')], []],
    ['unique-message-ids', [ask, ask], [['unique-message-ids', 'u']]],
    ['calls-in-assistant-messages', [{ ...pending, role: 'user' }], [['calls-in-assistant-messages', 'a']]],
    ['results-in-tool-messages', [{ ...result('r', null, ''), role: 'assistant' }], [['results-in-tool-messages', 'r']]],
    ['call-has-result, at the end', [ask, calls('a', ['1', 'x', {}])], [['call-has-result', 'a']]],
    [
      'call-has-result, before somebody speaks',
      [calls('a', ['1', 'x', {}], ['2', 'x', {}]), result('r', '2', ''), ask],
      [['call-has-result', 'a']],
    ],
    ['result-has-call', [...exchange('m', 'x', {}, ''), result('r', '9', '')], [['result-has-call', 'r']]],
    [
      'a result that stands apart breaks both',
      [calls('a', ['1', 'x', {}]), ask, result('r', '1', '')],
      [
        ['call-has-result', 'a'],
        ['result-has-call', 'r'],
      ],
    ],
    [
      'a result before its call',
      [result('r', '1', ''), calls('a', ['1', 'x', {}])],
      [
        ['result-has-call', 'r'],
        ['call-has-result', 'a'],
      ],
    ],
    ['one-result-per-call', [...exchange('m', 'x', {}, ''), result('r', 'call-m', '')], [['one-result-per-call', 'r']]],
  ])('%s', (_name, messages, problems) => {
    expect(checkView(messages)).toEqual(problems.map(([rule, message]) => ({ rule, message })))
  })

  it('finds all of very many unanswered calls before a user message', () => {
    const parts = Array.from({ length: 200_000 }, (_, index): Part => {
      return { type: 'tool-call', callId: `${index}`, tool: 'x', input: {} }
    })
    expect(checkView([{ id: 'a', role: 'assistant', parts }, ask]).length).toBe(200_000)
  })
})
