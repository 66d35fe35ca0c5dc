import { describe, expect, it } from 'vitest'
import type { Message, Part, TextPart, ToolResultPart } from '../message.ts'
import { calls, exchange, result, user } from '../testing/messages.ts'
import { isPaired, pairUp } from './tool-pairs.ts'

const text: TextPart = { type: 'text', text: 'a note' }
const ask = user('u', 'please continue')
const tool = (id: string, ...parts: readonly Part[]): Message => ({ id, role: 'tool', parts })
const two = calls('a', ['1', 'Bash', {}], ['2', 'Read', {}])

describe('isPaired', () => {
  it('accepts calls answered in order, with any text in between', () => {
    const said: Message = { id: 's', role: 'assistant', parts: [text] }
    const asked: Message = { ...two, parts: [text, ...two.parts] }
    const noted = tool('r2', ...result('', '2', 'y').parts, text)
    const quoted: Message = { ...calls('q', ['9', 'Bash', {}]), role: 'user' }
    expect(isPaired([ask, said, asked, result('r1', '1', 'x'), noted, quoted, ...exchange('m', 'Bash', {}, 'z')])).toBe(true)
  })

  it.each<readonly [string, readonly Message[]]>([
    ['a result without a call', [result('r', '1', 'x')]],
    ['a call without a result', [two, result('r', '1', 'x')]],
    ['the results of two calls in reverse order', [two, result('r2', '2', 'y'), result('r1', '1', 'x')]],
    ['the result of another call', [calls('a', ['1', 'Bash', {}]), result('r', '2', 'x')]],
    ['a text instead of a result', [calls('a', ['1', 'Bash', {}]), tool('r', text)]],
    ['a result in a user message', [calls('a', ['1', 'Bash', {}]), { ...result('r', '1', 'x'), role: 'user' }]],
    ['two results in one message', [two, tool('r', ...result('', '1', 'x').parts, ...result('', '2', 'y').parts)]],
    [
      'a call that waits for approval',
      [
        { id: 'a', role: 'assistant', parts: [{ type: 'tool-call', callId: '1', tool: 'Bash', input: {}, pending: true }] },
        result('r', '1', 'x'),
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
    const messages = [calls('a', ['1', 'Bash', {}]), result('r', '1', 'x'), result('d', '1', 'y'), result('o', '9', 'z')]
    expect(pairs(...messages, result('n', null, 'w'))).toEqual({
      open: [],
      standings: ['answers', 'doubled', 'orphan', 'answers'],
    })
  })

  it('classifies a second result after a strayed one as doubled', () => {
    expect(pairs(calls('a', ['1', 'Bash', {}]), ask, result('s', '1', 'x'), result('d', '1', 'y'))).toEqual({
      open: [['1', 2]],
      standings: ['strayed', 'doubled'],
    })
  })

  it('matches a strayed result to one call only', () => {
    expect(pairs(calls('a', ['1', 'Bash', {}], ['1', 'Bash', {}]), ask, result('s', '1', 'x'))).toEqual({
      open: [
        ['1', 2],
        ['1', null],
      ],
      standings: ['strayed'],
    })
  })

  it('leaves the second of two calls with the same id open', () => {
    expect(pairs(calls('a', ['1', 'Bash', {}], ['1', 'Bash', {}]), result('r', '1', 'x'))).toEqual({
      open: [['1', null]],
      standings: ['answers'],
    })
  })

  it('matches results right before their calls, without other messages between', () => {
    expect(pairs(result('r1', '1', 'x'), result('r2', '2', 'y'), two)).toEqual({
      open: [
        ['1', 0],
        ['2', 1],
      ],
      standings: ['strayed', 'strayed'],
    })
    expect(pairs(result('r1', '1', 'x'), ask, calls('a', ['1', 'Bash', {}]))).toEqual({
      open: [['1', null]],
      standings: ['orphan'],
    })
  })

  it('ignores calls of the user and texts of tools', () => {
    expect(pairs({ ...calls('q', ['1', 'Bash', {}]), role: 'user' })).toEqual({ open: [], standings: [] })
    const call = calls('a', ['1', 'Bash', {}])
    expect(pairs(call, tool('t', ...call.parts, text))).toEqual({ open: [['1', null]], standings: [] })
  })

  it('does not accept a result in the same message as its call', () => {
    const call = calls('a', ['1', 'Bash', {}])
    expect(pairs({ ...call, parts: [...call.parts, ...result('', '1', 'x').parts] })).toEqual({
      open: [['1', null]],
      standings: ['orphan'],
    })
  })
})
