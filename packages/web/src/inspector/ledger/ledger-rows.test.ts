import { describe, expect, it } from 'vitest'
import type { InspectedEdit } from '../../../../node/src/shared/inspection/inspection.ts'
import { ledgerRows, ledgerTools, ruleSums, wholeLedger } from './ledger-rows.ts'

const edit = (id: string, more: Partial<InspectedEdit>): InspectedEdit => ({
  id,
  policy: 'trim',
  kind: 'replace',
  message: 'm',
  part: 0,
  tool: 'run',
  tokensBefore: 100,
  tokensAfter: 10,
  why: 'old',
  cache: 'free',
  number: 0,
  lastNumber: 0,
  at: null,
  request: 0,
  state: 'in-force',
  ...more,
})

const edits = [
  edit('a', { tokensBefore: 20 }),
  edit('b', { policy: 'fit', tool: null, request: 1 }),
  edit('c', { state: 'withdrawn', tokensBefore: 5000, request: 1 }),
  edit('d', { tool: 'read', tokensAfter: 40, request: null }),
]
const listed = (filter: Partial<typeof wholeLedger>) =>
  ledgerRows(edits, { ...wholeLedger, ...filter })
    .map(({ id }) => id)
    .join('')

describe('ledgerRows', () => {
  it.each([
    ['everything', {}, 'abcd'],
    ['one rule', { policy: 'fit' }, 'b'],
    ['one tool', { tool: 'read' }, 'd'],
    ['no tool', { tool: '' }, 'b'],
    ['one state', { state: 'withdrawn' as const }, 'c'],
    ['one request', { request: 1 }, 'bc'],
    ['what saves most first', { sort: 'saved' as const }, 'cbda'],
    ['several at once', { policy: 'trim', state: 'in-force' as const, sort: 'saved' as const }, 'da'],
  ])('lists %s', (_name, filter, expected) => expect(listed(filter)).toBe(expected))
})

describe('ruleSums', () => {
  it('counts only active edits', () => {
    expect(ruleSums(edits)).toEqual([
      { policy: 'fit', edits: 1, inForce: 1, saved: 90 },
      { policy: 'trim', edits: 3, inForce: 2, saved: 70 },
    ])
  })
})

describe('ledgerTools', () => {
  it('names each once', () => expect(ledgerTools(edits)).toEqual(['', 'read', 'run']))
})
