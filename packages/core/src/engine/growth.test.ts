import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { applyEdits, type Edit, type InsertEdit, replaceEdit } from '../edit.ts'
import type { Message, Part, ToolCallPart } from '../message.ts'
import { pairToolCalls } from '../policies/pair-tool-calls.ts'
import { readReferences, settleReferences } from '../results/references.ts'
import { toolResults } from '../results/tool-results.ts'
import { result, user } from '../testing/messages.ts'
import { aboveMarker } from '../text/shown-above.ts'
import { createEditsInForce } from './edits-in-force.ts'
import { measureEdits } from './measure-edits.ts'

const handle = '0123456789ab'
const marker = aboveMarker({ count: 3, sourceFrom: 0, sourceCount: 3, source: { label: 'Read a', handle, isNumbered: true } })
const reference = { line: 0, part: 'm0.0', from: 0, count: 3, shows: handle }

function results(size: number): readonly Message[] {
  return Array.from({ length: size }, (_, index) => result(`m${index}`, null, 'text'))
}

function repeats(size: number, extra: object): readonly Edit[] {
  const shown = result('', null, marker).parts[0] as Part
  return results(size).map(({ id }) => ({ ...replaceEdit('test', id, 0, shown, ''), ...extra }))
}

/** The same objects, whose reads of a field are counted. */
function countReads<Item extends object>(items: readonly Item[], field: keyof Item & string) {
  const counter = { reads: 0, items: [] as readonly Item[] }
  counter.items = items.map((item) =>
    Object.defineProperty({ ...item }, field, {
      enumerable: true,
      get() {
        counter.reads += 1
        return item[field]
      },
    }),
  )
  return counter
}

const passes: readonly (readonly [name: string, readsOf: (size: number) => number])[] = [
  [
    'asking whether each inserted message was there before',
    (size) => {
      const inserts = results(size).map(
        (message): InsertEdit => ({ id: message.id, policy: 'test', why: '', kind: 'insert', after: null, message }),
      )
      const counted = countReads<Edit>(inserts, 'kind')
      const { hasInsert } = createEditsInForce(counted.items)
      expect(inserts.every(({ id }) => hasInsert(id))).toBe(true)
      return counted.reads
    },
  ],
  [
    'finding the uncut results after messages were inserted before them',
    (size) => {
      const uncut = countReads(results(size), 'id')
      const shown = Array.from({ length: 10 }, (_, index) => user(`u${index}`, '')).concat(results(size))
      expect(toolResults(shown, { uncut: uncut.items })).toHaveLength(size)
      return uncut.reads
    },
  ],
  [
    'restating every reference of a view',
    (size) => {
      const originals = countReads(results(size), 'id')
      const edits = repeats(size, { refers: [reference] })
      const settled = settleReferences(edits, applyEdits(results(size), edits), originals.items, {
        onFalse: () => 'restate',
        why: 'gone',
      })
      expect(settled.every(({ why }) => why === 'gone')).toBe(true)
      return originals.reads
    },
  ],
  [
    'reading the references of edits that were stored without them',
    (size) => {
      const originals = countReads(results(size), 'id')
      const read = readReferences(repeats(size, {}), originals.items)
      expect(read.every((edit) => edit.kind === 'replace' && edit.refers?.length === 1)).toBe(true)
      return originals.reads
    },
  ],
]

describe('four times as many', () => {
  it.each(passes)('take at most five times as many looks: %s', (_name, readsOf) => {
    const few = readsOf(500)
    expect(few).toBeGreaterThan(0)
    expect(readsOf(2000)).toBeLessThanOrEqual(few * 5)
  })
})

// One copy of all parts for each edit would need seven gigabytes.
it('30,000 replaced parts of one message copy it once, for the view and for the report', () => {
  const parts = Array.from({ length: 30_000 }, (_, index) => ({ type: 'reasoning' as const, text: `thought ${index}` }))
  const message: Message = { id: 'm', role: 'assistant', parts }
  const edits = parts.map((_, index) => replaceEdit('test', 'm', index, { type: 'reasoning', text: '' }, ''))
  const [view] = applyEdits([message], edits)
  expect(view?.parts.every((part) => part.type === 'reasoning' && part.text === '')).toBe(true)
  expect(applyEdits([message], [...edits])[0]).toBe(view)
  const rows = measureEdits([{ messages: [message], facts: {}, edits }], createEditsInForce([]))
  expect(rows).toHaveLength(30_000)
})

it('2,000 interrupted calls of one id get different names, without counting up from 2 for each', () => {
  const call: ToolCallPart = { type: 'tool-call', callId: 'c', tool: 'Bash', input: {} }
  const message: Message = { id: 'm', role: 'assistant', parts: Array.from({ length: 2000 }, () => call) }
  const looks = [vi.spyOn(Set.prototype, 'has'), vi.spyOn(Map.prototype, 'has')]
  onTestFinished(() => looks.forEach((look) => look.mockRestore()))
  const edits = pairToolCalls.plan([message], {}) as readonly InsertEdit[]
  const count = looks.reduce((sum, look) => sum + look.mock.calls.length, 0)
  expect(edits.slice(0, 3).map((edit) => edit.message.id)).toEqual(['m:c', 'm:c:2', 'm:c:3'])
  expect(new Set(edits.map(({ id }) => id)).size).toBe(2000)
  expect(count).toBeLessThan(20_000)
})
