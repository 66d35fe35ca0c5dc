import { describe, expect, it } from 'vitest'
import type { Edit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { keepRecentResults } from '../policies/trim-outdated-commands.ts'
import { keepLatestReads } from '../policies/trim-repeated-reads.ts'
import { exchange } from '../testing/messages.ts'
import { lastSeenIndex, placeNumber, protect, withoutPinned, withSurvivingSent } from './protect.ts'
import { toolResults } from './tool-results.ts'

it('protect returns why each result must stay in full, or null', () => {
  const messages = [
    ...exchange('old', 'Bash', {}, 'ok', { at: 1 }),
    ...exchange('pinned', 'Bash', {}, 'ok', { at: 2 }),
    ...exchange('error', 'Bash', {}, 'Error: no', { at: 3 }),
    ...exchange('read', 'Read', { file_path: 'a' }, 'text', { at: 4 }),
    ...Array.from({ length: 5 }, (_, index) => exchange(`n${index}`, 'Grep', {}, 'x', { at: 5 + index })).flat(),
    ...exchange('unseen', 'Bash', {}, 'ok', { at: 20 }),
  ]
  const facts = { now: 0, pins: ['pinned'], sent: 'unseenc' }
  const reasonOf = protect(messages, facts, [keepRecentResults, keepLatestReads])
  const reasons = Object.fromEntries(toolResults(messages, facts).map((result) => [result.message.id, reasonOf(result)]))
  expect(reasons).toEqual({
    old: null,
    pinned: 'pinned',
    error: 'error',
    read: 'kept',
    n0: null,
    n1: 'kept',
    n2: 'kept',
    n3: 'kept',
    n4: 'kept',
    unseen: 'unseen',
  })
})

it.each([
  ['pinnedc', 2],
  ['not there', -1],
  [null, 4],
  [undefined, 4],
])('lastSeenIndex of a log sent up to %j is %i', (sent, expected) => {
  const messages = [...exchange('old', 'Bash', {}, 'ok'), ...exchange('pinned', 'Bash', {}, 'ok')]
  expect(lastSeenIndex(messages, sent === undefined ? {} : { sent })).toBe(expected)
})

it.each<[seen: string | null, expected: number]>([
  ['pinnedc', 2],
  [null, -1],
])('lastSeenIndex of a log seen up to %j is %i, even if nothing was sent', (seen, expected) => {
  const messages = [...exchange('old', 'Bash', {}, 'ok'), ...exchange('pinned', 'Bash', {}, 'ok')]
  expect(lastSeenIndex(messages, { seen, sent: null })).toBe(expected)
})

const said = (id: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text: id }] })
const fold: Edit = { id: 'f', policy: 'compact', why: '', kind: 'fold', first: 'a', last: 'c', into: null }
const put = (id: string): Edit => ({ id, policy: 'x', why: '', kind: 'insert', after: 'a', message: said(id) })

describe('what was sent or seen last', () => {
  const before = ['a', 'b', 'c', 'd'].map(said)
  it.each<[name: string, facts: Partial<Facts>, edits: readonly Edit[], after: string, expected: Partial<Facts>]>([
    ['is the last one left if it is folded away', { sent: 'c' }, [fold], 'ad', { sent: 'a' }],
    ['is the same if something else is folded away', { sent: 'd', seen: 'd' }, [fold], 'ad', { sent: 'd', seen: 'd' }],
    ['is each of the two by itself', { sent: 'd', seen: 'c' }, [fold], 'ad', { sent: 'd', seen: 'a' }],
    ['is each of the two by itself, the other way round', { sent: 'c', seen: 'd' }, [fold], 'ad', { sent: 'a', seen: 'd' }],
    ['stays unknown', { sent: 'c', seen: null }, [fold], 'ad', { sent: 'a', seen: null }],
    ['stays a message that is nowhere if nothing is left before it', { sent: 'c' }, [fold], 'd', { sent: 'c' }],
    ['is what was put in after it before', { sent: 'a', inForce: [put('x')] }, [put('x')], 'axbcd', { sent: 'x' }],
    [
      'is the last of several put in',
      { sent: 'c', inForce: [put('x'), put('y')] },
      [put('x'), put('y'), fold],
      'axy',
      { sent: 'y' },
    ],
    ['is not what is put in for the first time', { sent: 'a', inForce: [fold] }, [put('x')], 'axbcd', { sent: 'a' }],
    ['is not what was put in only before', { sent: 'a', inForce: [put('b')] }, [put('x')], 'abxcd', { sent: 'a' }],
    ['is not what was put in elsewhere', { sent: 'b', inForce: [put('x')] }, [put('x')], 'axbcd', { sent: 'b' }],
  ])('%s', (_name, given, edits, after, expected) => {
    const facts = { now: 0, ...given }
    const found = withSurvivingSent(facts, before, edits, [...after].map(said))
    expect(found).toStrictEqual({ ...facts, ...expected })
  })

  it.each([{ sent: 'd' }, { sent: null }, { seen: null }, {}])('is the same object if nothing changes: %j', (given) => {
    const facts = { now: 0, ...given }
    expect(withSurvivingSent(facts, before, [fold], ['a', 'd'].map(said))).toBe(facts)
  })
})

it('pins keep a message from being replaced, not from being folded', () => {
  const replace: Edit = {
    id: 'r',
    policy: 'x',
    why: '',
    kind: 'replace',
    message: 'a',
    part: 0,
    with: { type: 'text', text: '' },
  }
  const edits = [replace, { ...replace, message: 'b' }, fold]
  expect(withoutPinned(edits, { now: 0, pins: ['a', 'c'] })).toEqual(edits.slice(1))
  for (const facts of [{ now: 0 }, { now: 0, pins: [] }]) expect(withoutPinned(edits, facts)).toBe(edits)
})

it('places are numbered by message and part', () => {
  const numbers = [
    { index: 0, partIndex: 1 },
    { index: 1, partIndex: 0 },
    { index: 1, partIndex: 2 },
    { index: 3, partIndex: 0 },
  ].map((place) => placeNumber(place as Parameters<typeof placeNumber>[0]))
  expect(numbers).toEqual([1, 2 ** 20, 2 ** 20 + 2, 3 * 2 ** 20])
})
