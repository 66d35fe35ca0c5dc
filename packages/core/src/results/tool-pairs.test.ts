import { describe, expect, it } from 'vitest'
import type { Message, Part, TextPart, ToolResultPart } from '../message.ts'
import { calls, exchange, result, user } from '../testing/messages.ts'
import { isPaired, pairUp } from './tool-pairs.ts'

const text: TextPart = { type: 'text', text: 'a note' }
const ask = user('ask', 'please continue')
const tool = (id: string, ...parts: readonly Part[]): Message => ({ id, role: 'tool', parts })
const two = calls('turn', ['bash', 'Bash', {}], ['read', 'Read', {}])

describe('isPaired', () => {
  it('accepts calls answered in order, with any text in between', () => {
    const said: Message = { id: 's', role: 'assistant', parts: [text] }
    const asked: Message = { ...two, parts: [text, ...two.parts] }
    const noted = tool('read-result', ...result('', 'read', 'total = 0').parts, text)
    const quoted: Message = { ...calls('q', ['gone', 'Bash', {}]), role: 'user' }
    expect(
      isPaired([ask, said, asked, result('bash-result', 'bash', '3 passed'), noted, quoted, ...exchange('m', 'Bash', {}, 'ok')]),
    ).toBe(true)
  })

  it.each<readonly [string, readonly Message[]]>([
    ['a result without a call', [result('result', 'bash', '3 passed')]],
    ['a call without a result', [two, result('result', 'bash', '3 passed')]],
    [
      'the results of two calls in reverse order',
      [two, result('read-result', 'read', 'total = 0'), result('bash-result', 'bash', '3 passed')],
    ],
    ['the result of another call', [calls('turn', ['bash', 'Bash', {}]), result('result', 'read', '3 passed')]],
    ['nothing instead of a result', [calls('turn', ['bash', 'Bash', {}]), tool('result')]],
    ['a text instead of a result', [calls('turn', ['bash', 'Bash', {}]), tool('result', text)]],
    [
      'a result in a user message',
      [calls('turn', ['bash', 'Bash', {}]), { ...result('result', 'bash', '3 passed'), role: 'user' }],
    ],
    [
      'two results in one message',
      [two, tool('result', ...result('', 'bash', '3 passed').parts, ...result('', 'read', 'total = 0').parts)],
    ],
    [
      'a call that waits for approval',
      [
        { id: 'turn', role: 'assistant', parts: [{ type: 'tool-call', callId: 'bash', tool: 'Bash', input: {}, pending: true }] },
        result('result', 'bash', '3 passed'),
      ],
    ],
  ])('rejects %s', (_name, messages) => expect(isPaired(messages)).toBe(false))
})

describe('pairUp', () => {
  /** The place of the result of each open call, and the state of each result. */
  const pairs = (...messages: readonly Message[]) => {
    const { open, standing } = pairUp(messages)
    const standings = messages.flatMap((message, index) =>
      message.parts.flatMap((part, at) => (part.type === 'tool-result' ? [standing(index, at, part as ToolResultPart)] : [])),
    )
    return { open: open.map(({ call, strayed }) => [call.callId, strayed?.index ?? null]), standings }
  }

  it('classifies a second result as doubled, one without a call as orphan, one without an id as answer', () => {
    const messages = [
      calls('turn', ['bash', 'Bash', {}]),
      result('result', 'bash', '3 passed'),
      result('doubled', 'bash', 'total = 0'),
      result('orphan', 'gone', 'ok'),
    ]
    expect(pairs(...messages, result('no-id', null, 'ok'))).toEqual({
      open: [],
      standings: ['answers', 'doubled', 'orphan', 'answers'],
    })
  })

  it('classifies a second result after a strayed one as doubled', () => {
    expect(
      pairs(calls('turn', ['bash', 'Bash', {}]), ask, result('s', 'bash', '3 passed'), result('doubled', 'bash', 'total = 0')),
    ).toEqual({
      open: [['bash', 2]],
      standings: ['strayed', 'doubled'],
    })
  })

  it('matches a strayed result to one call only', () => {
    expect(pairs(calls('turn', ['bash', 'Bash', {}], ['bash', 'Bash', {}]), ask, result('s', 'bash', '3 passed'))).toEqual({
      open: [
        ['bash', 2],
        ['bash', null],
      ],
      standings: ['strayed'],
    })
  })

  it('leaves the second of two calls with the same id open', () => {
    expect(pairs(calls('turn', ['bash', 'Bash', {}], ['bash', 'Bash', {}]), result('result', 'bash', '3 passed'))).toEqual({
      open: [['bash', null]],
      standings: ['answers'],
    })
  })

  it('matches results right before their calls, without other messages between', () => {
    expect(pairs(result('bash-result', 'bash', '3 passed'), result('read-result', 'read', 'total = 0'), two)).toEqual({
      open: [
        ['bash', 0],
        ['read', 1],
      ],
      standings: ['strayed', 'strayed'],
    })
    expect(pairs(result('bash-result', 'bash', '3 passed'), ask, calls('turn', ['bash', 'Bash', {}]))).toEqual({
      open: [['bash', null]],
      standings: ['orphan'],
    })
  })

  it('ignores calls of the user and texts of tools', () => {
    expect(pairs({ ...calls('q', ['bash', 'Bash', {}]), role: 'user' })).toEqual({ open: [], standings: [] })
    const call = calls('turn', ['bash', 'Bash', {}])
    expect(pairs(call, tool('t', ...call.parts, text))).toEqual({ open: [['bash', null]], standings: [] })
  })

  it('does not accept a result in the same message as its call', () => {
    const call = calls('turn', ['bash', 'Bash', {}])
    expect(pairs({ ...call, parts: [...call.parts, ...result('', 'bash', '3 passed').parts] })).toEqual({
      open: [['bash', null]],
      standings: ['orphan'],
    })
  })
})
