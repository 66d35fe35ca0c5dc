import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits, type Edit } from './edit.ts'
import type { Message } from './message.ts'
import { deepFreeze, result, user } from './testing/messages.ts'

const messages = deepFreeze([user('a', 'one'), user('b', 'two'), user('c', 'three')])
const base = { policy: 'test', why: '' }
const ids = (list: readonly Message[]) => list.map((message) => message.id)
const replace = (message: string, text: string, part = 0): Edit => ({
  ...base,
  id: `r${message}`,
  kind: 'replace',
  message,
  part,
  with: { type: 'text', text },
})
const fold = (first: string, last: string, into: Message | null): Edit => ({
  ...base,
  id: `f${first}`,
  kind: 'fold',
  first,
  last,
  into,
})
const insert = (after: string | null, message: Message): Edit => ({
  ...base,
  id: `i${message.id}`,
  kind: 'insert',
  after,
  message,
})

describe('applyEdits', () => {
  it('returns the same array without edits', () => expect(applyEdits(messages, [])).toBe(messages))

  it('returns a list that its caller may change', () => {
    const edits = [replace('a', 'short')]
    const edited = applyEdits(messages, edits)
    const expected = [...edited]
    ;(edited as Message[]).reverse()
    expect(applyEdits(messages, edits)).toEqual(expected)
  })

  it('replaces a part and keeps the identity of the others', () => {
    const view = applyEdits(messages, [replace('b', 'new')])
    expect(view[1]).toEqual(user('b', 'new'))
    expect(view[0]).toBe(messages[0])
    expect(view[2]).toBe(messages[2])
  })

  it('accepts replacements in any order; the last one of a part wins', () => {
    const view = applyEdits(messages, [replace('c', 'x'), replace('a', 'y'), replace('c', 'z')])
    expect(view).toEqual([user('a', 'y'), user('b', 'two'), user('c', 'z')])
  })

  it('returns the same object for the same edit, so that derived values stay cached', () => {
    const edit = replace('b', 'new')
    expect(applyEdits(messages, [edit])[1]).toBe(applyEdits([...messages], [edit])[1])
  })

  it('gives the same message for many edits of it at once as for one after the other', () => {
    const message: Message = {
      id: 'm',
      role: 'assistant',
      parts: Array.from({ length: 5 }, (_, part) => ({ type: 'text', text: `${part}` })),
    }
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('m', 'a'), fc.nat(4), fc.string()), { minLength: 5, maxLength: 60 }),
        (drafts) => {
          const edits = drafts.map(([id, part, text]) => replace(id, text, id === 'm' ? part : 0))
          const oneByOne = edits.reduce((list, edit) => applyEdits(list, [edit]), [message, ...messages] as readonly Message[])
          expect(applyEdits([message, ...messages], edits)).toEqual(oneByOne)
        },
      ),
    )
    const missing = Array.from({ length: 20 }, (_, index) => replace('m', 'new', index === 4 ? 9 : 1))
    expect(() => applyEdits([message], missing)).toThrow('test: edit rm names part 9 of message m, which has 5 parts')
  })

  it('folds a run into one message or none, and inserts before, between and after', () => {
    expect(ids(applyEdits(messages, [fold('a', 'b', user('s', 'sum'))]))).toEqual(['s', 'c'])
    expect(ids(applyEdits(messages, [fold('b', 'b', null)]))).toEqual(['a', 'c'])
    expect(
      ids(applyEdits(messages, [insert(null, user('x', '')), insert('a', user('y', '')), insert('c', user('z', ''))])),
    ).toEqual(['x', 'a', 'y', 'b', 'c', 'z'])
    expect(ids(applyEdits(messages, [insert('a', user('x', '')), insert('x', user('y', ''))]))).toEqual(['a', 'x', 'y', 'b', 'c'])
  })

  it('applies each edit to the outcome of earlier ones', () => {
    const view = applyEdits(messages, [
      insert('a', user('x', 'new')),
      replace('x', 'newer'),
      fold('a', 'x', user('s', 'sum')),
      fold('s', 'c', null),
    ])
    expect(view).toEqual([])
  })

  it.each<[string, Edit, RegExp]>([
    [
      'a replacement in a missing message',
      replace('nope', 'x'),
      /test: edit rnope names message "nope", which is not in the conversation/,
    ],
    ['a missing part', replace('a', 'x', 3), /names part 3 of message a, which has 1 parts/],
    ['a fold with a missing start', fold('nope', 'c', null), /names message "nope"/],
    ['a fold that runs backwards', fold('c', 'a', null), /ends at message a, before its start c/],
    ['an insert after a missing message', insert('nope', user('x', '')), /names message "nope"/],
  ])('rejects %s and names it', (_name, edit, message) => expect(() => applyEdits(messages, [edit])).toThrow(message))

  it('applies 50,000 folds and inserts in one pass', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => result(`m${index}`, null, ''))
    const edits = Array.from({ length: 50_000 }, (_, index) =>
      index % 2 === 0 ? fold(`m${index}`, `m${index}`, null) : insert(`m${index}`, user(`x${index}`, '')),
    )
    expect(applyEdits(many, edits).length).toBe(100_000)
  })
})
