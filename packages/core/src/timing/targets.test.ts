import { describe, expect, it } from 'vitest'
import { isReplacement, type ReplaceEdit } from '../edit.ts'
import type { Tokenizer } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { deepFreeze } from '../testing/messages.ts'
import { type Target, targetsOf } from './targets.ts'

/** One token per character, so that sizes can be read. */
const letters: Tokenizer = { name: 'letters', count: (text) => text.length }
const text = (value: string): Part => ({ type: 'text', text: value })
const message = (id: string, ...parts: readonly string[]): Message => ({ id, role: 'assistant', parts: parts.map(text) })
const replace = (id: string, part: number, value: string, policy = 'p'): ReplaceEdit => {
  return { id: `${policy}:${id}.${part}`, policy, kind: 'replace', message: id, part, with: text(value), why: '' }
}
const messages = deepFreeze([message('a', 'four', 'eight888'), message('b.1', 'sixsix')])

/** Each target in short: key, place, same or not, tokens in the log, as shown and as proposed. */
function targets(proposals: readonly ReplaceEdit[], inForce: readonly ReplaceEdit[] = []): readonly string[] {
  return targetsOf(messages, proposals, inForce, letters).targets.map(
    ({ key, index, isSame, whole, before, after }: Target) =>
      `${key} at ${index}${isSame ? ' same' : ''}: ${whole} ${before} ${after}`,
  )
}

describe('targetsOf', () => {
  it.each<[name: string, proposals: readonly ReplaceEdit[], inForce: readonly ReplaceEdit[], expected: readonly string[]]>([
    ['a proposed edit', [replace('a', 1, 'x')], [], ['a.1 at 0: 8 8 1']],
    ['an active edit that is no longer proposed', [], [replace('a', 1, 'x')], ['a.1 at 0: 8 1 8']],
    ['an active edit that is proposed again', [replace('a', 1, 'x')], [replace('a', 1, 'x')], ['a.1 at 0 same: 8 1 1']],
    ['an active edit that is proposed differently', [replace('a', 1, 'xyz')], [replace('a', 1, 'x')], ['a.1 at 0: 8 1 3']],
    [
      'edits of several policies in order',
      [replace('a', 1, 'xyz'), replace('a', 1, 'x', 'q')],
      [replace('a', 1, 'xyz')],
      ['a.1 at 0: 8 3 1'],
    ],
    ['an id with a dot', [replace('b.1', 0, 'x')], [], ['b.1.0 at 1: 6 6 1']],
    [
      'edits in the order of the messages',
      [replace('b.1', 0, 'x'), replace('a', 0, 'x')],
      [],
      ['a.0 at 0: 4 4 1', 'b.1.0 at 1: 6 6 1'],
    ],
    ['a missing message', [replace('gone', 0, 'x')], [replace('gone', 0, 'y')], []],
    ['a missing part', [replace('a', 7, 'x')], [], []],
    ['no edits', [], [], []],
  ])('%s', (_name, proposals, inForce, expected) => {
    expect(targets(proposals, inForce)).toEqual(expected)
  })

  it('ignores reason and id when comparing edits', () => {
    const edit = replace('a', 1, 'x')
    expect(targets([edit], [{ ...edit, id: 'other', why: 'another reason' }])).toEqual(['a.1 at 0 same: 8 1 1'])
  })
})

it('isReplacement accepts only replacements', () => {
  expect(isReplacement(replace('a', 0, 'x'))).toBe(true)
  expect(isReplacement({ id: 'f', policy: 'p', kind: 'fold', first: 'a', last: 'a', into: null, why: '' })).toBe(false)
})
