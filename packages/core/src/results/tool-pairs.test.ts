import { describe, expect, it } from 'vitest'
import type { Message, Part, TextPart, ToolResultPart } from '../message.ts'
import { calls, exchange, result, user } from '../testing/messages.ts'
import { isPaired, pairUp } from './tool-pairs.ts'

const text: TextPart = { type: 'text', text: 'a note' }
const ask = user('u', 'go on')
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
    ['the results of two calls the other way round', [two, result('r2', '2', 'y'), result('r1', '1', 'x')]],
    ['a result of another call', [calls('a', ['1', 'Bash', {}]), result('r', '2', 'x')]],
    ['what is no result', [calls('a', ['1', 'Bash', {}]), tool('r', text)]],
    ['a result that a person wrote', [calls('a', ['1', 'Bash', {}]), { ...result('r', '1', 'x'), role: 'user' }]],
    ['two results in one message', [two, tool('r', ...result('', '1', 'x').parts, ...result('', '2', 'y').parts)]],
    [
      'a call that waits for approval',
      [
        { id: 'a', role: 'assistant', parts: [{ type: 'tool-call', callId: '1', tool: 'Bash', input: {}, pending: true }] },
        result('r', '1', 'x'),
      ],
    ],
  ])('%s is not', (_name, messages) => expect(isPaired(messages)).toBe(false))
})

describe('pairUp', () => {
  /** For each open call the place of its result, and for each result how it stands. */
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

  it('after a result that strayed a second one is doubled too', () => {
    expect(pairs(calls('a', ['1', 'Bash', {}]), ask, result('s', '1', 'x'), result('d', '1', 'y'))).toEqual({
      open: [['1', 2]],
      standings: ['strayed', 'doubled'],
    })
  })

  it('a result that strayed answers one call only', () => {
    expect(pairs(calls('a', ['1', 'Bash', {}], ['1', 'Bash', {}]), ask, result('s', '1', 'x'))).toEqual({
      open: [
        ['1', 2],
        ['1', null],
      ],
      standings: ['strayed'],
    })
  })

  it('a result that answers one of two calls of the same id is not taken for the other', () => {
    expect(pairs(calls('a', ['1', 'Bash', {}], ['1', 'Bash', {}]), result('r', '1', 'x'))).toEqual({
      open: [['1', null]],
      standings: ['answers'],
    })
  })

  it('results right before their calls are found, as far as these stand together', () => {
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

  it('only models call, and only results answer', () => {
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
