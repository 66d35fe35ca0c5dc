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

describe('momentOf, cached content', () => {
  it.each<[name: string, given: Case, reason: ColdReason | null, lastSent: number, coldFrom: number]>([
    ['nothing if nothing was sent', { facts: { sent: null } }, 'first', -1, 0],
    ['nothing if the sent messages are gone', { facts: { sent: 'gone' } }, 'first', -1, 0],
    ['everything that was sent', {}, null, 2, 4],
    ['everything within the lifetime', { facts: { now: 300 * second }, ledger: { at: 0 } }, null, 2, 4],
    ['nothing past the lifetime', { facts: { now: 301 * second }, ledger: { at: 0 } }, 'idle', 2, 0],
    ['everything if the clock was set back', { facts: { now: 0 }, ledger: { at: 900 * second } }, null, 2, 4],
    ['everything with an invalid clock', { facts: { now: Number.NaN }, ledger: { at: 0 } }, null, 2, 4],
    [
      'everything if the stored time is null',
      { facts: { now: 900 * second }, ledger: { at: null as unknown as number } },
      null,
      2,
      4,
    ],
    ['everything with the same tools', { facts: { prefix: 'p' }, ledger: { prefix: 'p' } }, null, 2, 4],
    ['nothing with other tools', { facts: { prefix: 'q' }, ledger: { prefix: 'p' } }, 'prefix', 2, 0],
    ['everything if the earlier tools are unknown', { facts: { prefix: 'q' } }, null, 2, 4],
    ['the messages before a new summary', { messages: [system, summary('f'), ...messages.slice(2)] }, 'folded', 2, 1],
    [
      'everything with a known summary',
      { messages: [system, summary('f'), ...messages.slice(2)], ledger: { summaries: ['f'] } },
      null,
      2,
      4,
    ],
    ['everything before an unsent summary', { messages: [...messages, summary('f')] }, null, 2, 5],
    ['the messages before the place where the host compacted', { facts: { compactedAt: 'a' } }, 'folded', 2, 1],
    ['everything if the host added messages that were not sent', { facts: { compactedAt: 'c' } }, null, 2, 4],
  ])('%s', (_name, given, reason, lastSent, coldFrom) => {
    expect(moment(given)).toMatchObject({ reason, lastSent, coldFrom })
  })
})

describe('momentOf, the cache terms', () => {
  const learned = { atLeastSeconds: null, atMostSeconds: null, zeroReads: 0 }
  it.each<[name: string, given: Case, expected: object]>([
    ['are those given', {}, cache],
    ['have defaults', { facts: { cache: undefined } as unknown as Facts }, { read: 0.1, write: 1.25, lifetimeSeconds: 300 }],
    [
      'double a lifetime that was exceeded',
      { ledger: { learned: { ...learned, atLeastSeconds: 400 } } },
      { ...cache, lifetimeSeconds: 800 },
    ],
    [
      'assume no cache if the provider never reads one',
      { ledger: { learned: { ...learned, zeroReads: 3 } } },
      { read: 1, write: 1, lifetimeSeconds: null },
    ],
  ])('%s', (_name, given, expected) => {
    expect(moment(given).terms).toEqual(expected)
  })
})

it.each<[name: string, list: readonly Message[], coldFrom: number, expected: boolean]>([
  ['nothing is cached', messages, 0, true],
  ['only the system messages are cached', messages, 1, true],
  ['not if a user message is cached', messages, 2, false],
  ['a summary is new', [system, summary('f'), ...messages.slice(2)], 1, true],
  ['there are only system messages', [system], 0, true],
])('isCold: %s', (_name, list, coldFrom, expected) => {
  expect(isCold({ ...moment({}), coldFrom }, list)).toBe(expected)
})

it('summariesIn returns the ids in order', () => {
  expect(summariesIn([system, summary('f'), ...messages, summary('g')])).toEqual(['f', 'g'])
})
