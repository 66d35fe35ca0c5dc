import type { Price } from '@plimsoll/core/bill'
import { completeConfig, type OwnPrice } from '@plimsoll/core/policies'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createModelClient } from '../../model/create-client.ts'
import { longConversation } from '../../model/testing/long-conversation.ts'
import type { AgentEvent } from '../../shared/event.ts'
import type { TurnOutcome } from '../agent.ts'
import { ask, endAll } from '../testing/asking.ts'
import { startAgent } from '../testing/start-agent.ts'
import { streamedAnswer } from '../testing/streamed-answer.ts'
import { CostLimitError } from './send-request.ts'

afterEach(endAll)

function priceFor(price: OwnPrice): Price {
  const config = completeConfig({ prices: { test: price } })
  return createModelClient({ name: 'test', url: 'http://127.0.0.1:9/v1', environment: {}, config }).price as Price
}

/** The provider's counts for one request: shares of the estimate, and tokens of the answer. */
interface Counted {
  readonly share: number
  readonly cached: number
  readonly output: number
}

/** Lets an agent look into a folder as often as there are counts but one, with so much money. */
async function spend(price: OwnPrice, limit: number | null, counts: readonly Counted[]) {
  let asked = 0
  const model = priceFor(price)
  const test = await startAgent({
    files: { 'a.txt': 'one' },
    config: { prices: { test: price }, agent: { max_cost: limit } },
    answers: [
      () => {
        const counted = counts[asked] as Counted
        asked += 1
        const prompt = Math.floor(loadIn(test.events) * counted.share)
        return streamedAnswer({
          text: `Step ${asked}.`,
          calls: asked < counts.length ? [{ id: `call-${asked}`, tool: 'LS', input: { path: '.' } }] : [],
          usage: {
            prompt_tokens: prompt,
            prompt_tokens_details: { cached_tokens: Math.floor(prompt * counted.cached) },
            completion_tokens: counted.output,
          },
        })
      },
    ],
    options: { priceOf: () => model },
  })
  const outcome: TurnOutcome = await test.turn('Look into the folder.')
  return { outcome, asked, events: test.events, dollars: test.agent.cost().dollars, price: model }
}

function loadIn(events: readonly AgentEvent[]): number {
  const last = events.findLast((event) => event.type === 'view_built')
  return last?.type === 'view_built' ? last.data.report.load.tokens : 0
}

function noticesIn(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.type === 'notification' ? [event.data] : []))
}

const dear: OwnPrice = { input: 100, output: 100 }
const whole: Counted = { share: 1, cached: 0, output: 1000 }

describe('a session that may cost so much', () => {
  it('ends before a request whose input alone would cost more, without an error, and says the numbers', async () => {
    const free = await spend(dear, null, [whole, whole, whole])
    expect([free.outcome.kind, free.asked]).toEqual(['finished', 3])
    const limit = free.dollars * 0.5
    const { outcome, asked, events, dollars } = await spend(dear, limit, [whole, whole, whole])
    expect(outcome).toEqual({ kind: 'stopped', reason: 'max-cost' })
    expect(asked).toBe(1)
    expect(dollars).toBeLessThan(limit)
    expect(events.filter(({ type }) => type === 'error')).toEqual([])
    expect(noticesIn(events)).toEqual([
      {
        code: 'max_cost',
        message: expect.stringContaining('--max-cost'),
        details: expect.stringMatching(/^spent \$0\.\d{4} \+ next \$0\.\d{4} > limit \$0\.\d{4}$/),
      },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'turn_end', data: { outcome: 'stopped', steps: 1, cost: { dollars } } })
  })

  it('sends nothing if the limit is below the cost of the first request', async () => {
    const { outcome, asked } = await spend(dear, 0.001, [whole])
    expect([outcome, asked]).toEqual([{ kind: 'stopped', reason: 'max-cost' }, 0])
  })

  it('may be zero if the model is free', async () =>
    expect(await spend({ input: 0, output: 0 }, 0, [whole, whole])).toMatchObject({ outcome: { kind: 'finished' }, asked: 2 }))

  it('allows more requests if the start of a request was cached with the last one', async () => {
    const cached = { share: 1, cached: 1, output: 10 }
    const counts = [{ ...cached, cached: 0 }, cached, cached, cached]
    const { dollars } = await spend({ ...dear, cache_read: 1 }, null, counts)
    const limit = dollars * 1.5
    expect((await spend({ ...dear, cache_read: 1 }, limit, counts)).asked).toBe(4)
    expect((await spend(dear, limit, counts)).asked).toBe(1)
  })

  it('never costs more than that and one answer, whatever the prices, the counts and the limit', async () => {
    const seen = { stopped: 0, finished: 0, over: 0, cached: 0 }
    const amount = fc.integer({ min: 0, max: 300 })
    const prices = fc.record({ input: amount, cache: fc.boolean(), write: amount, output: amount })
    const counted = fc.record({
      share: fc.integer({ min: 60, max: 100 }),
      cached: fc.integer({ min: 0, max: 100 }),
      output: fc.integer({ min: 0, max: 20_000 }),
    })
    const limits = fc.integer({ min: 0, max: 3000 })
    await fc.assert(
      fc.asyncProperty(prices, fc.array(counted, { minLength: 1, maxLength: 5 }), limits, async (drawn, drawnCounts, cents) => {
        const { input, cache, write, output } = drawn
        const price = { input, output, cache_write: write, ...(cache ? { cache_read: Math.floor(input / 10) } : {}) }
        // If cached input costs less, the provider has cached all of it: the cost of a cache miss cannot be predicted.
        const counts = drawnCounts.map(({ share, cached, output: tokens }, index) => ({
          share: share / 100,
          cached: cache ? Math.min(1, index) : cached / 100,
          output: tokens,
        }))
        const limit = cents / 1000
        const run = await spend(price, limit, counts)
        const answer = Math.max(0, ...counts.slice(0, run.asked).map((one) => (one.output * output) / 1_000_000))
        expect(run.dollars).toBeLessThanOrEqual(limit + answer + 1e-9)
        const isStopped = run.outcome.kind === 'stopped'
        expect(isStopped ? run.asked < counts.length : run.asked === counts.length).toBe(true)
        seen[isStopped ? 'stopped' : 'finished'] += 1
        if (run.dollars > limit) seen.over += 1
        if (cache && run.asked > 1) seen.cached += 1
      }),
      { numRuns: 80 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(2)
  })
})

describe('a summary', () => {
  const price = priceFor({ input: 1, output: 10 })
  const setting = (maxDollars: number, asked: string[]) => ({
    messages: longConversation(),
    config: { context_window: 12_000 },
    context: {
      maxDollars,
      priceOf: () => price,
      writer: () => () => {
        asked.push('writer')
        return Promise.reject(new Error('no'))
      },
    },
  })

  it('is not asked of a model that could not be paid for, and comes from the log', async () => {
    const asked: string[] = []
    const { events, story, error } = await ask(setting(0.05, asked))
    expect(asked).toEqual([])
    expect(story.slice(0, 3)).toEqual(['summary_too_dear', 'compaction_start', 'compaction_end compacted'])
    expect(events.find(({ type }) => type === 'compaction_end')).toMatchObject({ data: { kept: 'outline' } })
    expect(error).toBeInstanceOf(CostLimitError)
  })

  it('is requested if the cost limit allows it', async () => {
    const asked: string[] = []
    await ask(setting(5, asked))
    expect(asked).toEqual(['writer'])
  })
})
