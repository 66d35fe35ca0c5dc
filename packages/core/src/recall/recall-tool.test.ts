import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { limitToolOutput } from '../policies/limit-tool-output.ts'
import { calls, exchange, result, user } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { handleOf } from '../text/hash.ts'
import { estimateTokens } from '../tokens/count-tokens.ts'
import { answerRecall, recallTool } from './recall-tool.ts'

const log = Array.from({ length: 3000 }, (_, index) => `step ${index + 1}: all is well so far`).join('\n')
const messages: readonly Message[] = [
  user('u', 'Hello'),
  ...exchange('a', 'Bash', { command: 'make' }, 'first build'),
  ...exchange('b', 'Bash', { command: 'make' }, 'second build'),
  ...exchange('c', 'Bash', { command: 'make all' }, log),
  ...exchange('d', 'Bash', { command: 'true' }, ''),
]
const source = sourceOf(messages)
const handle = handleOf(log)

function answer(input: unknown): string {
  return answerRecall(input, source, {})
}

describe('the model asks', () => {
  it.each<[unknown, string]>([
    [{ handle: handleOf('first build') }, 'first build'],
    [JSON.stringify({ handle: handleOf('first build') }), 'first build'],
    [{ handle: handleOf('first build'), id: '', query: null, lines: '' }, 'first build'],
    [{ tool: 'Bash', about: 'true' }, `[handle ${handleOf('')} is an empty text]\n`],
    [{ handle, lines: '7-8' }, `[lines 7-8 of 3000; handle ${handle}]\nstep 7: all is well so far\nstep 8: all is well so far`],
    [{ handle, lines: [7, 7] }, `[lines 7-7 of 3000; handle ${handle}]\nstep 7: all is well so far`],
    [{ handle, lines: 7 }, `[lines 7-7 of 3000; handle ${handle}]\nstep 7: all is well so far`],
    [{ handle, pattern: 'step 2999' }, `[lines 2999-2999 of 3000; handle ${handle}]\n2999: step 2999: all is well so far`],
    [{ handle, lines: '9000-9001' }, 'There is no line 9000-9001: this text has 3000 lines, counted from 1.'],
    [
      { tool: 'Bash', about: 'make', lines: '1-1' },
      `[the latest of 3; older ones: ${handleOf('second build')} (make), ${handleOf('first build')} (make)]\n[lines 1-1 of 3000; handle ${handle}]\nstep 1: all is well so far`,
    ],
  ])('%o', (input, expected) => expect(answer(input)).toBe(expected))

  it.each<[unknown, string]>([
    [undefined, 'recall expects an object with handle, tool, id or query; got nothing.'],
    ['not json', 'recall expects an object with handle, tool, id or query; got "not json".'],
    [[], 'recall expects an object with handle, tool, id or query; got a list.'],
    [{}, 'Say what to recall by exactly one of handle, id, tool (with about) or query; got 0.'],
    [{ handle: {} }, 'recall: handle has to be text; got an object.'],
    [{ handle, lines: 'all of them' }, 'recall: lines has to be first and last, as "120-180"; got "all of them".'],
    [{ handle, lines: [1, 2, 3] }, 'recall: lines has to be first and last, as "120-180"; got a list.'],
    [{ handle, budget: 'much' }, 'recall: budget has to be a number of tokens; got "much".'],
    [{ handle, budget: -4 }, 'recall: budget has to be a number of tokens; got -4.'],
  ])('wrong arguments are explained: %o', (input, expected) => expect(answer(input)).toBe(expected))

  it('R003-24 shows a long original by its ends, and names how to read on to its last line', () => {
    const shown = answer({ handle })
    expect(shown).toMatch(
      /^step 1: [\s\S]*\n\[lines (\d+)-\d+ of 3000 are left out; to read on, recall with handle "[0-9a-f]{12}" and lines "\1-\d+"\]\n[\s\S]*step 3000: all is well so far$/,
    )
    let read = ''
    for (let next: string | undefined = '1-100', rounds = 0; next !== undefined && rounds < 100; rounds += 1) {
      const page = answer({ handle, lines: next })
      expect(page).not.toContain('left out')
      const [, first = 0, last = 0] = (/^\[lines (\d+)-(\d+) of 3000/.exec(page) ?? []).map(Number)
      read += `${page.slice(page.indexOf('\n') + 1)}\n`
      next = last < 3000 ? `${last + 1}-${last + (last - first + 1)}` : undefined
    }
    expect(read).toBe(`${log}\n`)
  })

  it('Q-9 fits an answer without a budget into the limit of tool output', () => {
    for (const input of [{ handle }, { handle, pattern: 'step' }, { query: 'step' }, { tool: 'Bash', about: 'make' }]) {
      const text = answer(input)
      const view = [calls('c', ['r', 'recall', input]), result('r', 'r', text)]
      expect(limitToolOutput.plan(view, {})).toEqual([])
      expect(estimateTokens(text)).toBeLessThanOrEqual(4000)
    }
  })

  it('gives a longer answer with a budget, and does not cut it', () => {
    const input = { handle, budget: 12_000 }
    const text = answer(input)
    expect(text.length).toBeGreaterThan(20_000)
    expect(estimateTokens(text)).toBeLessThanOrEqual(12_000)
    expect(limitToolOutput.plan([calls('c', ['r', 'recall', input]), result('r', 'r', text)], {}).length).toBe(0)
  })

  it('limits a budget beyond the window to a quarter of it', () => {
    const text = answerRecall({ handle, budget: 1e12 }, source, { config: { context_window: 40_000 } })
    expect(estimateTokens(text)).toBeLessThanOrEqual(10_000)
  })

  it('names in the schema every field that the answer reads, but two that are rarely needed', () => {
    expect(Object.keys(recallTool.inputSchema.properties).toSorted()).toEqual([
      'about',
      'characters',
      'handle',
      'lines',
      'pattern',
      'query',
      'tool',
    ])
  })
})

it('any arguments get an answer within the limit, and never an exception', () => {
  const value = fc.oneof(
    fc.anything(),
    fc.record(
      {
        handle: fc.oneof(fc.constant(handle), fc.string(), fc.anything()),
        lines: fc.oneof(fc.string(), fc.array(fc.oneof(fc.double(), fc.anything()), { maxLength: 3 }), fc.anything()),
        characters: fc.oneof(fc.constant('5-50000'), fc.anything()),
        budget: fc.oneof(fc.double(), fc.integer({ min: 1, max: 3000 }), fc.anything()),
      },
      { requiredKeys: [] },
    ),
    fc.record({ query: fc.string(), budget: fc.integer({ min: -5, max: 5000 }) }, { requiredKeys: ['query'] }),
  )
  let found = 0
  fc.assert(
    fc.property(value, (input) => {
      const text = answer(input)
      expect(typeof text).toBe('string')
      expect(estimateTokens(text)).toBeLessThanOrEqual(60_000)
      if (text.includes('all is well')) found += 1
    }),
    { numRuns: 1500 },
  )
  expect(found).toBeGreaterThan(10)
})
