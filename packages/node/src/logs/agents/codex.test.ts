import { describe, expect, it } from 'vitest'
import type { ReadLog } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { codexLines, linesOf, timeOf } from '../testing/recordings.ts'

const read = async (lines: Parameters<typeof linesOf>[0]): Promise<ReadLog> =>
  (await readLogText(linesOf(lines))).value as ReadLog
const at = (step: number) => Date.parse(timeOf(step))
const text = (words: string) => ({ type: 'text' as const, text: words })
const item = (payload: object) => ({ timestamp: timeOf(1), type: 'response_item', payload })

describe('a rollout of Codex', () => {
  it('is one message for what the model wrote in a row, with the client’s own words as such', async () => {
    const log = await read(codexLines)
    const usage = { cacheRead: 60, cacheWrite: 0, output: 7 }
    expect(log.sessions).toEqual([
      {
        id: 'codex-1',
        title: 'Sort the list.',
        root: '/home/sam/shop',
        model: 'gpt-x',
        messages: [
          { id: 'line-2', role: 'system', at: at(1), parts: [text('Be careful.')] },
          { id: 'line-3', role: 'system', at: at(1), parts: [text('<environment_context>sh</environment_context>')] },
          { id: 'line-5', role: 'user', at: at(2), parts: [text('Sort the list.')] },
          {
            id: 'line-7',
            role: 'assistant',
            at: at(3),
            parts: [
              { type: 'reasoning', text: 'Find the list.' },
              text('Looking.'),
              { type: 'tool-call', callId: 'k1', tool: 'exec_command', input: '{"cmd":"ls"}' },
              { type: 'tool-call', callId: 'k2', tool: 'apply_patch', input: '*** Begin Patch' },
            ],
          },
          {
            id: 'line-12',
            role: 'tool',
            at: at(5),
            parts: [{ type: 'tool-result', callId: 'k1', tool: null, content: text('list.ts') }],
          },
          {
            id: 'line-13',
            role: 'tool',
            at: at(5),
            parts: [{ type: 'tool-result', callId: 'k2', tool: null, content: text('no such file'), isError: true }],
          },
          {
            id: 'line-15',
            role: 'assistant',
            at: at(6),
            parts: [
              {
                type: 'media',
                mediaType: 'vendor/web_search_call',
                data: { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'sort' } },
              },
              text('Sorted.'),
            ],
          },
          { id: 'line-19', role: 'system', at: at(8), summary: true, parts: [text('The list is sorted.')] },
          {
            id: 'line-21',
            role: 'user',
            at: at(10),
            parts: [
              text('<turn_aborted/>'),
              text('And this one.'),
              {
                type: 'media',
                mediaType: 'image/png',
                data: { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
              },
            ],
          },
          {
            id: 'line-23',
            role: 'assistant',
            at: at(11),
            parts: [{ type: 'tool-call', callId: 'k3', tool: 'local_shell', input: { type: 'exec', command: ['ls'] } }],
          },
        ],
        usages: [
          { after: 'line-7', model: 'gpt-x', usage: { ...usage, input: 40 }, reasoning: 2, answer: expect.any(String) },
          {
            after: 'line-15',
            model: 'gpt-x',
            usage: { ...usage, input: 140 },
            reasoning: 2,
            webSearches: 1,
            answer: expect.any(String),
          },
        ],
        compactions: 1,
        sidechains: 0,
        abandoned: 0,
      },
    ])
    expect(log.unread).toEqual({ 'event/user_message': 2, 'event/token_count': 3, 'reasoning without text': 1 })
  })

  describe('whose usage is counted', () => {
    const said = item({ type: 'message', role: 'assistant', content: 'ok' })
    const counts = (input: number, output: number) => ({ input_tokens: input, cached_input_tokens: 0, output_tokens: output })
    const counted = (total: object | null, last: object | null) => [
      said,
      {
        timestamp: timeOf(2),
        type: 'event_msg',
        payload: { type: 'token_count', info: { total_token_usage: total, last_token_usage: last } },
      },
    ]
    const meta = (payload: object) => ({ timestamp: timeOf(0), type: 'session_meta', payload })
    const context = { type: 'turn_context', payload: { model: 'gpt-5.4' } }
    const usages = async (...lines: Parameters<typeof linesOf>[0]) => (await read(lines)).sessions[0]?.usages ?? []
    const tokens = async (...lines: Parameters<typeof linesOf>[0]) =>
      (await usages(...lines)).map(({ usage }) => [usage.input, usage.output])

    it('counts what was added if only the sum is reported, also after the sum started again', async () => {
      const sums = [counts(100, 10), counts(100, 10), counts(250, 15), counts(40, 4)]
      const found = await tokens(meta({ id: 'a' }), ...sums.flatMap((sum) => counted(sum, null)))
      expect(found).toEqual([
        [100, 10],
        [150, 5],
        [40, 4],
      ])
    })

    it('counts each report if there is no sum', async () => {
      const found = await tokens(meta({ id: 'a' }), ...counted(null, counts(100, 10)), ...counted(null, counts(100, 10)))
      expect(found).toHaveLength(2)
    })

    it('counts what was written to the cache', async () => {
      const last = { ...counts(100, 10), cached_input_tokens: 30, cache_write_input_tokens: 60 }
      const [answer] = await usages(meta({ id: 'a' }), ...counted(last, last))
      expect(answer?.usage).toEqual({ input: 10, cacheRead: 30, cacheWrite: 60, output: 10 })
    })

    it.each([{ forked_from_id: 'a' }, { source: { subagent: { thread_spawn: { parent_thread_id: 'a' } } } }])(
      'knows an answer that a session copied from another: %j',
      async (origin) => {
        const before = counted(counts(100, 10), counts(100, 10))
        const after = counted(counts(250, 15), counts(150, 5))
        const [first] = await usages(meta({ id: 'a' }), ...before)
        const [copied, second] = await usages(meta({ id: 'b', ...origin }), meta({ id: 'a' }), ...before, ...after)
        expect(copied?.answer).toBe(first?.answer)
        const [other] = await usages(meta({ id: 'c' }), ...before)
        expect(new Set([first?.answer, second?.answer, other?.answer]).size).toBe(3)
        // A copy of the copy.
        const third = await usages(
          meta({ id: 'd', forked_from_id: 'b' }),
          meta({ id: 'b', ...origin }),
          meta({ id: 'a' }),
          ...before,
        )
        expect(third[0]?.answer).toBe(first?.answer)
      },
    )

    it('names the model as in fast mode while that is on', async () => {
      const settings = (tier: string) => ({
        type: 'event_msg',
        payload: { type: 'thread_settings_applied', thread_settings: { service_tier: tier } },
      })
      const found = await usages(
        context,
        settings('fast'),
        ...counted(counts(100, 10), counts(100, 10)),
        settings('default'),
        ...counted(counts(200, 20), counts(100, 10)),
      )
      expect(found.map(({ model }) => model)).toEqual(['gpt-5.4-fast', 'gpt-5.4'])
    })

    it('assumes the default of the first versions, which name no model, and no other', async () => {
      const of = async (timestamp: string) =>
        (await usages(meta({ id: 'a', timestamp }), ...counted(counts(1, 1), counts(1, 1))))[0]?.model
      expect([await of('2025-09-06T10:00:00Z'), await of('2026-09-06T10:00:00Z')]).toEqual(['gpt-5', null])
    })
  })

  it('takes every user message for a person’s where no event says which are', async () => {
    const log = await read([
      item({ type: 'message', role: 'user', content: 'one' }),
      item({ type: 'message', role: 'user', content: 'two' }),
    ])
    expect(log.sessions[0]?.messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })

  it('carries a summary that only the provider can read', async () => {
    const sealed = { type: 'compaction', encrypted_content: 'gAAAA' }
    const log = await read([{ type: 'compacted', payload: { message: '', replacement_history: [{ role: 'user' }, sealed] } }])
    expect(log.sessions[0]?.messages).toEqual([
      { id: 'line-1', role: 'system', summary: true, parts: [{ type: 'media', mediaType: 'vendor/compaction', data: sealed }] },
    ])
  })

  it('is read with items that have no envelope, as the first version wrote them', async () => {
    const log = await read([
      { id: 'old', timestamp: timeOf(0), instructions: null },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: '{"output":"ok"}' },
    ])
    expect(log.sessions[0]).toMatchObject({
      id: 'old',
      title: 'hi',
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }],
    })
  })

  it('keeps the first of two results, and says that there was another', async () => {
    const output = (words: string) => item({ type: 'function_call_output', call_id: 'c', output: words })
    const log = await read([
      item({ type: 'function_call', name: 'sh', call_id: 'c', arguments: '{}' }),
      output('one'),
      output('two'),
    ])
    expect(log.sessions[0]?.messages).toHaveLength(2)
    expect(log.unread).toEqual({ 'further result of a call': 1 })
  })
})
