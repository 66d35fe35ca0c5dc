import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../message.ts'
import type { RuleName } from '../report.ts'
import { calls, exchange, result, user } from '../testing/messages.ts'
import { checkView } from './invariants.ts'

const ask = user('ask', 'please continue')
const pending: Message = {
  id: 'turn',
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: 'bash', tool: 'Bash', input: {}, pending: true }],
}

describe('checkView', () => {
  it.each<[string, readonly Message[], readonly (readonly [RuleName, string])[]]>([
    ['accepts a paired conversation', [ask, ...exchange('m', 'Bash', {}, 'ok')], []],
    [
      'accepts results in another order than their calls',
      [
        calls('turn', ['bash', 'Bash', {}], ['read', 'Read', {}]),
        result('read-result', 'read', ''),
        result('bash-result', 'bash', ''),
      ],
      [],
    ],
    [
      'accepts ids that a later message reuses',
      [...exchange('m', 'Bash', {}, ''), calls('next', ['call-m', 'Bash', {}]), result('n', 'call-m', '')],
      [],
    ],
    ['accepts a call without a result that waits for approval', [ask, pending], []],
    ['accepts results in a log without calls', [result('result', 'gone', ''), ask], []],
    ['accepts a result without an id', [...exchange('m', 'Bash', {}, ''), ask, result('result', null, '')], []],
    ['reports a duplicate message id', [ask, ask], [['unique-message-ids', 'ask']]],
    ['reports a call in a user message', [{ ...pending, role: 'user' }], [['calls-in-assistant-messages', 'turn']]],
    [
      'reports a result in an assistant message',
      [{ ...result('result', null, ''), role: 'assistant' }],
      [['results-in-tool-messages', 'result']],
    ],
    ['reports an unanswered call at the end', [ask, calls('turn', ['bash', 'Bash', {}])], [['call-has-result', 'turn']]],
    [
      'reports an unanswered call before a user message',
      [calls('turn', ['bash', 'Bash', {}], ['read', 'Read', {}]), result('result', 'read', ''), ask],
      [['call-has-result', 'turn']],
    ],
    [
      'reports a result without a call',
      [...exchange('m', 'Bash', {}, ''), result('result', 'gone', '')],
      [['result-has-call', 'result']],
    ],
    [
      'reports both call and result if they are apart',
      [calls('turn', ['bash', 'Bash', {}]), ask, result('result', 'bash', '')],
      [
        ['call-has-result', 'turn'],
        ['result-has-call', 'result'],
      ],
    ],
    [
      'reports both if the result precedes its call',
      [result('result', 'bash', ''), calls('turn', ['bash', 'Bash', {}])],
      [
        ['result-has-call', 'result'],
        ['call-has-result', 'turn'],
      ],
    ],
    [
      'reports a second result',
      [...exchange('m', 'Bash', {}, ''), result('result', 'call-m', '')],
      [['one-result-per-call', 'result']],
    ],
  ])('%s', (_name, messages, problems) => {
    expect(checkView(messages)).toEqual(problems.map(([rule, message]) => ({ rule, message })))
  })

  it('reports all of 200,000 unanswered calls', () => {
    const parts = Array.from({ length: 200_000 }, (_, index): Part => {
      return { type: 'tool-call', callId: `${index}`, tool: 'Bash', input: {} }
    })
    expect(checkView([{ id: 'turn', role: 'assistant', parts }, ask]).length).toBe(200_000)
  })
})
