import { expect, it } from 'vitest'
import { keepRecentResults } from '../policies/trim-outdated-commands.ts'
import { keepLatestReads } from '../policies/trim-repeated-reads.ts'
import { exchange } from '../testing/messages.ts'
import { lastSeenIndex, protect } from './protect.ts'
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
