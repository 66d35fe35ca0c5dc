import { describe, expect, it } from 'vitest'
import { completeConfig } from '../config.ts'
import { user } from '../testing/messages.ts'
import { compactionDue } from './plan-compaction.ts'

const config = completeConfig(undefined)
const three = [user('1', 'a'), user('2', 'b'), user('3', 'c')]

describe('compactionDue', () => {
  it.each<[string, Omit<Parameters<typeof compactionDue>[0], 'config' | 'messages'>, boolean]>([
    ['just below', { lastUsage: 159_999 }, false],
    ['at the line', { lastUsage: 160_000 }, true],
    ['input that is two thirds of a token', { lastUsage: 159_999, userInput: 'ab' }, false],
    ['input that is one token', { lastUsage: 159_999, userInput: 'abc' }, true],
    ['characters outside the basic plane count once', { lastUsage: 159_999, userInput: '😀😀' }, false],
    ['no usage and little text', {}, false],
  ])('R004-33 last usage plus a third of the input reaches 0.8 of the window: %s', (_, input, due) =>
    expect(compactionDue({ ...input, messages: three, config })).toBe(due),
  )

  it('R004-33 needs three messages', () =>
    expect(compactionDue({ messages: three.slice(1), lastUsage: 1e9, config })).toBe(false))

  it('R004-34 takes window, threshold and minimum number of messages from the configuration', () => {
    const own = completeConfig({ context_window: 1000, compaction: { threshold: 0.5, min_messages: 1 } })
    expect(compactionDue({ messages: three.slice(2), lastUsage: 499, config: own })).toBe(false)
    expect(compactionDue({ messages: three.slice(2), lastUsage: 500, config: own })).toBe(true)
    expect(config).toMatchObject({ context_window: 200_000, compaction: { threshold: 0.8, min_messages: 3 } })
  })

  it.each<[string, number | null | undefined]>([
    ['missing', undefined],
    ['null', null],
    ['zero', 0],
    ['absurdly small', 12],
    ['negative', -5],
    ['not a number', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
  ])('Q-27 uses the local count if the usage is %s', (_, lastUsage) => {
    const input = { messages: three, config, ...(lastUsage === undefined ? {} : { lastUsage }) }
    expect(compactionDue({ ...input, load: 160_000 })).toBe(true)
    expect(compactionDue({ ...input, load: 159_999 })).toBe(false)
  })

  it('Q-27 uses the larger of both counts', () => {
    expect(compactionDue({ messages: three, config, lastUsage: 160_000, load: 10 })).toBe(true)
    expect(compactionDue({ messages: three, config, lastUsage: 100_000, load: 170_000 })).toBe(true)
  })

  it('Q-24b gives the same answer in the middle of a turn if tools alone have filled the window', () => {
    const results = Array.from({ length: 40 }, (_, index) => user(`r${index}`, 'one two three four five '.repeat(900)))
    expect(compactionDue({ messages: [...three, ...results], config })).toBe(true)
    expect(compactionDue({ messages: [...three, ...results.slice(20)], config })).toBe(false)
  })
})
