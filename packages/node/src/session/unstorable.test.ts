import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { createSession } from './create-session.ts'
import { openSession } from './open-session.ts'
import { said, temporarySessions, userMessage } from './testing/sessions.ts'

function nested(levels: number, inside: unknown): unknown {
  let value = inside
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

const circle: Record<string, unknown> = {}
circle['itself'] = circle

class Picture {
  readonly width = 1
}

const called = (input: unknown): Message => ({
  id: 'm',
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: 'c', tool: 't', input }],
})

const at = 'message: message.parts[0].input'

describe('a value that the log cannot restore unchanged', () => {
  it.each<[name: string, input: unknown, reason: string]>([
    ['no number', { a: [Number.NaN] }, `${at}.a[0] is NaN, which JSON has no number for`],
    ['a number too large to be one', JSON.parse('{"a":1e400}'), `${at}.a is Infinity, which JSON has no number for`],
    ['a number of another kind', { a: 1n }, `${at}.a is a bigint`],
    ['nothing in a list', [1, undefined], `${at}[1] is undefined`],
    ['a function', { a: () => 1 }, `${at}.a is a function`],
    ['a symbol', { a: Symbol('a') }, `${at}.a is a symbol`],
    ['a date', { a: new Date(5) }, `${at}.a is not a plain object (Date)`],
    ['a map', new Map(), `${at} is not a plain object (Map)`],
    ['an object of a class', new Picture(), `${at} is not a plain object (Object)`],
    ['an object with a say in how it is written', { toJSON: () => 'else' }, `${at} is an object with its own toJSON`],
    ['a circle', circle, `${at}.itself.itself.itself.itself… is nested more than 1200 levels deep, or in a circle`],
    ['nesting', nested(10_000, 1), `${at}.a[0].a[0]… is nested more than 1200 levels deep, or in a circle`],
    ['bytes too deep to be found', nested(600, new Uint8Array(1)), `${at}.a[0].a[0]… is bytes more than 400 levels deep`],
  ])('is refused and leaves the session as it was: %s', async (_name, input, reason) => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    const refused = session.append([{ type: 'message', message: called(input) }])
    const beside = session.append([said('beside', 'stays')])
    await expect(refused).rejects.toMatchObject({ problem: { kind: 'bad-entry', reason } })
    await beside
    await session.close()
    const again = await openSession(sessions, session.id)
    expect(again.state().messages).toEqual([userMessage('beside', 'stays')])
    expect(again.troubles()).toEqual([])
    await again.close()
  })
})

describe('an odd value that the log can restore', () => {
  it.each<[name: string, input: unknown]>([
    ['zero below zero', { a: -0, b: [0, { c: -0 }] }],
    ['zero below zero in a result kept apart', { a: -0, b: 'word '.repeat(300_000) }],
    ['a thousand levels', nested(1000, -0)],
    ['keys of the language', JSON.parse('{"__proto__":{"toJSON":1},"constructor":-0}')],
    ['half characters', { '\ud800': 'a\udc00b' }],
    ['base64 deeper than it is looked for', nested(600, 'QUJD'.repeat(2000))],
    ['a field without a value', { a: undefined, b: 1 }],
  ])('comes back as it was: %s', async (_name, value) => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    const result: Message = {
      id: 'r',
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'c', tool: 't', content: { type: 'json', value } }],
    }
    await session.append([called(value), result].map((message) => ({ type: 'message', message })))
    await session.close()
    const again = await openSession(sessions, session.id)
    const [call, stored] = again.state().messages.map(({ parts }) => parts[0])
    expect(call).toEqual(called(value).parts[0])
    expect(stored?.type === 'tool-result' && again.whole(stored)).toEqual({ part: result.parts[0] })
    await again.close()
  })
})
