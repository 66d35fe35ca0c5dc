import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { exchange } from '../testing/messages.ts'
import { createClock, newestFirst } from './protect.ts'
import { toolResults } from './tool-results.ts'

const at = (...times: readonly (number | null)[]): readonly Message[] =>
  times.flatMap((time, index) => exchange(`m${index}`, 'Bash', {}, 'x', time === null ? {} : { at: time }))

describe('newestFirst', () => {
  it.each([
    ['by time', [1, 2, 3], ['m2', 'm1', 'm0']],
    ['by time in a log that is not in order', [2, 3, 1], ['m1', 'm0', 'm2']],
    ['of equal times the later first', [2, 2, 1, 2], ['m3', 'm1', 'm0', 'm2']],
    ['without those that have none', [1, null, 2], ['m2', 'm0']],
    ['by place where none has one', [null, null], ['m1', 'm0']],
  ])('%s', (_name, times, expected) => {
    const messages = at(...times)
    expect(newestFirst(messages, toolResults(messages, {})).map(({ message }) => message.id)).toEqual(expected)
  })

  it('the order of one list is worked out once', () => {
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

  it('the first sight of a result counts only in a log without times', () => {
    const firstSeen = (id: string) => (id === 'm1' ? 7 : undefined)
    expect(times(at(null, null), firstSeen)).toEqual([null, 7])
    expect(times(at(5, null), firstSeen)).toEqual([5, null])
    expect(times(at(5, null))).toEqual([5, null])
  })
})
