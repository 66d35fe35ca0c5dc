import type { Usage } from '@plimsoll/core/bill'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type WireDialect, wireDialects } from '../../store/gateway-record.ts'
import { type AnswerUsage, answerUsage, fieldsAfterCut, fieldsBeforeCut } from './answer-usage.ts'

const usage = (input: number, cacheRead: number, cacheWrite: number, output: number): Usage => ({
  input,
  cacheRead,
  cacheWrite,
  output,
})
const stream = (events: readonly unknown[], end = '\n'): string =>
  events
    .map((event) => {
      const type = (event as { type?: string }).type
      return `${type === undefined ? '' : `event: ${type}${end}`}data: ${typeof event === 'string' ? event : JSON.stringify(event)}${end}${end}`
    })
    .join('')

const anthropicUsage = { input_tokens: 3, cache_read_input_tokens: 900, cache_creation_input_tokens: 70, output_tokens: 1 }
const anthropicEvents = [
  { type: 'message_start', message: { type: 'message', model: 'claude-opus-5.5', usage: anthropicUsage, stop_reason: null } },
  { type: 'ping' },
  {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: 'the "usage" of data: {"usage":{"input_tokens":7}}' },
  },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 55 } },
  { type: 'message_stop' },
]
const chatEvents = [
  {
    id: 'x',
    object: 'chat.completion.chunk',
    model: 'gpt-5.5',
    choices: [{ delta: { content: 'hi' }, finish_reason: null }],
    usage: null,
  },
  { id: 'x', object: 'chat.completion.chunk', model: 'gpt-5.5', choices: [{ delta: {}, finish_reason: 'stop' }], usage: null },
  {
    id: 'x',
    object: 'chat.completion.chunk',
    model: 'gpt-5.5',
    choices: [],
    usage: { prompt_tokens: 100, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 64 } },
  },
  '[DONE]',
]
const responseUsage = { input_tokens: 300, input_tokens_details: { cached_tokens: 256 }, output_tokens: 20 }
const responsesEvents = (end: object) => [
  { type: 'response.created', response: { model: 'gpt-6-sol', status: 'in_progress', usage: null, error: null } },
  { type: 'response.output_text.delta', delta: 'status: usage' },
  {
    type: `response.${(end as { status: string }).status}`,
    response: { model: 'gpt-6-sol', error: null, usage: responseUsage, ...end },
  },
]
const geminiPieces = [
  {
    candidates: [{ content: { parts: [{ text: 'a' }] } }],
    usageMetadata: { promptTokenCount: 50 },
    modelVersion: 'gemini-4-argon',
  },
  {
    candidates: [{ content: { parts: [{ text: 'b' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 50, cachedContentTokenCount: 20, candidatesTokenCount: 4, thoughtsTokenCount: 6 },
    modelVersion: 'gemini-4-argon',
  },
]

const answers: readonly (readonly [name: string, dialect: WireDialect, text: string, expected: Partial<AnswerUsage>])[] = [
  [
    'a message',
    'anthropic',
    JSON.stringify({ type: 'message', model: 'm', content: [], stop_reason: 'tool_use', usage: anthropicUsage }),
    { usage: usage(3, 900, 70, 1), model: 'm', stop: 'tool_use' },
  ],
  [
    'a streamed message',
    'anthropic',
    stream(anthropicEvents),
    { usage: usage(3, 900, 70, 55), model: 'claude-opus-5.5', stop: 'end_turn' },
  ],
  [
    'with other ends of lines',
    'anthropic',
    stream(anthropicEvents, '\r\n'),
    { usage: usage(3, 900, 70, 55), model: 'claude-opus-5.5', stop: 'end_turn' },
  ],
  [
    'with bare returns',
    'anthropic',
    stream(anthropicEvents, '\r'),
    { usage: usage(3, 900, 70, 55), model: 'claude-opus-5.5', stop: 'end_turn' },
  ],
  [
    'without a blank line at the end',
    'anthropic',
    stream(anthropicEvents.slice(0, 4)).trimEnd(),
    { usage: usage(3, 900, 70, 55), model: 'claude-opus-5.5', stop: 'end_turn' },
  ],
  [
    'that ended early',
    'anthropic',
    stream(anthropicEvents.slice(0, 3)),
    { usage: usage(3, 900, 70, 1), model: 'claude-opus-5.5' },
  ],
  [
    'whose end knows better what the prompt was',
    'anthropic',
    stream([
      anthropicEvents[0],
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { input_tokens: 40, cache_read_input_tokens: 0, cache_creation_input_tokens: null, output_tokens: 7 },
      },
    ]),
    { usage: usage(40, 900, 70, 7), model: 'claude-opus-5.5', stop: 'end_turn' },
  ],
  [
    'whose prompt is kept for an hour',
    'anthropic',
    stream([
      {
        type: 'message_start',
        message: {
          usage: { ...anthropicUsage, cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 70 } },
        },
      },
    ]),
    { usage: { ...usage(3, 900, 70, 1), cacheWriteHour: 70 }, cacheLifetime: 'hour' },
  ],
  [
    'that breaks with an error',
    'anthropic',
    stream([anthropicEvents[0], { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }]),
    {
      usage: usage(3, 900, 70, 1),
      model: 'claude-opus-5.5',
      error: '{"error":{"type":"overloaded_error","message":"Overloaded"}}',
    },
  ],
  [
    'an error as an answer',
    'anthropic',
    '{"type":"error","error":{"type":"invalid_request_error","message":"no"}}',
    { error: '{"error":{"type":"invalid_request_error","message":"no"}}' },
  ],
  [
    'data in several lines',
    'anthropic',
    'data: {"type":"message_delta",\ndata: "delta":{"stop_reason":"end_turn"},\ndata:"usage":{"input_tokens":1,"output_tokens":2}}\n\n',
    { usage: usage(1, 0, 0, 2), stop: 'end_turn' },
  ],
  [
    'a completion',
    'openai-chat',
    JSON.stringify({
      model: 'gpt-5.5',
      choices: [{ finish_reason: 'length' }],
      usage: { prompt_tokens: 5, completion_tokens: 6 },
    }),
    { usage: usage(5, 0, 0, 6), model: 'gpt-5.5', stop: 'length' },
  ],
  [
    'a completion of a server that reports its times',
    'openai-chat',
    JSON.stringify({
      usage: { prompt_tokens: 5, completion_tokens: 6 },
      timings: { prompt_n: 5, prompt_ms: 2, predicted_ms: 60 },
    }),
    { usage: { ...usage(5, 0, 0, 6), times: { prefilled: 5, prefillMs: 2, decodeMs: 60 } } },
  ],
  ['a streamed completion', 'openai-chat', stream(chatEvents), { usage: usage(36, 64, 0, 9), model: 'gpt-5.5', stop: 'stop' }],
  ['one without usage', 'openai-chat', stream(chatEvents.slice(0, 2)), { model: 'gpt-5.5', stop: 'stop' }],
  [
    'an error with status 200',
    'openai-chat',
    stream([{ error: { message: 'context_length_exceeded', code: 400 } }, '[DONE]']),
    { error: '{"error":{"message":"context_length_exceeded","code":400}}' },
  ],
  [
    'a response',
    'openai-responses',
    JSON.stringify({
      object: 'response',
      status: 'completed',
      error: null,
      model: 'gpt-6-sol',
      output: [],
      usage: responseUsage,
    }),
    { usage: usage(44, 256, 0, 20), model: 'gpt-6-sol', stop: 'completed' },
  ],
  [
    'a streamed response',
    'openai-responses',
    stream(responsesEvents({ status: 'completed' })),
    { usage: usage(44, 256, 0, 20), model: 'gpt-6-sol', stop: 'completed' },
  ],
  [
    'one that is not complete',
    'openai-responses',
    stream(responsesEvents({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })),
    { usage: usage(44, 256, 0, 20), model: 'gpt-6-sol', stop: 'max_output_tokens' },
  ],
  [
    'one that failed',
    'openai-responses',
    stream(responsesEvents({ status: 'failed', usage: null, error: { code: 'context_length_exceeded' } })),
    { model: 'gpt-6-sol', stop: 'failed', error: '{"error":{"code":"context_length_exceeded"}}' },
  ],
  [
    'an event that is an error',
    'openai-responses',
    stream([{ type: 'error', code: 'x', message: 'no' }]),
    { error: '{"error":{"type":"error","code":"x","message":"no"}}' },
  ],
  ['content', 'gemini', JSON.stringify(geminiPieces[1]), { usage: usage(30, 20, 0, 10), model: 'gemini-4-argon', stop: 'STOP' }],
  [
    'content as a list',
    'gemini',
    JSON.stringify(geminiPieces, null, 2),
    { usage: usage(30, 20, 0, 10), model: 'gemini-4-argon', stop: 'STOP' },
  ],
  [
    'streamed content',
    'gemini',
    stream(geminiPieces, '\r\n'),
    { usage: usage(30, 20, 0, 10), model: 'gemini-4-argon', stop: 'STOP' },
  ],
  [
    'content in an envelope',
    'gemini',
    stream(geminiPieces.map((response) => ({ response }))),
    { usage: usage(30, 20, 0, 10), model: 'gemini-4-argon', stop: 'STOP' },
  ],
  [
    'a prompt that is refused',
    'gemini',
    '{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":5}}',
    { usage: usage(5, 0, 0, 0), stop: 'SAFETY' },
  ],
  ['nothing', 'anthropic', '', {}],
  ['a page', 'gemini', '<html>data: no</html>', {}],
  ['a number', 'openai-chat', '5', {}],
  ['a list of other things', 'openai-chat', '[1, null, "x"]', {}],
  ['fields of the wrong kind', 'openai-chat', '{"usage":[],"model":5,"choices":{"0":1},"error":false}', {}],
  [
    'a hostile name',
    'anthropic',
    '{"__proto__":{"usage":{"input_tokens":1}},"usage":{"input_tokens":2}}',
    { usage: usage(2, 0, 0, 0) },
  ],
]

const nothing: AnswerUsage = { usage: null, model: null, stop: null, error: null, cacheLifetime: 'provider' }

describe('answerUsage', () => {
  it.each(answers)('%s (%s)', (_name, dialect, text, expected) =>
    expect(answerUsage(dialect, { head: text, tail: null })).toEqual({ ...nothing, ...expected }),
  )

  it('reads the same from an answer without its middle, wherever it was cut', () => {
    const filler = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'words "\\ } ] , : and more '.repeat(20) } }
    const long = stream([...anthropicEvents.slice(0, 2), ...Array.from({ length: 9 }, () => filler), ...anthropicEvents.slice(3)])
    const from = stream(anthropicEvents.slice(0, 1)).length
    const until = long.length - stream(anthropicEvents.slice(3)).length
    const whole = answerUsage('anthropic', { head: long, tail: null })
    for (let cut = from; cut < until; cut += 37)
      expect(answerUsage('anthropic', { head: long.slice(0, from + 11), tail: long.slice(cut) })).toEqual(whole)
  })

  it.each<[name: string, dialect: WireDialect, value: unknown, expected: Partial<AnswerUsage>]>([
    [
      'a message',
      'anthropic',
      { model: 'm', content: [{ type: 'text', text: 'FILL' }], stop_reason: 'end_turn', usage: anthropicUsage },
      { usage: usage(3, 900, 70, 1), model: 'm', stop: 'end_turn' },
    ],
    [
      'a response',
      'openai-responses',
      { status: 'completed', output: ['FILL'], model: 'gpt-6-sol', usage: responseUsage },
      { usage: usage(44, 256, 0, 20), model: 'gpt-6-sol', stop: 'completed' },
    ],
    [
      'a list',
      'gemini',
      [geminiPieces[0], { ...geminiPieces[0], x: 'FILL' }, geminiPieces[1]],
      { usage: usage(30, 20, 0, 10), model: 'gemini-4-argon', stop: 'STOP' },
    ],
  ])('reads %s from its two ends', (_name, dialect, value, expected) => {
    const hostile = JSON.stringify(`\\" } ] { "usage": {"input_tokens": 666}, , : \\\\`.repeat(50)).slice(1, -1)
    const text = JSON.stringify(value).replace('FILL', hostile)
    const [from, until] = [text.indexOf('666') + 300, text.lastIndexOf('666') - 300]
    for (let cut = from; cut < until; cut += 13)
      expect(answerUsage(dialect, { head: text.slice(0, from - 200), tail: text.slice(cut) })).toEqual({
        ...nothing,
        ...expected,
      })
  })

  it('does not mistake a field of a nested object for one of an answer that was cut off after it', () => {
    const head = '{"model":"m","content":[{"type":"text","text":"a long one'
    const tail = ' goes on"},{"type":"tool_use","input":{"usage":{"input_tokens":5}}'
    expect(answerUsage('anthropic', { head, tail })).toEqual({ ...nothing, model: 'm' })
  })

  it('never throws, whatever came and wherever it was cut', () => {
    let read = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...wireDialects),
        fc.oneof(fc.constantFrom(...answers.map(([, , text]) => text)), fc.string(), fc.json()),
        fc.nat(2000),
        fc.option(fc.nat(2000)),
        (dialect, text, end, start) => {
          const reported = answerUsage(dialect, { head: text.slice(0, end), tail: start === null ? null : text.slice(start) })
          if (reported.usage !== null) read += 1
        },
      ),
      { examples: [['gemini', JSON.stringify(geminiPieces), 5000, null]] },
    )
    expect(read).toBeGreaterThan(0)
  })

  it('takes time in proportion to the text', () => {
    for (const text of [
      '\\"'.repeat(500_000),
      '{"a":['.repeat(150_000),
      `"${'\\'.repeat(1_000_000)}"}`,
      `${'"a":'.repeat(250_000)}}`,
      'data:\n'.repeat(150_000),
      'data:{usage\n\n'.repeat(80_000),
      '"'.repeat(1_000_000),
    ])
      for (const tail of [null, text]) {
        expect(answerUsage('anthropic', { head: `{${text}`, tail })).toEqual(nothing)
        expect(answerUsage('anthropic', { head: text, tail })).toEqual(nothing)
      }
  })
})

describe('fields around a cut', () => {
  const value = { a: 1, b: 'x"y\\', c: [{ a: 2 }], 'd"': null, e: { e: 5 }, f: true }
  it('include only complete ones', () => {
    const text = JSON.stringify(value)
    let before = 0
    let behind = 0
    for (let cut = 0; cut <= text.length; cut += 1) {
      const first = Object.entries(fieldsBeforeCut(text.slice(0, cut)))
      const last = Object.entries(fieldsAfterCut(text.slice(cut), 'object'))
      before += first.length
      behind += last.length
      expect(first).toEqual(Object.entries(value).slice(0, first.length))
      expect(last).toEqual(last.length === 0 ? [] : Object.entries(value).slice(-last.length))
    }
    expect([before > 100, behind > 100]).toEqual([true, true])
  })
})
