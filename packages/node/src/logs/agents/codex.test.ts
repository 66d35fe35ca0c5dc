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
          { after: 'line-7', model: 'gpt-x', usage: { ...usage, input: 40 }, reasoning: 2 },
          { after: 'line-15', model: 'gpt-x', usage: { ...usage, input: 140 }, reasoning: 2, webSearches: 1 },
        ],
        compactions: 1,
        sidechains: 0,
        abandoned: 0,
      },
    ])
    expect(log.unread).toEqual({ 'event/user_message': 2, 'event/token_count': 3, 'reasoning without text': 1 })
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
