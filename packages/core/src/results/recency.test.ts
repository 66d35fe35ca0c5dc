import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { exchange } from '../testing/messages.ts'
import { createClock, newestFirst } from './protect.ts'
import { toolResults } from './tool-results.ts'

const at = (...times: readonly (number | null)[]): readonly Message[] =>
  times.flatMap((time, index) => exchange(`m${index}`, 'Bash', {}, 'x', time === null ? {} : { at: time }))

describe('newestFirst', () => {
  it.each([
    ['sorts by time', [1, 2, 3], ['m2', 'm1', 'm0']],
    ['sorts by time in an unordered log', [2, 3, 1], ['m1', 'm0', 'm2']],
    ['sorts the later first of equal times', [2, 2, 1, 2], ['m3', 'm1', 'm0', 'm2']],
    ['omits results without a time', [1, null, 2], ['m2', 'm0']],
    ['sorts by position if no result has a time', [null, null], ['m1', 'm0']],
  ])('%s', (_name, times, expected) => {
    const messages = at(...times)
    expect(newestFirst(messages, toolResults(messages, {})).map(({ message }) => message.id)).toEqual(expected)
  })

  it('returns the same array for the same list', () => {
    const messages = at(2, 1)
    const results = toolResults(messages, {})
    expect(newestFirst(messages, results)).toBe(newestFirst(messages, results))
  })
})

describe('createClock', () => {
  const times = (messages: readonly Message[], firstSeen?: (id: string) => number | undefined) => {
    const facts = firstSeen === undefined ? {} : { firstSeen }
    return toolResults(messages, facts).map(createClock(messages, facts))
  }

  it('uses first-seen times only in a log without times', () => {
    const firstSeen = (id: string) => (id === 'm1' ? 7 : undefined)
    expect(times(at(null, null), firstSeen)).toEqual([null, 7])
    expect(times(at(5, null), firstSeen)).toEqual([5, null])
    expect(times(at(5, null))).toEqual([5, null])
  })
})
