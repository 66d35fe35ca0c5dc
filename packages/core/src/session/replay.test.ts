import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Edit, FoldEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { deepFreeze, user } from '../testing/messages.ts'
import { emptyLedger } from '../timing/ledger.ts'
import { branchOf, type Entry, type EntryHead, type EntryTree, type HeaderEntry, parentOf } from './entry.ts'
import { replay, startReplay } from './replay.ts'

const header: HeaderEntry = { type: 'header', id: 'h', parentId: null, at: 0, version: 1, session: 's' }

function said(id: string, parentId: string): Entry {
  return { type: 'message', id, parentId, at: 1, message: { ...user(id, id), role: 'assistant' } }
}

function fold(id: string, first: string, last: string, into: string): FoldEdit & { readonly into: Message } {
  return {
    id,
    policy: 'compaction',
    why: 'full',
    kind: 'fold',
    first,
    last,
    into: { ...user(into, `of ${first}`), role: 'system', summary: true },
  }
}

function treeOf(heads: readonly EntryHead[]): EntryTree {
  return { heads, indexOf: (id) => heads.findIndex((head) => head.id === id) }
}

function replayed(entries: readonly Entry[], loaded: string[] = []) {
  const path = [header, ...entries]
  return replay({
    header,
    path: deepFreeze(path),
    load(head) {
      loaded.push(head.id)
      return path.find(({ id }) => id === head.id) ?? null
    },
  })
}

const five = ['a', 'b', 'c', 'd', 'e'].map((id, index, ids) => said(id, ids[index - 1] ?? 'h'))
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)

describe('replay', () => {
  it('R004-22 replaces messages with their summaries, without loading them', () => {
    const loaded: string[] = []
    const folds = [fold('f', 'b', 'c', 's1'), fold('g', 'd', 'd', 's2')]
    const state = replayed([...five, { type: 'edits', id: 'x', parentId: 'e', at: 1, apply: folds }], loaded)
    expect(ids(state.messages)).toEqual(['a', 's1', 's2', 'e'])
    expect(state.folds).toEqual(folds)
    expect(loaded.toSorted()).toEqual(['a', 'e', 'x'])
    expect(state.leaf).toBe('x')
  })

  it.each<[string, readonly Edit[], readonly string[]]>([
    ['with missing ends', [fold('f', 'x', 'c', 's')], ['a', 'b', 'c', 'd', 'e']],
    ['with reversed ends', [fold('f', 'd', 'b', 's')], ['a', 'b', 'c', 'd', 'e']],
    ['into an existing id', [fold('f', 'a', 'b', 'e')], ['a', 'b', 'c', 'd', 'e']],
    ['inside another one', [fold('f', 'a', 'd', 's'), fold('g', 'b', 'c', 't')], ['s', 'e']],
    ['of an older summary', [fold('f', 'a', 'b', 's'), fold('g', 's', 'c', 't')], ['t', 'd', 'e']],
    ['across the end of a summary', [fold('f', 'a', 'b', 's'), fold('g', 'b', 'c', 't')], ['s', 'c', 'd', 'e']],
    ['of everything', [fold('f', 'a', 'e', 's')], ['s']],
    ['twice with the same id', [fold('f', 'a', 'b', 's'), fold('f', 'c', 'd', 't')], ['a', 'b', 't', 'e']],
  ])('keeps the conversation in order for a fold %s', (_, apply, expected) => {
    const { messages } = replayed([...five, { type: 'edits', id: 'x', parentId: 'e', at: 1, apply }])
    expect(ids(messages)).toEqual(expected)
    expect(new Set(ids(messages)).size).toBe(messages.length)
  })

  it('applies a fold of a summary also if both were made again after the summary was reverted', () => {
    const [summary, hidden] = [fold('f', 'a', 'b', 's'), fold('g', 's', 's', 'hidden')]
    const both: Entry = { type: 'edits', id: 'x', parentId: 'e', at: 1, apply: [summary, hidden] }
    const undone: Entry = { type: 'edits', id: 'y', parentId: 'x', at: 1, withdraw: ['f'] }
    const again: Entry = { type: 'edits', id: 'z', parentId: 'y', at: 1, apply: [summary] }
    const hiddenAgain: Entry = { type: 'edits', id: 'zz', parentId: 'z', at: 1, apply: [hidden] }
    const shown = (...entries: readonly Entry[]) => ids(replayed([...five, ...entries]).messages)
    expect(shown(both)).toEqual(['hidden', 'c', 'd', 'e'])
    expect(shown(both, undone)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(shown(both, undone, again, hiddenAgain)).toEqual(['hidden', 'c', 'd', 'e'])
  })

  it.each([1, -1, 0.5, 1e300])('skips an edit of part %s, which its message does not have', (part) => {
    const edit: Edit = { id: '1', policy: 'p', why: 'w', kind: 'replace', message: 'a', part, with: { type: 'text', text: 'x' } }
    expect(replayed([...five, { type: 'edits', id: 'x', parentId: 'e', at: 1, apply: [edit] }]).edits).toEqual([])
  })

  it('keeps the edit of a message shown without some of its parts', () => {
    const less: FoldEdit = { ...fold('f', 'c', 'c', 'c'), policy: 'pair-tool-calls', into: user('c', 'less') }
    const summary = fold('g', 'a', 'b', 's')
    const state = replayed([...five, { type: 'edits', id: 'x', parentId: 'e', at: 1, apply: [less, summary] }])
    expect([ids(state.messages), state.edits, state.folds]).toEqual([['s', 'c', 'd', 'e'], [less], [summary]])
    expect(state.messages[1]).toEqual({ ...user('c', 'c'), role: 'assistant' })
  })

  it('restores messages when their fold is reverted', () => {
    const state = replayed([
      ...five,
      { type: 'edits', id: 'x', parentId: 'e', at: 1, apply: [fold('f', 'a', 'd', 's')] },
      { type: 'edits', id: 'y', parentId: 'x', at: 1, withdraw: ['f', 'unknown'] },
    ])
    expect([ids(state.messages), state.folds]).toEqual([['a', 'b', 'c', 'd', 'e'], []])
  })

  it('keeps other edits whose messages still exist, and the pins', () => {
    const replace = (id: string, message: string): Edit => ({
      id,
      policy: 'p',
      why: 'w',
      kind: 'replace',
      message,
      part: 0,
      with: { type: 'text', text: id },
    })
    const insert = (id: string, after: string | null): Edit => ({
      id,
      policy: 'p',
      why: 'w',
      kind: 'insert',
      after,
      message: user(`of ${id}`, id),
    })
    const removal: Edit = { id: 'r', policy: 'p', why: 'w', kind: 'fold', first: 'e', last: 'e', into: null }
    const later = { ...replace('1', 'e'), why: 'changed' }
    const state = replayed([
      ...five,
      {
        type: 'edits',
        id: 'x',
        parentId: 'e',
        at: 1,
        apply: [replace('1', 'e'), replace('2', 'a'), insert('3', null), insert('4', 'b'), insert('5', 'of 3'), removal],
        pin: ['a', 'e'],
        hide: ['b', 'd'],
      },
      { type: 'edits', id: 'y', parentId: 'x', at: 1, apply: [later, fold('f', 'a', 'b', 's')], unpin: ['a'], unhide: ['b'] },
    ])
    expect(state.edits).toEqual([later, insert('3', null), insert('5', 'of 3'), removal])
    expect(state.pins).toEqual(['e'])
    expect(state.hides).toEqual(['d'])
  })

  it('takes model, last sent message and ledger from the last answered request', () => {
    const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 }
    const ledger = { ...emptyLedger, bank: 7 }
    const request = (id: string, parentId: string, last: string | null, model: string): Entry => ({
      type: 'request',
      id,
      parentId,
      at: 1,
      model,
      last,
      view: 'v',
      estimate: 5,
      ledger,
    })
    const answer = (id: string, parentId: string, to: string): Entry => ({
      type: 'usage',
      id,
      parentId,
      at: 1,
      request: to,
      usage,
    })
    const entries = [
      ...five,
      request('q1', 'e', 'b', 'one'),
      answer('u1', 'q1', 'q1'),
      request('q2', 'u1', 'd', 'two'),
      answer('u2', 'q2', 'q2'),
      answer('u3', 'u2', 'nobody'),
      request('q3', 'u3', 'e', 'three'),
    ]
    const state = replayed(entries)
    expect(state).toMatchObject({ sent: 'd', model: 'two', ledger })
    expect(state.measurements).toEqual([
      { model: 'one', estimate: 5, usage, last: 'b' },
      { model: 'two', estimate: 5, usage, last: 'd' },
    ])
    const folded = replayed([
      ...entries,
      { type: 'edits', id: 'x', parentId: 'q3', at: 1, apply: [fold('f', 'c', 'd', 's'), fold('g', 'b', 's', 't')] },
    ])
    // A model that has seen the message has seen its summary.
    expect(folded.sent).toBe('t')
    expect(replayed(five)).toMatchObject({ sent: null, model: null, ledger: emptyLedger, measurements: [] })
  })

  it('keeps the latest 50 measurements', () => {
    const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 0 }
    const entries = Array.from({ length: 120 }, (_, n): readonly Entry[] => [
      { type: 'request', id: `q${n}`, parentId: 'h', at: 1, model: 'm', last: null, view: 'v', estimate: n },
      { type: 'usage', id: `u${n}`, parentId: `q${n}`, at: 1, request: `q${n}`, usage },
    ]).flat()
    expect(replayed(entries).measurements.map(({ estimate }) => estimate)).toEqual(Array.from({ length: 50 }, (_, n) => n + 70))
  })

  it('skips entries that cannot be loaded', () => {
    const state = replay({
      header,
      path: five,
      load: (head) => (head.id === 'c' ? null : (five.find(({ id }) => id === head.id) ?? null)),
    })
    expect(ids(state.messages)).toEqual(['a', 'b', 'd', 'e'])
  })

  it('takes linear time for many invalid folds', () => {
    const entries = Array.from({ length: 20_000 }, (_, n) => said(`m${n}`, 'h'))
    const apply = Array.from({ length: 20_000 }, (_, n) => fold(`f${n}`, `m${19_999 - n}`, `m${n}`, `s${n}`))
    const path: readonly Entry[] = [...entries, { type: 'edits', id: 'x', parentId: 'h', at: 1, apply }]
    const byId = new Map(path.map((entry) => [entry.id, entry]))
    const state = replay({ header, path, load: (head) => byId.get(head.id) ?? null })
    expect(state.messages.length).toBeLessThanOrEqual(20_000)
  })
})

describe('a branch', () => {
  it('follows parents, and replaces a lost one with the nearest earlier entry', () => {
    const heads: readonly EntryHead[] = [
      header,
      said('a', 'h'),
      said('b', 'a'),
      said('c', 'a'),
      said('d', 'lost'),
      said('e', 'd'),
    ]
    const tree = treeOf(heads)
    expect(branchOf(tree, 2).map(({ id }) => id)).toEqual(['h', 'a', 'b'])
    expect(branchOf(tree, 5).map(({ id }) => id)).toEqual(['h', 'a', 'c', 'd', 'e'])
    expect(heads.map((_, index) => parentOf(tree, index).isLost)).toEqual([false, false, false, false, true, false])
  })

  it('of parents in any order ends at the first entry', () => {
    let lost = 0
    fc.assert(
      fc.property(fc.array(fc.nat(30), { minLength: 1, maxLength: 30 }), (parents) => {
        const heads = parents.map((parent, index) => said(String(index), String(parent)))
        const tree = treeOf(heads)
        const path = branchOf(tree, heads.length - 1)
        expect(path[0]).toBe(heads[0])
        expect(path.at(-1)).toBe(heads.at(-1))
        expect(new Set(path).size).toBe(path.length)
        lost += heads.filter((_, index) => parentOf(tree, index).isLost).length
      }),
    )
    expect(lost).toBeGreaterThan(50)
    expect(branchOf(treeOf([]), -1)).toEqual([])
  })
})

describe('a branch that grows', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 's1', 's2']
  const name = fc.constantFrom(...names)
  const replacing = fc.record({ message: name, part: fc.nat({ max: 1 }) }).map(
    ({ message, part }): Edit => ({
      ...base(`r:${message}`),
      kind: 'replace',
      message,
      part,
      with: { type: 'text', text: 'short' },
    }),
  )
  const inserting = fc
    .record({ after: fc.option(name), id: fc.constantFrom('i', 'a', 'e') })
    .map(({ after, id }): Edit => ({ ...base(`i:${id}`), kind: 'insert', after, message: user(id, 'put in') }))
  const hiding = name.map((id): Edit => ({ ...base(`h:${id}`), kind: 'fold', first: id, last: id, into: null }))
  const folding = fc
    .tuple(name, name, fc.constantFrom('s1', 's2', 'd'))
    .map(([first, last, into]) => fold(`f:${into}`, first, last, into))
  const editing = fc.record({
    apply: fc.array(
      fc.oneof({ weight: 6, arbitrary: fc.oneof(replacing, inserting, hiding) }, { weight: 1, arbitrary: folding }),
      { maxLength: 3 },
    ),
    withdraw: fc.array(fc.constantFrom('r:a', 'r:b', 'i:i', 'h:c', 'f:s1'), { maxLength: 1 }),
    pin: fc.array(name, { maxLength: 1 }),
    unpin: fc.array(name, { maxLength: 1 }),
  })
  type Draft = { readonly type: Entry['type']; readonly id?: string } & Readonly<Record<string, unknown>>
  const drafts: fc.Arbitrary<readonly Draft[]> = fc.array(
    fc.oneof(
      { weight: 5, arbitrary: name.map((id) => ({ type: 'message' as const, id, message: user(id, id) })) },
      { weight: 3, arbitrary: editing.map((edits) => ({ type: 'edits' as const, ...edits })) },
      {
        weight: 2,
        arbitrary: fc.option(name).map((last) => ({ type: 'request' as const, model: 'm', last, view: 'v', estimate: 1 })),
      },
      {
        weight: 2,
        arbitrary: fc.nat({ max: 9 }).map((input) => ({
          type: 'usage' as const,
          isEarly: input === 0,
          usage: { input, cacheRead: 0, cacheWrite: 0, output: 0 },
        })),
      },
      { weight: 1, arbitrary: fc.constant({ type: 'note' as const, code: 'x' }) },
    ),
    { maxLength: 14 },
  )

  function base(id: string) {
    return { id, policy: 'p', why: 'w' }
  }

  const folded: readonly Draft[] = [
    ...['a', 'b', 'c'].map((id) => ({ type: 'message' as const, id, message: user(id, id) })),
    { type: 'edits', apply: [fold('f:s1', 'a', 'b', 's1')] },
  ]

  /** Drops entries with a used id. A count belongs to the latest request, or to a later one. */
  function pathOf(list: readonly Draft[]): readonly Entry[] {
    const entries: Entry[] = [header]
    for (const [index, draft] of list.entries()) {
      const id = draft.id ?? `e${index}`
      if (entries.some((entry) => entry.id === id)) continue
      const latest = entries.findLast(({ type }) => type === 'request')?.id
      const request = draft['isEarly'] === true ? `e${index + 2}` : latest
      if (draft.type === 'usage' && request === undefined) continue
      entries.push({ ...draft, request, id, parentId: entries.at(-1)?.id, at: 1 } as unknown as Entry)
    }
    return deepFreeze(entries)
  }

  it('carried on step by step it comes to the same as read from the start', () => {
    const reached = { carried: 0, again: 0, edits: 0, folds: 0, sent: 0, pins: 0 }
    fc.assert(
      fc.property(
        drafts,
        fc.boolean(),
        fc.array(fc.nat({ max: 3 }), { minLength: 18, maxLength: 18 }),
        (list, isFolded, lengths) => {
          const path = pathOf(isFolded ? [...folded, ...list] : list)
          let replayed = startReplay({ header, path: path.slice(0, 1), load: (entry) => entry })
          for (let from = 1, step = 0; from < path.length; step += 1) {
            const end = Math.min(path.length, from + 1 + (lengths[step] ?? 0))
            const whole = { header, path: path.slice(0, end), load: (entry: Entry) => entry }
            const carried = replayed.goOn(path.slice(from, end), (entry) => entry)
            replayed = carried ?? startReplay(whole)
            expect(replayed.state).toEqual(replay(whole))
            const { state } = replayed
            reached[carried === null ? 'again' : 'carried'] += 1
            if (carried !== null) {
              reached.edits += state.edits.length
              reached.folds += state.folds.length
              reached.sent += state.sent === null ? 0 : 1
              reached.pins += state.pins.length
            }
            from = end
          }
        },
      ),
      { numRuns: 1500 },
    )
    for (const [what, count] of Object.entries(reached)) expect(count, what).toBeGreaterThan(30)
  })

  it('keeps unchanged values without loading them', () => {
    const before = startReplay({ header, path: [header, ...five], load: (entry) => entry })
    const note: Entry = { type: 'note', id: 'n', parentId: 'e', at: 1, code: 'x' }
    const loaded: string[] = []
    const after = before.goOn([note, said('f', 'n')], (entry) => {
      loaded.push(entry.id)
      return entry
    })
    expect(after?.state).toEqual(replayed([...five, note, said('f', 'n')]))
    expect(loaded).toEqual(['f'])
    const same = after?.goOn([{ ...note, id: 'o', parentId: 'f' }], (entry) => entry)
    expect([same?.state.messages === after?.state.messages, same?.state.edits === after?.state.edits]).toEqual([true, true])
  })
})
