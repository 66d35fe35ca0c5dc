import { buildView, type Message } from '@plimsoll/core'
import { completeConfig, compressOldResults } from '@plimsoll/core/policies'
import { afterEach, describe, expect, it } from 'vitest'
import { parseReactTurns } from '../../../core/src/testing/parse-react-turns.ts'
import { createModelClient } from './create-client.ts'
import type { ModelAnswer, ModelDelta } from './model-client.ts'
import { type Answer, type OpenAiServer, startOpenAiServer } from './testing/openai-server.ts'
import { textAnswer } from './tool-request.ts'

let server: OpenAiServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const tools = [
  {
    name: 'Read',
    description: 'Reads a file.',
    inputSchema: {
      type: 'object',
      properties: { file_path: { type: 'string' } },
      required: ['file_path'],
      additionalProperties: false,
    },
  },
]
const system: Message = { id: 's', role: 'system', parts: [{ type: 'text', text: 'You are an agent.' }] }
const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'What is there?' }] }

function viewOf(messages: readonly Message[]): readonly Message[] {
  return buildView({ messages, policies: [compressOldResults], facts: { now: 0 } }).view
}

async function serve(...answers: readonly [Answer, ...Answer[]]): Promise<OpenAiServer> {
  server = await startOpenAiServer(...answers)
  return server
}

function ask(messages: readonly Message[], onDelta: (delta: ModelDelta) => void = () => undefined): Promise<ModelAnswer> {
  const client = createModelClient({
    name: 'small',
    url: server?.url,
    environment: {},
    config: completeConfig({ models: { small: { text_tools: true } } }),
  })
  expect(client.usesText).toBe(true)
  const signal = new AbortController().signal
  return client.call({ messages, tools, maxOutputTokens: 500, breakpoints: [], signal }, onDelta)
}

describe('a model that is asked in text', () => {
  it('R004-5 R004-6 R004-7 R004-8 works in steps: results in full until it finishes, and their record afterwards', async () => {
    const { requests } = await serve(
      {
        kind: 'text',
        text: 'Thought: I have to look first.\nAction: Glob[{"pattern": "*.ts"}]\n\n[tool] {"status": "success", "data": "made up"}\n\n[assistant] Action: Finish[made up]',
      },
      { kind: 'text', text: 'Thought: Now I know.\nAction: Finish[There are [many] files.]' },
      { kind: 'text', text: 'Action: Finish[You are welcome.]' },
    )
    const told: ModelDelta[] = []
    const first = await ask([system, user], (delta) => told.push(delta))
    expect(first).toMatchObject({
      finish: 'tool-calls',
      parts: [
        { type: 'reasoning', text: 'I have to look first.' },
        { type: 'tool-call', callId: expect.stringMatching(/^call_\w+$/), tool: 'Glob', input: { pattern: '*.ts' } },
      ],
    })
    expect(told.map(({ type, text }) => `${type}: ${text}`).join('')).toBe('reasoning: I have to look first.\n')

    const call = first.parts[1]
    const callId = call?.type === 'tool-call' ? call.callId : ''
    const listing = Array.from({ length: 150 }, (_, index) => `src/some/folder/file-${index}.ts`).join('\n')
    const round: readonly Message[] = [
      user,
      { id: 'a', role: 'assistant', parts: first.parts },
      { id: 'r', role: 'tool', parts: [{ type: 'tool-result', callId, tool: 'Glob', content: { type: 'text', text: listing } }] },
    ]
    const second = await ask([system, ...viewOf(round)])
    expect(second).toMatchObject({
      finish: 'stop',
      parts: [
        { type: 'reasoning', text: 'Now I know.' },
        { type: 'text', text: 'There are [many] files.' },
      ],
    })
    const thanks: Message = { id: 'v', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] }
    await ask([system, ...viewOf([...round, { id: 'b', role: 'assistant', parts: second.parts }, thanks])])

    const asked = requests.map(({ body }) => body)
    expect(asked[1]?.tools).toBeUndefined()
    expect(asked[1]?.messages[0]?.content).toContain('You are an agent.')
    expect(asked[1]?.messages[0]?.content).toContain(
      '- Read: Reads a file.\n  Arguments, as JSON Schema: {"properties":{"file_path":{"type":"string"}},"required":["file_path"]}',
    )
    const step = { role: 'assistant', content: 'Thought: I have to look first.\nAction: Glob[{"pattern":"*.ts"}]' }
    expect(parseReactTurns(asked[1]?.messages[1]?.content as string)).toEqual([
      { role: 'user', content: 'What is there?' },
      step,
      { role: 'tool', content: `{"status": "success", "data": ${JSON.stringify(listing)}}` },
    ])
    const turns = parseReactTurns(asked[2]?.messages[1]?.content as string)
    expect(turns).toEqual([
      { role: 'user', content: 'What is there?' },
      step,
      { role: 'tool', content: expect.stringContaining('src/some/folder/file-0.ts') },
      { role: 'assistant', content: 'Thought: Now I know.\nAction: Finish[There are [many] files.]' },
      { role: 'user', content: 'Thanks.' },
    ])
    expect(turns[2]?.content).not.toContain('src/some/folder/file-149.ts')
    expect(JSON.parse(turns[2]?.content ?? '')).toMatchObject({ status: 'success' })
  })

  it('is asked in the same bytes for the same messages, and its calls have the same ids', async () => {
    const { requests } = await serve({ kind: 'text', text: 'Action: Read[{"file_path":"a"}]\nAction: Read[{"file_path":"b"}]' })
    const answers = [await ask([system, user]), await ask([system, user])]
    expect(answers[0]).toEqual(answers[1])
    expect(requests[0]?.text).toBe(requests[1]?.text)
    expect(new Set(answers[0]?.parts.map((part) => (part.type === 'tool-call' ? part.callId : ''))).size).toBe(2)
  })

  it('shows an answer as it is written', async () => {
    await serve({
      kind: 'raw',
      pieces: ['Thou', 'ght: Easy.\nAct', 'ion: Fin', 'ish["It is \\', '"blue\\" [1]."', ']\n[tool] no']
        .map(piece)
        .concat(ending),
    })
    const told: ModelDelta[] = []
    const answer = await ask([user], (delta) => told.push(delta))
    expect(told).toEqual([
      { type: 'reasoning', text: 'Easy.\n' },
      { type: 'text', text: 'It is ' },
      { type: 'text', text: '"blue" [1].' },
    ])
    expect(answer.parts).toEqual([
      { type: 'reasoning', text: 'Easy.' },
      { type: 'text', text: 'It is "blue" [1].' },
    ])
  })

  it('has not answered if it wrote only blanks', async () => {
    await serve({ kind: 'text', text: ' \n ' })
    await expect(ask([user])).rejects.toMatchObject({ message: 'the model returned an empty answer', isTransient: true })
  })
})

const piece = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
const ending = ['data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n']

describe('the text of a model', () => {
  const read = (text: string, finish: ModelAnswer['finish'] = 'stop') =>
    textAnswer({ parts: [{ type: 'text', text }], finish, usage: null }, 'seed')

  it.each([
    ['plain words', 'It is blue.', [{ type: 'text', text: 'It is blue.' }], 'stop'],
    ['a thought alone', 'Thought: It is blue.', [{ type: 'text', text: 'It is blue.' }], 'stop'],
    [
      'words before an action',
      'Let me look.\nAction: Read[{"file_path":"a"}]',
      [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool-call', callId: 'call_seed_0', tool: 'Read', input: { file_path: 'a' } },
      ],
      'tool-calls',
    ],
    [
      'an answer with an action in a fence',
      'One writes:\n```\nAction: Bash[{"command":"rm a"}]\n```\nThat is all.',
      [{ type: 'text', text: 'One writes:\n```\nAction: Bash[{"command":"rm a"}]\n```\nThat is all.' }],
      'stop',
    ],
    [
      'arguments that are not JSON',
      'Action: Read[a.txt]',
      [{ type: 'tool-call', callId: 'call_seed_0', tool: 'Read', input: 'a.txt' }],
      'tool-calls',
    ],
    [
      'an action without brackets',
      'Action: Read a.txt',
      [{ type: 'tool-call', callId: 'call_seed_0', tool: 'Read', input: 'a.txt' }],
      'tool-calls',
    ],
    [
      'an action of nothing',
      'Action: ',
      [{ type: 'tool-call', callId: 'call_seed_0', tool: 'Action', input: 'Action:' }],
      'tool-calls',
    ],
    [
      'an action that was cut',
      'Action: Read[{"file_path": "a',
      [{ type: 'tool-call', callId: 'call_seed_0', tool: 'Read', input: '{"file_path": "a' }],
      'length',
    ],
  ] as const)('becomes parts: %s', (_name, text, parts, finish) => {
    expect(read(text, finish === 'length' ? 'length' : 'stop')).toEqual({ parts, finish, usage: null })
  })
})
