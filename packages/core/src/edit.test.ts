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
  it('no edits: the very same array', () => expect(applyEdits(messages, [])).toBe(messages))

  it('replaces a part and leaves the others their identity', () => {
    const view = applyEdits(messages, [replace('b', 'new')])
    expect(view[1]).toEqual(user('b', 'new'))
    expect(view[0]).toBe(messages[0])
    expect(view[2]).toBe(messages[2])
  })

  it('takes replacements in any order, the later one on the same part winning', () => {
    const view = applyEdits(messages, [replace('c', 'x'), replace('a', 'y'), replace('c', 'z')])
    expect(view).toEqual([user('a', 'y'), user('b', 'two'), user('c', 'z')])
  })

  it('gives the same object for the same edit, so that what is known of it stays known', () => {
    const edit = replace('b', 'new')
    expect(applyEdits(messages, [edit])[1]).toBe(applyEdits([...messages], [edit])[1])
  })

  it('folds a run into one message or none, and inserts before, between and after', () => {
    expect(ids(applyEdits(messages, [fold('a', 'b', user('s', 'sum'))]))).toEqual(['s', 'c'])
    expect(ids(applyEdits(messages, [fold('b', 'b', null)]))).toEqual(['a', 'c'])
    expect(
      ids(applyEdits(messages, [insert(null, user('x', '')), insert('a', user('y', '')), insert('c', user('z', ''))])),
    ).toEqual(['x', 'a', 'y', 'b', 'c', 'z'])
    expect(ids(applyEdits(messages, [insert('a', user('x', '')), insert('x', user('y', ''))]))).toEqual(['a', 'x', 'y', 'b', 'c'])
  })

  it('works on what earlier edits left', () => {
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
      'a replaced message that is not there',
      replace('nope', 'x'),
      /test: edit rnope names message "nope", which is not in the conversation/,
    ],
    ['a part that is not there', replace('a', 'x', 3), /names part 3 of message a, which has 1 parts/],
    ['a fold that starts nowhere', fold('nope', 'c', null), /names message "nope"/],
    ['a fold that runs backwards', fold('c', 'a', null), /ends at message a, before its start c/],
    ['an insert after nothing', insert('nope', user('x', '')), /names message "nope"/],
  ])('says what is wrong with %s', (_name, edit, message) => expect(() => applyEdits(messages, [edit])).toThrow(message))

  it('takes ten thousand folds and inserts in one pass', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => result(`m${index}`, null, ''))
    const edits = Array.from({ length: 50_000 }, (_, index) =>
      index % 2 === 0 ? fold(`m${index}`, `m${index}`, null) : insert(`m${index}`, user(`x${index}`, '')),
    )
    expect(applyEdits(many, edits).length).toBe(100_000)
  })
})
