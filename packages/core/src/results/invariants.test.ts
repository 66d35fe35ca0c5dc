import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../message.ts'
import type { RuleName } from '../report.ts'
import { calls, exchange, result, user } from '../testing/messages.ts'
import { checkView } from './invariants.ts'

const ask = user('u', 'please continue')
const pending: Message = {
  id: 'a',
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: '1', tool: 'Bash', input: {}, pending: true }],
}

describe('checkView', () => {
  it.each<[string, readonly Message[], readonly (readonly [RuleName, string])[]]>([
    ['accepts a paired conversation', [ask, ...exchange('m', 'Bash', {}, 'ok')], []],
    [
      'accepts results in another order than their calls',
      [calls('a', ['1', 'x', {}], ['2', 'x', {}]), result('r2', '2', ''), result('r1', '1', '')],
      [],
    ],
    [
      'accepts ids that a later message reuses',
      [...exchange('m', 'x', {}, ''), calls('b', ['call-m', 'x', {}]), result('n', 'call-m', '')],
      [],
    ],
    ['accepts a call without a result that waits for approval', [ask, pending], []],
    ['accepts results in a log without calls', [result('r', '9', ''), ask], []],
    ['accepts a result without an id', [...exchange('m', 'x', {}, ''), ask, result('r', null, '')], []],
    ['reports a duplicate message id', [ask, ask], [['unique-message-ids', 'u']]],
    ['reports a call in a user message', [{ ...pending, role: 'user' }], [['calls-in-assistant-messages', 'a']]],
    [
      'reports a result in an assistant message',
      [{ ...result('r', null, ''), role: 'assistant' }],
      [['results-in-tool-messages', 'r']],
    ],
    ['reports an unanswered call at the end', [ask, calls('a', ['1', 'x', {}])], [['call-has-result', 'a']]],
    [
      'reports an unanswered call before a user message',
      [calls('a', ['1', 'x', {}], ['2', 'x', {}]), result('r', '2', ''), ask],
      [['call-has-result', 'a']],
    ],
    ['reports a result without a call', [...exchange('m', 'x', {}, ''), result('r', '9', '')], [['result-has-call', 'r']]],
    [
      'reports both call and result if they are apart',
      [calls('a', ['1', 'x', {}]), ask, result('r', '1', '')],
      [
        ['call-has-result', 'a'],
        ['result-has-call', 'r'],
      ],
    ],
    [
      'reports both if the result precedes its call',
      [result('r', '1', ''), calls('a', ['1', 'x', {}])],
      [
        ['result-has-call', 'r'],
        ['call-has-result', 'a'],
      ],
    ],
    ['reports a second result', [...exchange('m', 'x', {}, ''), result('r', 'call-m', '')], [['one-result-per-call', 'r']]],
  ])('%s', (_name, messages, problems) => {
    expect(checkView(messages)).toEqual(problems.map(([rule, message]) => ({ rule, message })))
  })

  it('reports all of 200,000 unanswered calls', () => {
    const parts = Array.from({ length: 200_000 }, (_, index): Part => {
      return { type: 'tool-call', callId: `${index}`, tool: 'x', input: {} }
    })
    expect(checkView([{ id: 'a', role: 'assistant', parts }, ask]).length).toBe(200_000)
  })
})
