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
  it('leaves a log unchanged if every parent exists, even after its child', () => {
    const { drop, parents, added, repairs } = plan([row('a', null), row('b', 'c'), row('c', 'a')])
    expect([drop.size, parents.size, added.size, repairs.length]).toEqual([0, 0, 0, 0])
  })

  it('links children of a dropped entry to its parent', () => {
    expect(plan([row('a', null), row('b', 'a'), row('x', 'a'), row('c', 'b')], [], [1]).parents).toEqual(new Map([[3, 'a']]))
  })

  it('breaks a circle at its earliest entry, even if an earlier entry leads into it', () => {
    const { parents, repairs } = plan([row('a', 'c'), row('b', 'c'), row('c', 'b')])
    expect(parents).toEqual(new Map([[1, null]]))
    expect(repairs).toEqual([{ kind: 'relinked', row: 1, to: null }])
  })

  it('chains a new answer after the existing results of the same message', () => {
    const calls = [
      { callId: '1', tool: 't' },
      { callId: '2', tool: 't' },
    ]
    const rows = [
      row('a', null, { calls }),
      row('r', 'a', { results: [{ callId: '2', path: [] }], holdsMore: false }),
      row('u', 'r'),
    ]
    const { added, parents } = plan(rows, [
      { id: 'a', role: 'assistant', parts: calls.map((call) => ({ type: 'tool-call', input: {}, ...call })) },
      { id: 'r', role: 'tool', parts: [{ type: 'tool-result', callId: '2', tool: 't', content: { type: 'text', text: '' } }] },
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'So?' }] },
    ])
    expect(added).toEqual(new Map([[1, [{ row: 0, call: calls[0], id: 'new 1 a', parent: 'r' }]]]))
    expect(parents).toEqual(new Map([[2, 'new 1 a']]))
  })

  it('relinks a hundred thousand entries that are their own parents', () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => row(`${index}`, `${index}`))
    expect(plan(rows).repairs).toHaveLength(100_000)
  })
})

describe('planRows with entries in the wrong order', () => {
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

  it('only restores the order if calls lack results, so that no result is lost', () => {
    const { added, drop, parents } = plan(rows, conversation)
    expect(added).toEqual(new Map([[3, [{ moved: 2 }, { moved: 0 }, { moved: 1 }]]]))
    expect([drop.size, parents.size]).toEqual([0, 0])
  })

  it('keeps the order if the reader finds no problem', () => expect(plan(rows, []).added.size).toBe(0))
})
