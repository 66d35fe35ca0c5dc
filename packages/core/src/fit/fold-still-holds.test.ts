import { describe, expect, it } from 'vitest'
import { foldLine, foldStillHolds } from '../compaction/summary-template.ts'
import type { FoldEdit } from '../edit.ts'
import type { Message, Part } from '../message.ts'
import { transcriptHandle } from '../results/transcript.ts'
import { user } from '../testing/messages.ts'

const messages = ['a', 'b', 'c', 'd'].map((id) => user(id, `said by ${id}`))

function foldOf(folded: readonly Message[], extra: Partial<FoldEdit> = {}): FoldEdit {
  const text = `Earlier work.\n${foldLine(folded.length, transcriptHandle(folded))}`
  const into: Message = { id: 's', role: 'system', parts: [{ type: 'text', text }], summary: true }
  const [first, last] = [folded[0] as Message, folded.at(-1) as Message]
  return { id: 'f', policy: 'fit-window', why: '', kind: 'fold', first: first.id, last: last.id, into, ...extra }
}

/** A fold that names the transcript of an empty list. */
function emptyFold(first: string, last: string): FoldEdit {
  const into = { id: 's', role: 'system', parts: [{ type: 'text', text: foldLine(0, transcriptHandle([])) }] } as const
  return foldOf(messages, { first, last, into })
}

function holds(fold: FoldEdit, list: readonly Message[]): boolean {
  return foldStillHolds(fold, list, new Map(list.map(({ id }, index) => [id, index])))
}

describe('Q-24b a fold of the last resort', () => {
  const fold = foldOf(messages.slice(1, 3))

  it('holds while its messages are unchanged, at any place', () => {
    expect([holds(fold, messages), holds(fold, messages), holds(fold, messages.slice(1))]).toEqual([true, true, true])
  })

  it('holds for one message', () => {
    expect(holds(foldOf(messages.slice(1, 2)), messages)).toBe(true)
  })

  it('holds for summaries, whose ids name what they replaced', () => {
    expect(holds(foldOf(messages, { first: 'summary:1', last: 'summary:2' }), messages)).toBe(true)
  })

  it.each<[name: string, fold: FoldEdit]>([
    ['without a summary', foldOf(messages.slice(1, 3), { into: null })],
    ['whose last message is gone', foldOf(messages.slice(0, 2), { last: 'gone' })],
    ['whose last message is gone, with an empty transcript', emptyFold('b', 'gone')],
    ['that runs backwards', emptyFold('c', 'b')],
    ['with an empty summary', foldOf(messages.slice(1, 3), { into: { id: 's', role: 'system', parts: [] } })],
    [
      'whose text is only reasoning',
      foldOf(messages.slice(1, 3), {
        into: { id: 's', role: 'system', parts: [{ ...(fold.into?.parts[0] as Part & { text: string }), type: 'reasoning' }] },
      }),
    ],
  ])('does not hold %s', (_name, other) => expect(holds(other, messages)).toBe(false))

  it.each<[name: string, change: (list: readonly Message[]) => readonly Message[]]>([
    ['the first message changed', (list) => list.with(1, user('b', 'another message'))],
    ['the last message changed', (list) => list.with(2, user('c', 'another message'))],
    [
      'others were inserted between them',
      (list) => list.toSpliced(2, 0, user('e', 'said by e'), user('f', 'said by f')).slice(1),
    ],
    ['one was inserted between them', (list) => list.toSpliced(2, 0, user('e', 'said by e'))],
  ])('no longer holds if %s', (_name, change) => {
    expect([holds(fold, messages), holds(fold, change(messages)), holds(fold, messages)]).toEqual([true, false, true])
  })

  it('no longer holds if a message in the middle differs, checked before or not', () => {
    const changed = messages.with(2, user('c', 'another message'))
    const all = foldOf(messages)
    expect([holds(all, messages), holds(all, changed), holds(foldOf(messages), changed)]).toEqual([true, false, false])
  })

  it('no longer holds if some messages are gone and others were inserted before', () => {
    const [a, , , d] = messages as [Message, Message, Message, Message]
    const all = foldOf(messages)
    expect([holds(all, messages), holds(all, [user('e', 'said by e'), a, d])]).toEqual([true, false])
  })
})
