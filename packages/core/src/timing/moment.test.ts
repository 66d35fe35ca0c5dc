import { describe, expect, it } from 'vitest'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import type { ColdReason } from '../report.ts'
import { user } from '../testing/messages.ts'
import { emptyLedger, type Ledger } from './ledger.ts'
import { isCold, momentOf, summariesIn } from './moment.ts'

const system: Message = { id: 's', role: 'system', parts: [] }
const summary = (id: string): Message => ({ id, role: 'system', parts: [], summary: true })
const messages = [system, user('a', 'x'), user('b', 'x'), user('c', 'x')]
const cache = { read: 0.05, write: 1.25, lifetimeSeconds: 300 }
const second = 1000

interface Case {
  readonly messages?: readonly Message[]
  readonly facts?: Facts
  readonly ledger?: Partial<Ledger>
}

function moment({ messages: list = messages, facts = {}, ledger = {} }: Case) {
  return momentOf(list, { sent: 'b', cache, ...facts }, { ...emptyLedger, ...ledger })
}

describe('what is still cached', () => {
  it.each<[name: string, given: Case, reason: ColdReason | null, lastSent: number, coldFrom: number]>([
    ['nothing was sent', { facts: { sent: null } }, 'first', -1, 0],
    ['what was sent is not there any more', { facts: { sent: 'gone' } }, 'first', -1, 0],
    ['all of it', {}, null, 2, 4],
    ['within the lifetime', { facts: { now: 300 * second }, ledger: { at: 0 } }, null, 2, 4],
    ['past the lifetime', { facts: { now: 301 * second }, ledger: { at: 0 } }, 'idle', 2, 0],
    ['a clock that was set back', { facts: { now: 0 }, ledger: { at: 900 * second } }, null, 2, 4],
    ['a clock that says nothing', { facts: { now: Number.NaN }, ledger: { at: 0 } }, null, 2, 4],
    ['a time that was lost in a file', { facts: { now: 900 * second }, ledger: { at: null as unknown as number } }, null, 2, 4],
    ['the same tools', { facts: { prefix: 'p' }, ledger: { prefix: 'p' } }, null, 2, 4],
    ['other tools', { facts: { prefix: 'q' }, ledger: { prefix: 'p' } }, 'prefix', 2, 0],
    ['tools that nobody named before', { facts: { prefix: 'q' } }, null, 2, 4],
    ['a new summary', { messages: [system, summary('f'), ...messages.slice(2)] }, 'folded', 2, 1],
    ['a known summary', { messages: [system, summary('f'), ...messages.slice(2)], ledger: { summaries: ['f'] } }, null, 2, 4],
    ['a summary that was not sent', { messages: [...messages, summary('f')] }, null, 2, 5],
  ])('%s', (_name, given, reason, lastSent, coldFrom) => {
    expect(moment(given)).toMatchObject({ reason, lastSent, coldFrom })
  })
})

describe('terms', () => {
  const learned = { atLeastSeconds: null, atMostSeconds: null, zeroReads: 0 }
  it.each<[name: string, given: Case, expected: object]>([
    ['as told', {}, cache],
    ['where nobody tells', { facts: { cache: undefined } as unknown as Facts }, { read: 0.1, write: 1.25, lifetimeSeconds: 300 }],
    [
      'a lifetime that was outlived',
      { ledger: { learned: { ...learned, atLeastSeconds: 400 } } },
      { ...cache, lifetimeSeconds: 800 },
    ],
    [
      'a provider that caches nothing',
      { ledger: { learned: { ...learned, zeroReads: 3 } } },
      { read: 1, write: 1, lifetimeSeconds: null },
    ],
  ])('%s', (_name, given, expected) => {
    expect(moment(given).terms).toEqual(expected)
  })
})

it.each<[name: string, list: readonly Message[], coldFrom: number, expected: boolean]>([
  ['nothing at all is cached', messages, 0, true],
  ['only what stands before anybody spoke', messages, 1, true],
  ['something that was said', messages, 2, false],
  ['a summary is new', [system, summary('f'), ...messages.slice(2)], 1, true],
  ['there are only system messages', [system], 0, true],
])('a conversation is cold: %s', (_name, list, coldFrom, expected) => {
  expect(isCold({ ...moment({}), coldFrom }, list)).toBe(expected)
})

it('summaries are named in order', () => {
  expect(summariesIn([system, summary('f'), ...messages, summary('g')])).toEqual(['f', 'g'])
})
