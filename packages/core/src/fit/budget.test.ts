import { describe, expect, it } from 'vitest'
import type { PartialConfig } from '../config.ts'
import { letters } from '../testing/letters.ts'
import { user } from '../testing/messages.ts'
import { type Budget, budgetOf, countBytes, excessOf, maxBytesOf, messageBytes, requestSize, targetOf } from './request-size.ts'

const none = Number.POSITIVE_INFINITY

describe('Q-24 the budget of a request', () => {
  it.each<[name: string, config: unknown, expected: Budget]>([
    [
      'the window without the answer',
      { context_window: 1000, output_reserve: 100 },
      { tokens: 900, bytes: 30_000_000, images: 100 },
    ],
    [
      'an answer of unknown size reserves nothing',
      { context_window: 1000, output_reserve: Number.NaN },
      { tokens: 1000, bytes: 30_000_000, images: 100 },
    ],
    [
      'a value that is not a number sets no limit',
      { context_window: Number.NaN, request_limits: { max_bytes: 'many', max_images: null } },
      { tokens: none, bytes: none, images: none },
    ],
    [
      'a negative window is zero',
      { context_window: -5, output_reserve: 0, request_limits: { max_bytes: -1, max_images: 3 } },
      { tokens: 0, bytes: 0, images: 3 },
    ],
  ])('%s', (_name, config, expected) => expect(budgetOf({ config: config as PartialConfig })).toEqual(expected))

  it('is shrunk to four fifths, rounded down', () => {
    expect(targetOf({ tokens: 11, bytes: 12, images: 3 })).toEqual({ tokens: 8, bytes: 9, images: 2 })
  })
})

describe('Q-24 the size of a request', () => {
  const messages = [user('a', 'four'), user('b', 'twelve chars')]

  it('is counted by the given tokenizer', () => {
    expect(requestSize(messages, { tokens: letters })).toEqual({ tokens: 24, bytes: 0, images: 0 })
  })

  it('includes bytes only if there may be too many', () => {
    const bytes = messageBytes(messages[0] as never) + messageBytes(messages[1] as never)
    const most = maxBytesOf(messages)
    const counted = [most, most - 1].map((limit) => countBytes(messages, { tokens: none, bytes: limit, images: none }))
    expect(counted).toEqual([0, bytes])
  })

  it('exceeds a smaller budget, but not an equal one', () => {
    const budget = { tokens: 5, bytes: 6, images: 7 }
    expect(excessOf(budget, budget)).toEqual([])
    expect(excessOf({ tokens: 6, bytes: 7, images: 8 }, budget)).toEqual(['tokens', 'bytes', 'images'])
    expect(excessOf({ tokens: 5, bytes: 7, images: 0 }, budget)).toEqual(['bytes'])
  })
})
