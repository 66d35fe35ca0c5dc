import { describe, expect, it } from 'vitest'
import type { ToldSummary } from '../planner.ts'
import { tellCompaction } from './tell-compaction.ts'

const anthropic: ToldSummary = { dialect: 'anthropic', item: { type: 'compaction', content: '漢字', encrypted_content: 'x' } }
const openai: ToldSummary = { dialect: 'openai-responses', item: { id: 'cmp_1', type: 'compaction', encrypted_content: 'x' } }

/** The output for a text that arrives in pieces of this size. */
function through(text: string, told: ToldSummary, contentType: string, size = text.length): string {
  const bytes = Buffer.from(text)
  const { write, end } = tellCompaction({ contentType, told })
  const out: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += size)
    for (const piece of write(bytes.subarray(start, start + size))) out.push(Buffer.from(piece))
  return Buffer.concat([...out, ...end()]).toString()
}

const events = (lines: readonly object[], end = '\n') => lines.map((data) => `data: ${JSON.stringify(data)}${end}${end}`).join('')
const dataOf = (text: string) =>
  text.split(/[\r\n]+/).flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice(5)) as never] : []))

describe('tellCompaction', () => {
  it.each(['\n', '\r\n'])('puts a summary before the blocks of a stream, in pieces of any size (%j)', (end) => {
    const text = events(
      [{ type: 'message_start' }, { type: 'content_block_delta', index: 0, text: 'über' }, { type: 'message_stop' }],
      end,
    )
    const whole = through(text, anthropic, 'text/event-stream')
    expect(dataOf(whole).map(({ type, index }) => [type, index])).toEqual([
      ['message_start', undefined],
      ['content_block_start', 0],
      ['content_block_delta', 0],
      ['content_block_stop', 0],
      ['content_block_delta', 1],
      ['message_stop', undefined],
    ])
    // A return may end an event before its feed arrives, so that the feed follows what was inserted: one more blank line.
    const pieces = (size: number) => dataOf(through(text, anthropic, 'text/event-stream', size))
    for (const size of [1, 2, 3, 7, 40]) expect(pieces(size)).toEqual(dataOf(whole))
  })

  it('puts a summary before the items of a stream, and counts on', () => {
    const text = events([
      { type: 'response.created', sequence_number: 0, response: { output: [] } },
      { type: 'response.output_item.added', sequence_number: 1, output_index: 0 },
      { type: 'response.completed', sequence_number: 2, response: { output: [{ id: 'm' }] } },
    ])
    const told = dataOf(through(text, openai, 'text/event-stream; charset=utf-8'))
    expect(told.map(({ sequence_number: number, output_index: index }) => [number, index])).toEqual([
      [0, undefined],
      [1, 0],
      [2, 0],
      [3, 1],
      [4, undefined],
    ])
    expect(told.at(-1)).toMatchObject({ response: { output: [openai.item, { id: 'm' }] } })
  })

  it.each([
    ['an error', '{"type":"error","error":{"type":"overloaded_error"}}', 'application/json'],
    ['what is not JSON', '{"content":[', 'application/json'],
    ['another type', 'content: []', 'text/plain'],
    ['broken events', 'data: {"type":"message_st\n\ndata: [DONE]\n\nevent: x\n\n', 'text/event-stream'],
  ])('leaves %s unchanged', (_, text, type) => {
    for (const told of [anthropic, openai]) expect(through(text, told, type, 5)).toBe(text)
  })
})
