import type { Price } from '@plimsoll/core/bill'
import { completeConfig } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createModelClient } from '../../model/create-client.ts'
import { createAsk } from '../../model/side-calls.ts'
import { longConversation } from '../../model/testing/long-conversation.ts'
import { type Answer, startOpenAiServer } from '../../model/testing/openai-server.ts'
import type { AgentEvent } from '../../shared/event.ts'
import { entriesOf, forgetful } from '../testing/compacting.ts'
import { startAgent } from '../testing/start-agent.ts'
import { startSession } from '../testing/start-session.ts'
import { costOfSession, type PayingOptions, payingFor } from './session-cost.ts'

const config = completeConfig({ prices: { test: { input: 2, output: 10 } } })
const price = createModelClient({ name: 'test', url: 'http://127.0.0.1:9/v1', environment: {}, config }).price as Price
const priceOf = () => price

async function begin(maxDollars: number | null = null) {
  const { session, close } = await startSession([])
  onTestFinished(close)
  const events: AgentEvent[] = []
  const options: PayingOptions = { session, emit: (event) => events.push(event), priceOf, maxDollars }
  return { session, events, options }
}

const usage = { input: 1000, cacheRead: 0, cacheWrite: 0, output: 100 }

describe('payingFor', () => {
  it('logs, reports and counts the usage of a call', async () => {
    const { session, events, options } = await begin()
    await payingFor('result-summary', 'cheap', options).onUsage({ usage, isEstimated: false, durationMs: 12 })
    await payingFor('prompt-expansion', 'cheap', options).onUsage({ usage, isEstimated: true, durationMs: 3 })
    expect(entriesOf(session).slice(1)).toMatchObject([
      { type: 'note', code: 'side-usage', data: { model: 'cheap', usage, what: 'result-summary' } },
      { type: 'note', code: 'side-usage', data: { model: 'cheap', usage, what: 'prompt-expansion', isEstimated: true } },
    ])
    const { dollars } = costOfSession(session, priceOf)
    expect(dollars).toBeCloseTo(0.006, 12)
    expect(events.map(({ data }) => data)).toMatchObject([
      { what: 'result-summary', usage, total: { dollars: 0.003, unpriced: 0 }, firstMs: null, durationMs: 12 },
      { what: 'prompt-expansion', usage, cost: { dollars: 0.003 }, total: { dollars, unpriced: 0 } },
    ])
  })

  it.each([
    [null, true],
    [1, true],
    [0.006, true],
    [0.0059, false],
    [0, false],
  ])('with a limit of %s and half of 0.006 spent, another such call: %s', async (limit, expected) => {
    const { options } = await begin(limit)
    const { onUsage, mayAsk } = payingFor('summary', 'cheap', options)
    await onUsage({ usage, isEstimated: false, durationMs: 0 })
    expect(mayAsk({ input: 1000, output: 100 })).toBe(expected)
  })

  it('does not ask a model with an unknown price if there is a limit', async () => {
    const { options } = await begin(100)
    expect(payingFor('summary', 'cheap', { ...options, priceOf: () => null }).mayAsk({ input: 1, output: 1 })).toBe(false)
  })

  it('charges a question that is put to a real server', async () => {
    const body = JSON.stringify({
      id: 'c',
      created: 0,
      model: 'cheap',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Short.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1000, completion_tokens: 100 },
    })
    const server = await startOpenAiServer({ kind: 'body', status: 200, body })
    onTestFinished(server.close)
    const { session, options } = await begin(0.1)
    const ask = createAsk({ model: 'cheap', url: server.url, environment: {}, ...payingFor('result-summary', 'cheap', options) })
    expect(await ask('?', new AbortController().signal)).toBe('Short.')
    expect(costOfSession(session, priceOf)).toEqual({
      dollars: 0.003,
      unpriced: 0,
      requests: 1,
      usage,
      keepAlive: { times: 0, dollars: 0 },
    })
  })
})

describe('the summary of a compaction', () => {
  async function compact(answer: Answer) {
    const test = await startAgent({
      messages: longConversation(),
      answers: [answer],
      config: { models: config.models, compaction: { timeout_seconds: answer.kind === 'hang' ? 0.5 : 60 } },
      options: { priceOf },
    })
    const outcome = await test.agent.compact({}, new AbortController().signal)
    return { ...test, outcome }
  }
  const notes = ({ session }: Awaited<ReturnType<typeof compact>>) =>
    entriesOf(session).flatMap((entry) => (entry?.type === 'note' && entry.code === 'side-usage' ? [entry.data] : []))

  it('is charged to the session', async () => {
    const test = await compact({ kind: 'text', text: forgetful })
    expect(test.outcome).toMatchObject({ kind: 'compacted', kept: 'summary' })
    expect(notes(test)).toEqual([{ model: 'test', usage, what: 'summary' }])
    expect(test.agent.cost()).toEqual({ dollars: 0.003, unpriced: 0, requests: 1, usage, keepAlive: { times: 0, dollars: 0 } })
    const types = test.events.map((event) => (event.type === 'usage' ? event.data.what : event.type))
    expect(types.filter((type) => type !== 'compaction_progress')).toEqual(['compaction_start', 'summary', 'compaction_end'])
  })

  it.each<[name: string, answer: Answer, isEstimated: boolean]>([
    ['is none', { kind: 'text', text: 'I cannot do that.' }, false],
    ['breaks off', { kind: 'cut', text: '## Half of' }, true],
    ['takes too long', { kind: 'hang', text: '## Half of' }, true],
  ])('is charged even if it %s', async (_name, answer, isEstimated) => {
    const test = await compact(answer)
    expect(test.outcome).toMatchObject({ kind: 'compacted', kept: 'outline' })
    await expect
      .poll(() => notes(test))
      .toMatchObject([{ model: 'test', what: 'summary', ...(isEstimated ? { isEstimated } : {}) }])
    expect(test.agent.cost()).toMatchObject({ requests: 1, unpriced: 0 })
    expect(test.agent.cost().dollars).toBeGreaterThan(0.001)
  })
})
