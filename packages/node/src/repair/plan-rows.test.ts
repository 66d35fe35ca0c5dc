import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { planRows } from './plan-rows.ts'
import type { Row } from './row-format.ts'

const row = (id: string | null, parent: string | null, fields: Partial<Row> = {}): Row => ({
  id,
  parent,
  chain: '',
  group: null,
  calls: [],
  results: [],
  holdsMore: true,
  ...fields,
})
const plan = (rows: readonly Row[], conversation: readonly Message[] = [], dropped: readonly number[] = []) =>
  planRows({
    rows,
    dropped: new Set(dropped),
    conversations: [conversation],
    rowOf: (message) => rows.findIndex(({ id }) => id === message),
    form: 'tree',
    newId: (about) => `new ${about}`,
  })

describe('planRows', () => {
  it('leaves a log alone in which everything hangs together, wherever parents stand', () => {
    const { drop, parents, behind, mends } = plan([row('a', null), row('b', 'c'), row('c', 'a')])
    expect([drop.size, parents.size, behind.size, mends.length]).toEqual([0, 0, 0, 0])
  })

  it('hangs what follows a dropped entry on the one before that', () => {
    expect(plan([row('a', null), row('b', 'a'), row('x', 'a'), row('c', 'b')], [], [1]).parents).toEqual(new Map([[3, 'a']]))
  })

  it('breaks a circle at its earliest entry, also where another entry leads into it', () => {
    const { parents, mends } = plan([row('a', 'c'), row('b', 'c'), row('c', 'b')])
    expect(parents).toEqual(new Map([[1, null]]))
    expect(mends).toEqual([{ kind: 'relinked', row: 1, to: null }])
  })

  it('answers the calls of a message in one line with the results that are there', () => {
    const calls = [
      { callId: '1', tool: 't' },
      { callId: '2', tool: 't' },
    ]
    const rows = [
      row('a', null, { calls }),
      row('r', 'a', { results: [{ callId: '2', path: [] }], holdsMore: false }),
      row('u', 'r'),
    ]
    const { behind, parents } = plan(rows, [
      { id: 'a', role: 'assistant', parts: calls.map((call) => ({ type: 'tool-call', input: {}, ...call })) },
      { id: 'r', role: 'tool', parts: [{ type: 'tool-result', callId: '2', tool: 't', content: { type: 'text', text: '' } }] },
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'So?' }] },
    ])
    expect(behind).toEqual(new Map([[1, [{ row: 0, call: calls[0], id: 'new 1 a', parent: 'r' }]]]))
    expect(parents).toEqual(new Map([[2, 'new 1 a']]))
  })

  it('takes no longer than it must for a hundred thousand entries that are their own parents', () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => row(`${index}`, `${index}`))
    expect(plan(rows).mends).toHaveLength(100_000)
  })
})

describe('planRows, of a log whose entries stand in a wrong order', () => {
  const call = { callId: '1', tool: 't' }
  const rows = [
    row('r', 'a', { results: [{ callId: '1', path: [] }], holdsMore: false }),
    row('next', 'r'),
    row('a', 'u', { calls: [call] }),
    row('u', null),
  ]
  const conversation: readonly Message[] = [
    { id: 'a', role: 'assistant', parts: [{ type: 'tool-call', input: {}, ...call }] },
    { id: 'next', role: 'user', parts: [{ type: 'text', text: 'So?' }] },
  ]

  it('only puts them in order where anything is wrong, so that no result is lost', () => {
    const { behind, drop, parents } = plan(rows, conversation)
    expect(behind).toEqual(new Map([[3, [{ moved: 2 }, { moved: 0 }, { moved: 1 }]]]))
    expect([drop.size, parents.size]).toEqual([0, 0])
  })

  it('leaves them where a reader is content', () => expect(plan(rows, []).behind.size).toBe(0))
})
