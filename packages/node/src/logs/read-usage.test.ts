import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { responseOf } from './agents/message-list.ts'
import { countedUsage, countedWithCosts } from './agents/openhands.ts'
import type { ReadLog, ReadSession } from './log-reader.ts'
import { measureSession } from './measure/measure-session.ts'
import { readLogText } from './read-log.ts'
import { readUsage } from './read-usage.ts'
import { linesOf } from './testing/recordings.ts'

const tokens = { input: 10, cacheRead: 5, cacheWrite: 0, output: 2 }

describe('the cost of an answer', () => {
  it.each<[string, unknown, unknown, number | undefined]>([
    ['next to the usage', tokens, 0.25, 0.25],
    ['of pi', { ...tokens, cost: { input: 0.1, output: 0.2, total: 0.3 } }, undefined, 0.3],
    ['of OpenRouter', { prompt_tokens: 10, completion_tokens: 2, cost: 0.004 }, undefined, 0.004],
    [
      'of OpenRouter with the user’s own key',
      { prompt_tokens: 10, cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
      undefined,
      0.021,
    ],
    ['of a flat rate', tokens, 0, undefined],
    ['below zero', tokens, -1, undefined],
    ['of more than any answer costs', tokens, 1e9, undefined],
    ['as text', tokens, '1', undefined],
  ])('is read or left out: %s', (_, usage, cost, dollars) => {
    expect(readUsage(usage, cost)?.cost).toBe(dollars)
  })
})

describe('reasoning and web searches', () => {
  it.each<[string, object, object]>([
    ['OpenAI', { input_tokens: 9, output_tokens: 8, output_tokens_details: { reasoning_tokens: 5 } }, { reasoning: 5 }],
    ['chat', { prompt_tokens: 9, completion_tokens: 8, completion_tokens_details: { reasoning_tokens: 5 } }, { reasoning: 5 }],
    ['Codex', { input_tokens: 9, cached_input_tokens: 1, output_tokens: 8, reasoning_output_tokens: 5 }, { reasoning: 5 }],
    ['Gemini', { promptTokenCount: 9, candidatesTokenCount: 3, thoughtsTokenCount: 5 }, { reasoning: 5 }],
    ['Anthropic', { input_tokens: 9, output_tokens: 8, server_tool_use: { web_search_requests: 3 } }, { webSearches: 3 }],
    [
      'more reasoning than output',
      { input_tokens: 9, cached_input_tokens: 1, output_tokens: 8, reasoning_output_tokens: 50 },
      { reasoning: 8 },
    ],
    ['none', { input_tokens: 9, output_tokens: 8, server_tool_use: { web_search_requests: 0 } }, {}],
  ])('are read from usage: %s', (_, usage, expected) => {
    const { usage: tokens, ...rest } = readUsage(usage) ?? { usage: null }
    expect(tokens?.output).toBe(8)
    expect(rest).toEqual(expected)
  })

  it('of Codex are items of the answer', async () => {
    const line = (type: string, payload: object) => ({ timestamp: at(1), type, payload })
    const counts = (total: number) => ({
      type: 'token_count',
      info: {
        total_token_usage: { total_tokens: total },
        last_token_usage: { input_tokens: 9, cached_input_tokens: 1, output_tokens: 8 },
      },
    })
    const said = (text: string) =>
      line('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
    const session = await sessionOf([
      line('session_meta', { id: 's', cwd: '/home/sam/shop' }),
      line('response_item', { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } }),
      line('response_item', { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'r' } }),
      said('Found'),
      line('event_msg', counts(17)),
      said('Done'),
      line('event_msg', counts(34)),
    ])
    expect(session?.usages.map(({ webSearches }) => webSearches)).toEqual([2, undefined])
  })
})

describe('usage that cannot be', () => {
  it.each<[string, unknown]>([
    ['below zero', { input_tokens: -1, output_tokens: 5 }],
    ['below zero in a detail', { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: -3 } }],
    ['larger than any window', { input: 10, cacheRead: 5e9, output: 2 }],
    ['without end', { inputTokens: 10, outputTokens: Number.POSITIVE_INFINITY }],
    ['not a number', { promptTokenCount: Number.NaN }],
    ['text', { input_tokens: 10, output_tokens: 'many' }],
    ['a number below zero as text', { input_tokens: '-5' }],
  ])('is reported as such, not as zero: %s', (_, usage) => expect(readUsage(usage)).toEqual({ usage: null }))

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['text', 'much'],
    ['other fields', { service_tier: 'standard', max_tokens: null }],
  ])('is not the same as no usage: %s', (_, usage) => expect(readUsage(usage)).toBeNull())

  it('does not come from fields that are not counts', () => {
    const usage = { input_tokens: 1, output_tokens: 2, service_tier: 'standard', speed: 'fast', cost: { total: -1 }, ttft: -5 }
    expect(readUsage(usage)).toEqual({ usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 2 } })
  })

  it('never throws, and never has a count that is no count', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('input', 'output', 'cacheRead', 'input_tokens', 'cost'), fc.anything()),
        (usage) => {
          const { usage: read = null, cost = 1 } = readUsage(usage) ?? {}
          for (const count of [...Object.values(read ?? {}), cost]) expect(count >= 0 && count <= 1e8).toBe(true)
        },
      ),
    )
  })
})

const at = (second: number) => new Date(Date.UTC(2026, 3, 2, 9, 0, second)).toISOString()

async function sessionOf(lines: Parameters<typeof linesOf>[0]): Promise<ReadSession | undefined> {
  return ((await readLogText(linesOf(lines))).value as ReadLog).sessions[0]
}

describe('the usages of a log', () => {
  it('of pi have the recorded cost, and those of a branch that was left, once', async () => {
    const answer = (id: string, parentId: string, usage: object) => ({
      type: 'message',
      id,
      parentId,
      timestamp: at(Number(id.slice(1))),
      message: { role: 'assistant', model: 'model-a', content: [{ type: 'text', text: id }], usage },
    })
    const user = (id: string, parentId: string | null) => ({
      type: 'message',
      id,
      parentId,
      timestamp: at(0),
      message: { role: 'user', content: 'Go' },
    })
    const session = await sessionOf([
      { type: 'session', id: 's', cwd: '/home/sam/shop', timestamp: at(0) },
      user('u1', null),
      answer('a1', 'u1', { ...tokens, cost: { total: 0.5 } }),
      answer('a2', 'a1', { ...tokens, cost: { total: 0.25 } }),
      answer('a3', 'a1', { ...tokens, input: -4 }),
      answer('a4', 'a1', tokens),
    ])
    expect(session?.usages).toEqual([
      { after: 'a1', usage: tokens, cost: 0.5, model: 'model-a' },
      { after: 'a4', usage: tokens, model: 'model-a' },
    ])
    expect(session?.otherUsages).toEqual([{ at: Date.parse(at(2)), usage: tokens, cost: 0.25, model: 'model-a' }])
    expect(session?.badUsages).toBe(1)
  })

  it('of Claude Code have the cost that old versions recorded', async () => {
    const line = (uuid: string, fields: object) => ({ uuid, parentUuid: null, sessionId: 's', timestamp: at(1), ...fields })
    const usage = { input_tokens: 4, output_tokens: 2 }
    const message = { id: 'm', role: 'assistant', model: 'claude-x', content: [{ type: 'text', text: 'Yes' }], usage }
    const session = await sessionOf([
      line('u', { type: 'user', message: { role: 'user', content: 'Go' } }),
      line('a', { type: 'assistant', parentUuid: 'u', costUSD: 0.125, message }),
    ])
    expect(session?.usages).toMatchObject([{ after: 'a', cost: 0.125 }])
  })

  it('of opencode have those of summaries, of answers without text, and of messages that were reverted', async () => {
    const message = (id: string, fields: object, parts: readonly object[]) => ({
      info: {
        id,
        role: 'assistant',
        modelID: 'model-a',
        providerID: 'p',
        time: { created: Date.parse(at(1)) },
        cost: 0.01,
        tokens: { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 0 } },
        ...fields,
      },
      parts,
    })
    const text = [{ type: 'text', text: 'Words' }]
    const document = {
      info: { id: 'ses_1', title: 'T', directory: '/home/sam/shop', revert: { messageID: 'msg_5' } },
      messages: [
        { info: { id: 'msg_1', role: 'user', time: { created: 1 } }, parts: text },
        message('msg_2', {}, text),
        message('msg_3', {}, []),
        message('msg_4', { summary: true }, text),
        message('msg_5', {}, text),
      ],
    }
    const session = ((await readLogText(JSON.stringify(document))).value as ReadLog).sessions[0]
    expect(session?.usages).toEqual([
      { after: 'msg_2', usage: { ...tokens, output: 3 }, cost: 0.01, reasoning: 1, model: 'model-a' },
    ])
    expect(session?.otherUsages?.map(({ cost, usage }) => [cost, usage.output])).toEqual([
      [0.01, 3],
      [0.01, 3],
      [0.01, 3],
    ])
  })

  it.each<[string, object]>([
    ['Cline', { metrics: { tokens: { prompt: 10, completion: 2, cached: 5 }, cost: 0.25 } }],
    ['mini-swe-agent', { extra: { cost: 0.25, response: { usage: { prompt_tokens: 10, completion_tokens: 2 } } } }],
    ['OpenRouter', { usage: { prompt_tokens: 10, completion_tokens: 2, cost: 0.25 } }],
  ])('of messages have the cost that is next to them: %s', (_, source) => {
    expect(responseOf(source as Readonly<Record<string, unknown>>).reported).toMatchObject({ cost: 0.25, usage: { output: 2 } })
  })

  it('of OpenHands have the costs that are listed apart, if there is one for each', () => {
    const usages = [{ response_id: 'a', prompt_tokens: 10, completion_tokens: 2 }]
    const costs = (...list: readonly object[]) =>
      countedWithCosts({ token_usages: usages, costs: list }).map((one) => countedUsage(one)?.cost)
    expect(costs({ model: 'm', cost: 0.5 })).toEqual([0.5])
    expect(costs({ model: 'm', cost: 0.5 }, { model: 'm', cost: 0.5 })).toEqual([undefined])
  })

  it('of Copilot CLI have those of sub-agents', async () => {
    const event = (id: string, type: string, data: object, fields: object = {}) => ({
      id,
      type,
      data,
      timestamp: at(1),
      ...fields,
    })
    const session = await sessionOf([
      event('s', 'session.start', { sessionId: 's', selectedModel: 'model-a', context: { cwd: '/home/sam/shop' } }),
      event('u', 'user.message', { content: 'Go' }),
      event('a', 'assistant.message', { content: 'Yes' }),
      event('x', 'assistant.usage', { inputTokens: 10, outputTokens: 1, apiCallId: '1' }),
      event('y', 'assistant.usage', { inputTokens: 20, outputTokens: 1, apiCallId: '2', initiator: 'sub-agent' }),
      event('z', 'assistant.usage', { inputTokens: 30, outputTokens: 1, apiCallId: '3' }, { agentId: 'b' }),
    ])
    expect(session?.usages.map(({ usage }) => usage.input)).toEqual([10])
    expect(session?.otherUsages?.map(({ usage }) => usage.input)).toEqual([20, 30])
  })

  it('of Copilot CLI are the sums at the end, which a resumed run goes on with, if no answer has its own', async () => {
    const shutdown = (id: string, inputTokens: number, count: number) => ({
      id,
      type: 'session.shutdown',
      timestamp: at(9),
      data: { modelMetrics: { 'gpt-5': { requests: { count }, usage: { inputTokens, outputTokens: 7, cacheReadTokens: 100 } } } },
    })
    const start = [
      { id: 's', type: 'session.start', timestamp: at(0), data: { sessionId: 's' } },
      { id: 'a', type: 'assistant.message', timestamp: at(1), data: { content: 'Yes' } },
    ]
    const session = await sessionOf([...start, shutdown('x', 1_000, 2), shutdown('y', 1_501, 3)])
    expect(session?.usages).toEqual([])
    expect(session?.otherUsages).toMatchObject([
      { answers: 3, usage: { input: 1_401, cacheRead: 100, output: 7 }, model: 'gpt-5' },
    ])
    const { answers, requests } = measureSession(session as ReadSession, 'linux')
    expect(answers.map(([, , input, cacheRead, , output]) => [input, cacheRead, output])).toEqual([
      [467, 33, 2],
      [467, 33, 2],
      [467, 34, 3],
    ])
    expect(requests).toBe(1)
    const usage = { id: 'u', type: 'assistant.usage', timestamp: at(2), data: { inputTokens: 10, outputTokens: 1 } }
    expect((await sessionOf([...start, usage, shutdown('x', 1_000, 2)]))?.otherUsages).toBeUndefined()
  })

  it('of Gemini CLI have those of records that were taken back, and what its own tools read', async () => {
    const record = (id: string, tool: number) => ({
      id,
      type: 'gemini',
      timestamp: at(1),
      model: 'gemini-x',
      content: 'Yes',
      tokens: { input: 10, output: 2, cached: 4, thoughts: 1, tool, total: 13 + tool },
    })
    const session = await sessionOf([
      { sessionId: 's', projectHash: 'h', startTime: at(0) },
      { id: 'u', type: 'user', timestamp: at(0), content: 'Go' },
      record('g1', 7),
      record('g2', 0),
      { $rewindTo: 'g2' },
    ])
    expect(session?.usages.map(({ usage }) => usage)).toEqual([{ input: 13, cacheRead: 4, cacheWrite: 0, output: 3 }])
    expect(session?.otherUsages?.map(({ usage }) => usage)).toEqual([{ input: 6, cacheRead: 4, cacheWrite: 0, output: 3 }])
  })
})
