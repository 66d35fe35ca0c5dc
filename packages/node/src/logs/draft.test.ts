import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { createUniqueIds, type Draft, settleDrafts } from './draft.ts'

const message = (id: string, role: Message['role']): Message => ({ id, role, parts: [{ type: 'text', text: id }] })
const drafts = (words: string): readonly Draft[] =>
  words.split(' ').map((id) => {
    if (id.startsWith('x')) return { message: message(id, 'user'), added: true as const }
    return { message: message(id, id.startsWith('u') ? 'user' : 'assistant') }
  })
const shown = (messages: readonly Message[]) =>
  messages
    .map(
      ({ id, role, parts }) =>
        `${role === 'system' ? 'system:' : ''}${id}(${parts.map((part) => 'text' in part && part.text).join('+')})`,
    )
    .join(' ')

describe('settleDrafts', () => {
  it.each([
    ['x1 u1 a1', 'system:x1(x1) u1(u1) a1(a1)'],
    ['u1 x1 x2 a1', 'u1(u1+x1+x2) a1(a1)'],
    ['u1 a1 x1 u2 a2', 'u1(u1) a1(a1) u2(x1+u2) a2(a2)'],
    ['u1 a1 x1 a2', 'u1(u1) a1(a1) system:x1(x1) a2(a2)'],
    ['u1 x1 u2 a1', 'u1(u1+x1) u2(u2) a1(a1)'],
    ['a1 x1', 'a1(a1) system:x1(x1)'],
    ['x1 a1 x2 u1', 'system:x1(x1) a1(a1) system:x2(x2) u1(u1)'],
  ])('%s', (before, after) => expect(shown(settleDrafts(drafts(before)))).toBe(after))

  it('keeps what nothing was added to', () => {
    const list = drafts('u1 a1 u2')
    expect(settleDrafts(list).every((settled, index) => settled === list[index]?.message)).toBe(true)
  })
})

describe('createUniqueIds', () => {
  it('gives each id once', () => {
    const unique = createUniqueIds()
    expect(['a', 'b', 'a', 'a~2', 'a', 'constructor'].map(unique)).toEqual(['a', 'b', 'a~2', 'a~2~2', 'a~3', 'constructor'])
  })
})
