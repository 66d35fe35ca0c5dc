import type { Message, Part, PartialConfig } from '@plimsoll/core'
import { normaliseUsage } from '@plimsoll/core/bill'
import { completeConfig } from '@plimsoll/core/policies'
import { afterEach, describe, expect, it } from 'vitest'
import { createModelClient, type ModelClientOptions } from './create-client.ts'
import type { ModelDelta, ModelRequest } from './model-client.ts'
import { type Answer, type OpenAiServer, startOpenAiServer } from './testing/openai-server.ts'

let server: OpenAiServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }] }
const tool = {
  name: 'LS',
  description: 'Lists a folder.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
}

function request(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [user],
    tools: [tool],
    maxOutputTokens: 500,
    breakpoints: [],
    signal: new AbortController().signal,
    ...fields,
  }
}

async function serve(...answers: readonly [Answer, ...Answer[]]): Promise<OpenAiServer> {
  server = await startOpenAiServer(...answers)
  return server
}

function client(config: PartialConfig = {}, options: Partial<ModelClientOptions> = {}) {
  return createModelClient({
    name: 'test-model',
    url: server?.url,
    environment: { OPENAI_API_KEY: 'sk-s3cr3t-key' },
    config: completeConfig(config),
    ...options,
  })
}

const event = (fields: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', ...fields })}\n\n`
const delta = (fields: object) => event({ choices: [{ index: 0, delta: fields, finish_reason: null }] })
const finish = (reason: string, fields: object = {}) =>
  event({ choices: [{ index: 0, delta: {}, finish_reason: reason }], ...fields })
const toolCall = (index: number, id: string | undefined, name: string, text: string) =>
  delta({ tool_calls: [{ index, ...(id === undefined ? {} : { id }), type: 'function', function: { name, arguments: text } }] })

describe('an answer', () => {
  it('comes in pieces as they arrive, and as parts in their order', async () => {
    const told: ModelDelta[] = []
    let release = () => {}
    const shown = new Promise<void>((resolve) => {
      release = resolve
    })
    const { requests } = await serve({
      kind: 'raw',
      pieces: [
        delta({ reasoning_content: 'Let me ' }),
        delta({ reasoning_content: 'see.' }),
        delta({ content: 'I will ' }),
        delta({ content: 'look.' }),
        50,
        toolCall(0, 'call-0', 'LS', '{"path":'),
        delta({ tool_calls: [{ index: 0, function: { arguments: '"src"}' } }] }),
        finish('tool_calls', { usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 } }),
        'data: [DONE]\n\n',
      ],
    })
    const asked = client().call(request(), (piece) => {
      told.push(piece)
      if (piece.text === 'look.') release()
    })
    await shown
    expect(told).toEqual([
      { type: 'reasoning', text: 'Let me ' },
      { type: 'reasoning', text: 'see.' },
      { type: 'text', text: 'I will ' },
      { type: 'text', text: 'look.' },
    ])
    const answer = await asked
    expect(answer).toEqual({
      parts: [
        { type: 'reasoning', text: 'Let me see.', providerOptions: { local: {} } },
        { type: 'text', text: 'I will look.' },
        { type: 'tool-call', callId: 'call-0', tool: 'LS', input: { path: 'src' } },
      ],
      finish: 'tool-calls',
      usage: expect.objectContaining({ inputTokens: expect.objectContaining({ total: 10 }) }),
    })
    expect(told.slice(4)).toEqual([
      { type: 'tool-input', text: '{"path":' },
      { type: 'tool-input', text: '"src"}' },
    ])
    expect(requests[0]?.body).toMatchObject({
      model: 'test-model',
      max_tokens: 500,
      messages: [{ role: 'user', content: 'Look.' }],
      tools: [{ type: 'function', function: { name: 'LS', description: 'Lists a folder.', parameters: tool.inputSchema } }],
    })
  })

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
  ] as const)('reports that it ended with %s', async (reason, expected) => {
    await serve({ kind: 'text', text: 'So far.', finish: reason })
    const answer = await client().call(request(), () => undefined)
    expect(answer).toMatchObject({ parts: [{ type: 'text', text: 'So far.' }], finish: expected })
  })

  it.each([
    ['no JSON', '{"path": "src', '{"path": "src'],
    ['nothing', '', {}],
    ['a list', '[1]', '[1]'],
    ['too deep', `{"path":${'['.repeat(5000)}${']'.repeat(5000)}}`, `{"path":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('keeps arguments that are %s', async (_name, text, input) => {
    await serve({ kind: 'raw', pieces: [toolCall(0, 'a', 'LS', text), finish('tool_calls')] })
    const answer = await client().call(request(), () => undefined)
    expect(answer.parts).toEqual([{ type: 'tool-call', callId: 'a', tool: 'LS', input }])
  })

  it('may call an unknown tool, and say `stop` with it', async () => {
    await serve({ kind: 'raw', pieces: [toolCall(0, 'a', 'Teleport', '{}'), finish('stop')] })
    const answer = await client().call(request(), () => undefined)
    expect(answer).toMatchObject({ parts: [{ type: 'tool-call', tool: 'Teleport' }], finish: 'tool-calls' })
  })

  it('has a unique id for every call', async () => {
    const pieces = [toolCall(0, 'same', 'LS', '{"path":"a"}'), toolCall(1, 'same', 'LS', '{"path":"b"}'), finish('tool_calls')]
    await serve({ kind: 'raw', pieces })
    const { parts } = await client().call(request(), () => undefined)
    const ids = parts.map((part) => (part.type === 'tool-call' ? part.callId : null))
    expect(ids[0]).toBe('same')
    expect(new Set(ids).size).toBe(2)
  })

  it('has the same ids each time if the server gives none', async () => {
    const pieces = [toolCall(0, undefined, 'LS', '{"path":"a"}'), toolCall(1, undefined, 'LS', '{"path":"b"}'), finish('stop')]
    await serve({ kind: 'raw', pieces })
    const { parts } = await client().call(request(), () => undefined)
    const { parts: again } = await client().call(request(), () => undefined)
    const { parts: later } = await client().call(request({ messages: [user, { ...user, id: 'v' }] }), () => undefined)
    const idsOf = (answered: readonly Part[]) => answered.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
    expect(idsOf(again)).toEqual(idsOf(parts))
    expect(new Set([...idsOf(parts), ...idsOf(later)]).size).toBe(4)
  })

  it('is invalid if it consists only of reasoning', async () => {
    await serve({ kind: 'raw', pieces: [delta({ reasoning_content: 'Hm.' }), finish('stop')] })
    const asked = client().call(request(), () => undefined)
    await expect(asked).rejects.toMatchObject({ message: 'the model returned an empty answer', isTransient: true })
  })

  it.each([
    ['missing', {}],
    ['absurd', { usage: { prompt_tokens: 9e15, completion_tokens: -4, total_tokens: 0 } }],
  ])('is complete with usage %s', async (_name, usage) => {
    await serve({ kind: 'raw', pieces: [delta({ content: 'Done.' }), finish('stop', usage)] })
    const answer = await client().call(request(), () => undefined)
    expect(answer.parts).toEqual([{ type: 'text', text: 'Done.' }])
  })

  it.each<[name: string, usage: unknown, input: number | undefined]>([
    ['a text', 'a few', undefined],
    ['a list', [1, 2], undefined],
    ['numbers written as text', { prompt_tokens: '10', completion_tokens: '4', total_tokens: '14' }, 10],
    ['words for numbers', { prompt_tokens: 'ten', completion_tokens: 4 }, undefined],
    ['details that are none', { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: 'none' }, 10],
    ['details written as text', { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: '8' } }, 10],
    ['names of another provider', { input_tokens: 10, output_tokens: 4 }, 10],
    ['without fields', {}, undefined],
  ])('is read even if its usage is %s', async (_name, usage, input) => {
    await serve({ kind: 'raw', pieces: [delta({ content: 'Done.' }), finish('stop', { usage }), 'data: [DONE]\n\n'] })
    const answer = await client().call(request(), () => undefined)
    expect(answer).toMatchObject({
      parts: [{ type: 'text', text: 'Done.' }],
      finish: 'stop',
      usage: { inputTokens: { total: input } },
    })
  })

  it('has the times that a server of one’s own reports next to its usage', async () => {
    const timings = { cache_n: 4, prompt_n: 6, prompt_ms: 3, predicted_n: 4, predicted_ms: 80 }
    const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, prompt_tokens_details: { cached_tokens: 4 } }
    await serve({ kind: 'raw', pieces: [delta({ content: 'Done.' }), finish('stop', { usage, timings }), 'data: [DONE]\n\n'] })
    const { usage: reported } = await client().call(request(), () => undefined)
    expect(normaliseUsage(reported)).toEqual({
      input: 6,
      cacheRead: 4,
      cacheWrite: 0,
      output: 4,
      times: { prefilled: 6, prefillMs: 3, decodeMs: 80 },
    })
  })

  const done = { parts: [{ type: 'text', text: 'Done.' }], finish: 'stop' }
  const look = { parts: [{ type: 'tool-call', callId: 'a', tool: 'LS', input: { path: 'src' } }], finish: 'tool-calls' }
  const call = (fields: object) => delta({ tool_calls: [{ index: 0, id: 'a', type: 'function', ...fields }] })
  const whole = (message: object, fields: object = {}) =>
    JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      created: 0,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
      ...fields,
    })
  const madeCall = { id: 'a', type: 'function', function: { name: 'LS', arguments: { path: 'src' } } }
  const type = (value: string) => ({ 'content-type': value })
  const end = 'data: [DONE]\n\n'

  it.each<[name: string, expected: object, answer: Answer]>([
    [
      'arguments are an object',
      look,
      { kind: 'raw', pieces: [call({ function: { name: 'LS', arguments: { path: 'src' } } }), finish('tool_calls'), end] },
    ],
    [
      'an empty object comes before the arguments',
      look,
      {
        kind: 'raw',
        pieces: [
          call({ function: { name: 'LS', arguments: {} } }),
          delta({ tool_calls: [{ index: 0, function: { arguments: '{"path":"src"}' } }] }),
          finish('tool_calls'),
        ],
      },
    ],
    [
      'a call is numbered in text',
      look,
      {
        kind: 'raw',
        pieces: [
          delta({ tool_calls: [{ index: '0', id: 'a', function: { name: 'LS', arguments: '{"path":' } }] }),
          delta({ tool_calls: [{ index: '0', function: { arguments: '"src"}' } }] }),
          finish('tool_calls'),
        ],
      },
    ],
    ['a text ends without a reason', done, { kind: 'raw', pieces: [delta({ content: 'Done.' }), end] }],
    [
      'a call ends without a reason',
      look,
      { kind: 'raw', pieces: [call({ function: { name: 'LS', arguments: '{"path":"src"}' } }), end] },
    ],
    [
      'every piece ends for no reason',
      done,
      {
        kind: 'raw',
        pieces: [event({ choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: '' }] }), finish('stop'), end],
      },
    ],
    ['it comes in one piece', done, { kind: 'body', status: 200, body: whole({ content: 'Done.' }) }],
    [
      'it comes in one piece of another type, after spaces',
      done,
      { kind: 'raw', pieces: [' \n', 20, ' \n', whole({ content: 'Done.' })], headers: type('text/plain') },
    ],
    [
      'it comes in one piece that calls itself a stream',
      look,
      { kind: 'raw', pieces: [whole({ content: null, tool_calls: [madeCall] }, { usage: 'a few' })] },
    ],
    ['it comes in one piece as an event', done, { kind: 'raw', pieces: [`data: ${whole({ content: 'Done.' })}\n\n`, end] }],
    [
      'the stream calls itself a page',
      done,
      { kind: 'raw', pieces: [delta({ content: 'Done.' }), finish('stop'), end], headers: type('text/html') },
    ],
    [
      'no blank lines are between its events, nor after the last',
      done,
      { kind: 'raw', pieces: [delta({ content: 'Done.' }).trimEnd(), '\n', finish('stop').trimEnd(), '\n', end.trimEnd()] },
    ],
    [
      'each piece has an empty error and a role',
      done,
      {
        kind: 'raw',
        pieces: [
          event({ choices: [{ index: 0, delta: { role: 'model', content: 'Done.' }, finish_reason: null }], error: null }),
          finish('stop', { error: null }),
          end,
        ],
      },
    ],
    [
      'usage comes without choices',
      done,
      {
        kind: 'raw',
        pieces: [delta({ content: 'Done.' }), finish('stop'), event({ usage: { prompt_tokens: 10, completion_tokens: 4 } }), end],
      },
    ],
    [
      'the server does not hang up',
      done,
      { kind: 'raw', pieces: [delta({ content: 'Done.' }), finish('stop'), end], ending: 'wait' },
    ],
  ])('is read even if %s', async (_name, expected, answer) => {
    await serve(answer)
    expect(await client().call(request(), () => undefined)).toMatchObject(expected)
  })

  it.each<[name: string, answer: Answer]>([
    ['is cut off silently', { kind: 'raw', pieces: [delta({ content: 'Do' })] }],
    [
      'is cut off, each piece of it without a reason',
      { kind: 'raw', pieces: [event({ choices: [{ index: 0, delta: { content: 'Do' }, finish_reason: '' }] })] },
    ],
    ['is over before its arguments', { kind: 'raw', pieces: [call({ function: { name: 'LS', arguments: '{"path":' } }), end] }],
    ['is over before it began', { kind: 'raw', pieces: [delta({ content: '' }), end] }],
  ])('is invalid if it %s', async (_name, answer) => {
    await serve(answer)
    await expect(client().call(request(), () => undefined)).rejects.toMatchObject({ isTransient: true })
  })

  it('may be empty if there was no room for text', async () => {
    await serve({
      kind: 'raw',
      pieces: [finish('length', { usage: { prompt_tokens: 4096, completion_tokens: 0, total_tokens: 4096 } })],
    })
    expect(await client().call(request(), () => undefined)).toMatchObject({ parts: [], finish: 'length' })
  })
})

describe('a call', () => {
  it('rejects with the reason when cancelled, and closes the connection', async () => {
    const { abandoned } = await serve({ kind: 'hang', text: 'I will' })
    const cancel = new AbortController()
    const told: string[] = []
    const asked = client().call(request({ signal: cancel.signal }), ({ text }) => {
      told.push(text)
      cancel.abort(new Error('the user said stop'))
    })
    await expect(asked).rejects.toThrow('the user said stop')
    await abandoned
    expect(told).toEqual(['I will'])
  })

  it('is not made when it is cancelled before', async () => {
    const { requests } = await serve({ kind: 'text', text: 'no' })
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(client().call(request({ signal }), () => undefined)).rejects.toThrow('too late')
    expect(requests).toEqual([])
  })

  it('can be answered without a network, for nothing, by the offline model', async () => {
    const offline = client({}, { name: 'offline', url: undefined, environment: {} })
    expect(offline).toMatchObject({ name: 'offline', model: 'offline', provider: 'plimsoll', usesText: false })
    expect(offline.facts).toMatchObject({ window: 200_000, hasPromptCache: false })
    expect(offline.price).toMatchObject({ input: 0, output: 0 })
    const messages: readonly Message[] = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'list src' }] }]
    const told: string[] = []
    const answer = await offline.call(request({ messages }), ({ text }) => told.push(text))
    expect(answer).toMatchObject({
      finish: 'tool-calls',
      parts: expect.arrayContaining([expect.objectContaining({ tool: 'LS' })]),
    })
    expect(told.length).toBeGreaterThan(0)
  })
})

describe('the facts about a model', () => {
  it('come from the configuration before the catalogue', () => {
    const known = client(
      { models: { 'claude-opus-5': { window: 300_000 } }, prices: { 'claude-opus-5': { input: 7, output: 30, cache_write: 8 } } },
      { name: 'anthropic/claude-opus-5', url: undefined, environment: { ANTHROPIC_API_KEY: 'key' } },
    )
    expect(known).toMatchObject({ name: 'anthropic/claude-opus-5', model: 'claude-opus-5', provider: 'anthropic' })
    expect(known.facts).toMatchObject({ window: 300_000, outputLimit: 128_000, source: 'provider' })
    expect(known.price).toMatchObject({ input: 7, cacheRead: 7, cacheWrite: 8, output: 30 })
  })

  it('come from the catalogue by default, and are unknown for a name in neither', () => {
    const environment = { OPENROUTER_API_KEY: 'key' }
    const relayed = client({}, { name: 'openrouter/anthropic/claude-opus-5', url: undefined, environment })
    expect(relayed).toMatchObject({ provider: 'openrouter', model: 'anthropic/claude-opus-5', price: { input: 5, output: 25 } })
    const unknown = client({}, { name: 'ollama/constructor', url: undefined, environment: {} })
    expect(unknown).toMatchObject({ price: null, usesText: false, facts: { window: null } })
  })

  it('are corrected by a rejection that names the limit', async () => {
    const message = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens."
    await serve({ kind: 'body', status: 400, body: JSON.stringify({ error: { message } }) })
    const asked = client({ models: { 'test-model': { window: 8192 } } })
    expect(asked.facts.window).toBe(8192)
    await expect(asked.call(request(), () => undefined)).rejects.toThrow('maximum context length')
    expect(asked.facts).toMatchObject({ window: 4096, source: 'reported' })
  })
})

describe('parallel calls', () => {
  it('are kept apart: the error of one is never reported for another', async () => {
    const bodies = ['the first is wrong', 'the second is wrong', 'the third is wrong']
    const refusal = (message: string): Answer => ({ kind: 'body', status: 400, body: JSON.stringify({ error: { message } }) })
    const held = Promise.withResolvers<void>()
    const broken = (message: string): Answer => ({
      kind: 'raw',
      pieces: [delta({ content: 'so far' }), () => held.promise, `data: ${JSON.stringify({ error: { message } })}\n\n`],
    })
    await serve(broken(bodies[0] ?? ''), refusal(bodies[1] ?? ''), refusal(bodies[2] ?? ''))
    const one = client()
    const said = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message)
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const first = said(one.call(request(), () => resolve()))
    await begun
    const others = [await said(one.call(request(), () => undefined)), await said(one.call(request(), () => undefined))]
    held.resolve()
    const answers = [await first, ...others]
    expect(answers.map((answer) => bodies.filter((body) => answer.includes(body)))).toEqual(bodies.map((body) => [body]))
  })
})
