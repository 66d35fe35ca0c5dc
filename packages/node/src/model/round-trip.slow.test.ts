import type { Message, Part } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createModelClient } from './create-client.ts'
import type { ModelAnswer } from './model-client.ts'
import { type ClosedNetwork, closeNetwork } from './testing/closed-network.ts'
import { providerEnvironment } from './testing/provider-environment.ts'
import { type ProviderAnswer, type ProviderServer, startProviderServer } from './testing/provider-server.ts'

const key = 'key'
let server: ProviderServer | undefined
let network: ClosedNetwork
beforeEach(() => {
  network = closeNetwork()
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await server?.close()
  server = undefined
  expect(network.refused).toEqual([])
})

async function serve(...answers: readonly [ProviderAnswer, ...ProviderAnswer[]]): Promise<ProviderServer> {
  server = await startProviderServer(...answers)
  network.lead('https://api.openai.com', server.origin)
  return server
}

const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }] }
const tool = { name: 'LS', description: 'Lists a folder.', inputSchema: { type: 'object', properties: {} } }
const names = {
  anthropic: 'anthropic/claude-opus-5',
  openai: 'openai/gpt-5.5',
  google: 'google/gemini-3.1-pro-preview',
  deepseek: 'deepseek/deepseek-v4-pro',
  openrouter: 'openrouter/anthropic/claude-opus-5',
} as const

function ask(
  provider: keyof typeof names,
  messages: readonly Message[],
  breakpoints: readonly string[] = [],
): Promise<ModelAnswer> {
  const origin = server?.origin ?? ''
  const client = createModelClient({
    name: names[provider],
    environment: providerEnvironment(origin, key),
    config: completeConfig({}),
  })
  const signal = new AbortController().signal
  return client.call({ messages, tools: [tool], maxOutputTokens: 9000, breakpoints, signal }, () => undefined)
}

/** The conversation after the tools of an answer have run. */
function after({ parts }: ModelAnswer): readonly Message[] {
  const results = parts.flatMap((part): readonly Message[] =>
    part.type === 'tool-call'
      ? [
          {
            id: `r-${part.callId}`,
            role: 'tool',
            parts: [{ type: 'tool-result', callId: part.callId, tool: part.tool, content: { type: 'text', text: 'one file' } }],
          },
        ]
      : [],
  )
  return [user, { id: 'a', role: 'assistant', parts }, ...results]
}

const message = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 't',
  content: [],
  stop_reason: null,
  usage: { input_tokens: 1, output_tokens: 1 },
}
const answers: Readonly<Record<'anthropic' | 'openai' | 'google' | 'deepseek', ProviderAnswer>> = {
  anthropic: {
    kind: 'events',
    events: [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I should look.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmF0dXJl' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'toolu_1', name: 'LS', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"path":"src"}' } },
      { type: 'content_block_stop', index: 2 },
      { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'toolu_1', name: 'LS', input: {} } },
      { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"path":"test"}' } },
      { type: 'content_block_stop', index: 3 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ],
  },
  openai: {
    kind: 'events',
    events: [
      { type: 'response.created', response: { id: 'resp_0', created_at: 0, model: 'gpt-5.5', status: 'in_progress' } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: '' },
      },
      {
        type: 'response.reasoning_summary_part.added',
        item_id: 'rs_1',
        summary_index: 0,
        output_index: 0,
        part: { type: 'summary_text', text: '' },
      },
      {
        type: 'response.reasoning_summary_text.delta',
        item_id: 'rs_1',
        summary_index: 0,
        output_index: 0,
        delta: 'I should look.',
      },
      {
        type: 'response.reasoning_summary_part.done',
        item_id: 'rs_1',
        summary_index: 0,
        output_index: 0,
        part: { type: 'summary_text', text: 'I should look.' },
      },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'I should look.' }],
          encrypted_content: 'ZW5jcnlwdGVk',
        },
      },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'LS', arguments: '' },
      },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '{"path":"src"}' },
      { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 1, arguments: '{"path":"src"}' },
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'LS',
          arguments: '{"path":"src"}',
          status: 'completed',
        },
      },
      {
        type: 'response.completed',
        response: {
          id: 'resp_0',
          created_at: 0,
          model: 'gpt-5.5',
          status: 'completed',
          usage: { input_tokens: 10, output_tokens: 4 },
        },
      },
    ],
  },
  google: {
    kind: 'events',
    events: [
      { candidates: [{ content: { role: 'model', parts: [{ text: 'I should look.', thought: true }] }, index: 0 }] },
      {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [{ functionCall: { name: 'LS', args: { path: 'src' } }, thoughtSignature: 'dGhvdWdodA==' }],
            },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, totalTokenCount: 14 },
      },
    ],
  },
  deepseek: {
    kind: 'events',
    events: [
      {
        id: 'c',
        object: 'chat.completion.chunk',
        created: 0,
        model: 'm',
        choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'I should look.' }, finish_reason: null }],
      },
      {
        id: 'c',
        object: 'chat.completion.chunk',
        created: 0,
        model: 'm',
        choices: [
          {
            index: 0,
            delta: {
              tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'LS', arguments: '{"path":"src"}' } }],
            },
            finish_reason: null,
          },
        ],
      },
      {
        id: 'c',
        object: 'chat.completion.chunk',
        created: 0,
        model: 'm',
        choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }],
      },
    ],
  },
}
const done: ProviderAnswer = { kind: 'text', text: 'Done.' }

async function twice(
  provider: keyof typeof answers,
): Promise<{ readonly answer: ModelAnswer; readonly second: Readonly<Record<string, unknown>> }> {
  const { requests } = await serve(answers[provider], done)
  const answer = await ask(provider, [user])
  expect(await ask(provider, after(answer))).toMatchObject({ parts: [{ type: 'text', text: 'Done.' }], finish: 'stop' })
  return { answer, second: requests[1]?.body ?? {} }
}

describe('reasoning and signatures that a provider needs back', () => {
  it('goes to Anthropic: signed and redacted reasoning, and calls with their own ids', async () => {
    const { answer, second } = await twice('anthropic')
    expect(answer.parts).toEqual([
      { type: 'reasoning', text: 'I should look.', providerOptions: { anthropic: { signature: 'c2lnbmF0dXJl' } } },
      { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'cmVkYWN0ZWQ=' } } },
      { type: 'tool-call', callId: 'toolu_1', tool: 'LS', input: { path: 'src' } },
      { type: 'tool-call', callId: 'toolu_1_2', tool: 'LS', input: { path: 'test' } },
    ])
    expect(second['max_tokens']).toBe(9000)
    expect((second['messages'] as readonly { content: unknown }[]).slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I should look.', signature: 'c2lnbmF0dXJl' },
          { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' },
          { type: 'tool_use', id: 'toolu_1', name: 'LS', input: { path: 'src' } },
          { type: 'tool_use', id: 'toolu_1_2', name: 'LS', input: { path: 'test' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1' },
          { type: 'tool_result', tool_use_id: 'toolu_1_2' },
        ],
      },
    ])
  })

  it('goes to OpenAI: encrypted reasoning before its calls, and nothing is stored there', async () => {
    const { answer, second } = await twice('openai')
    expect(answer.parts.map(({ type }) => type)).toEqual(['reasoning', 'tool-call'])
    expect(second).toMatchObject({ store: false, include: ['reasoning.encrypted_content'], max_output_tokens: 9000 })
    expect((second['input'] as readonly unknown[]).slice(1)).toMatchObject([
      { type: 'reasoning', encrypted_content: 'ZW5jcnlwdGVk', summary: [{ type: 'summary_text', text: 'I should look.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'LS', arguments: '{"path":"src"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'one file' },
    ])
  })

  it('goes to Gemini: the signature of a call', async () => {
    const { second } = await twice('google')
    expect((second['contents'] as readonly unknown[]).slice(1)).toMatchObject([
      {
        role: 'model',
        parts: [
          { text: 'I should look.', thought: true },
          { functionCall: { name: 'LS', args: { path: 'src' } }, thoughtSignature: 'dGhvdWdodA==' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'LS' } }] },
    ])
  })

  it('goes to Gemini: a call after interrupted text, as one answer', async () => {
    const { requests } = await serve(done)
    await ask('google', [
      user,
      { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'I will' }] },
      { id: 'b', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'LS', input: {} }] },
      {
        id: 't',
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'c', tool: 'LS', content: { type: 'text', text: 'one file' } }],
      },
    ])
    expect((requests[0]?.body['contents'] as readonly unknown[]).slice(1)).toMatchObject([
      { role: 'model', parts: [{ text: 'I will' }, { functionCall: { name: 'LS' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'LS' } }] },
    ])
  })

  it('goes to DeepSeek: the reasoning before a call', async () => {
    const { second } = await twice('deepseek')
    expect((second['messages'] as readonly unknown[]).slice(1)).toMatchObject([
      { role: 'assistant', reasoning_content: 'I should look.', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'one file' },
    ])
  })

  const providers = Object.keys(answers) as readonly (keyof typeof answers)[]
  const switches = providers.flatMap((from) => providers.filter((to) => to !== from).map((to) => [from, to] as const))

  it.each(switches)('is not sent when the model changes from %s to %s', async (from, to) => {
    const { requests } = await serve(answers[from], done)
    const answer = await ask(from, [user])
    await ask(to, after(answer))
    const sent = JSON.stringify(requests[1]?.body)
    for (const secret of ['I should look.', 'c2lnbmF0dXJl', 'cmVkYWN0ZWQ=', 'ZW5jcnlwdGVk', 'dGhvdWdodA==', 'rs_1', 'fc_1'])
      expect(sent).not.toContain(secret)
    expect(sent).toContain('one file')
  })
})

describe('content to cache', () => {
  const system: Message = { id: 's', role: 'system', parts: [{ type: 'text', text: 'You are an agent.' }] }
  const said: Message = { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'Yes.' }] }
  const again: Message = { id: 'v', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }
  const recap: Message = { id: 'layer:recap', role: 'system', parts: [{ type: 'text', text: 'Left to do: all.' }] }
  const mark = { type: 'ephemeral' }

  it('is marked for Anthropic: tools, system prompt and the messages that are named', async () => {
    const { requests } = await serve(done)
    await ask('anthropic', [system, user, said, again, recap], ['u', 'v'])
    const { system: prompt, tools, messages } = requests[0]?.body ?? {}
    expect(prompt).toEqual([{ type: 'text', text: 'You are an agent.', cache_control: mark }])
    expect(tools).toMatchObject([{ name: 'LS', cache_control: mark }])
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Look.', cache_control: mark }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Go on.', cache_control: mark },
          { type: 'text', text: expect.stringContaining('Left to do: all.') },
        ],
      },
    ])
  })

  it('is marked in four places at most', async () => {
    const { requests } = await serve(done)
    const many = Array.from({ length: 8 }, (_, index): Message => ({ ...(index % 2 === 0 ? user : said), id: `m${index}` }))
    await ask(
      'anthropic',
      [system, ...many],
      many.map(({ id }) => id),
    )
    const marks = JSON.stringify(requests[0]?.body).match(/cache_control/g)
    expect(marks).toHaveLength(4)
    expect(
      (requests[0]?.body['messages'] as readonly unknown[])
        .slice(-3)
        .map((sent) => JSON.stringify(sent).includes('cache_control')),
    ).toEqual([true, true, true])
  })

  it('is marked at OpenRouter for the models that want it', async () => {
    const { requests } = await serve(done)
    await ask('openrouter', [system, user, said, again], ['u', 'v'])
    expect(requests[0]?.body['messages']).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'You are an agent.', cache_control: mark }] },
      { role: 'user', content: [{ type: 'text', text: 'Look.', cache_control: mark }] },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: [{ type: 'text', text: 'Go on.', cache_control: mark }] },
    ])
  })

  it.each(['openai', 'google', 'deepseek'] as const)('is not marked at %s', async (provider) => {
    const { requests } = await serve(done)
    await ask(provider, [system, user, said, again], ['u', 'v'])
    expect(JSON.stringify(requests[0]?.body)).not.toMatch(/cache_?control/i)
  })
})

describe('an image from a tool', () => {
  const picture: Part = {
    type: 'media',
    mediaType: 'image/png',
    data: { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
  }
  const shown: readonly Message[] = [
    user,
    { id: 'a', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'LS', input: {} }] },
    {
      id: 'r',
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'c',
          tool: 'LS',
          content: { type: 'list', items: [{ type: 'text', text: 'here' }, picture] },
        },
      ],
    },
  ]

  it.each([
    ['anthropic', /"type":"image","source":\{"type":"base64","media_type":"image\/png","data":"iVBORw0KGgo="/],
    ['openai', /"type":"input_image","image_url":"data:image\/png;base64,iVBORw0KGgo="/],
    ['google', /"inlineData":\{"mimeType":"image\/png","data":"iVBORw0KGgo="/],
    [
      'openrouter',
      /"role":"user","content":\[\{"type":"text","text":"Tool results:"\},\{"type":"image_url","image_url":\{"url":"data:image\/png;base64,iVBORw0KGgo="/,
    ],
    ['deepseek', /"type":"image_url","image_url":\{"url":"data:image\/png;base64,iVBORw0KGgo="/],
  ] as const)('is sent to %s once, as an image', async (provider, wanted) => {
    const { requests } = await serve(done)
    await ask(provider, shown)
    const sent = JSON.stringify(requests[0]?.body)
    expect(sent).toMatch(wanted)
    expect(sent.match(/iVBORw0KGgo=/g)).toHaveLength(1)
    expect(sent).toContain('here')
  })
})
