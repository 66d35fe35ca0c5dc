import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../edit.ts'
import { callInput, type Message, resultText, type ToolCallPart, type ToolResultPart, withShownText } from '../../message.ts'
import { deepFreeze } from '../../testing/messages.ts'
import { type Story, stories } from '../../testing/stories.ts'
import { testCodec } from '../../testing/test-codec.ts'
import { patchValue } from '../../text/patch.ts'
import { openaiChat } from './openai-chat.ts'

const call = (id: string, name: string, args: string) => ({ id, type: 'function', function: { name, arguments: args } })

const session = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    reasoning_content: 'hm',
    tool_calls: [call('a', 'read_file', '{"path":"x"}'), call('b', 'bash', '{not json')],
  },
  {
    role: 'tool',
    tool_call_id: 'a',
    name: 'read_file',
    content: 'text of x',
    timestamp: 1_700_000_000_000,
    messageStatus: 'success',
  },
  { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'one', cache_control: { type: 'ephemeral' } }] },
  { role: 'assistant', content: 'done' },
]

const legacy = [
  { role: 'user', content: 'weather?' },
  { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{"city":"Oslo"}' } },
  { role: 'function', name: 'weather', content: 'rain' },
]

const odd = {
  model: 'any',
  messages: [
    { role: 'developer', content: 'rules' },
    { role: 'user', content: 7 },
    { role: 'user', content: { odd: true } },
    { role: 'user' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ type: 'function', function: { name: 'no-id' } }, 'text', call('c', 'grep', '')],
    },
    {
      role: 'tool',
      tool_call_id: 'c',
      content: [{ type: 'text', text: 'a' }, { type: 'strange' }, 5, { type: 'text', text: 'b' }],
      toolResults: [{ x: 1 }],
    },
    { role: 'tool', content: null },
    { role: 'tool', tool_call_id: 'd', content: true },
    { role: 'tool', tool_call_ids: ['e'], content: { stdout: 'x' } },
  ],
}

testCodec(openaiChat, {
  fixtures: { session, legacy, odd, empty: [], 'a request': { model: 'm', messages: session, tools: [] } },
  conversations: stories().map(writeStory),
  refused: [
    [7, 'conversation: expected a list of messages or an object with "messages", got 7'],
    [null, 'conversation: expected a list of messages or an object with "messages", got null'],
    [{ messages: 'none' }, 'messages: expected a list of messages, got "none"'],
    [{}, 'messages: expected a list of messages, got nothing'],
    [[{ role: 'user', content: '' }, 'hello'], 'messages[1]: expected a message object, got "hello"'],
    [[{ content: 'x' }], 'messages[0].role: expected one of system, developer, user, assistant, tool, function, got nothing'],
    [
      { messages: [{ role: 'critic' }] },
      'messages[0].role: expected one of system, developer, user, assistant, tool, function, got "critic"',
    ],
  ],
})

describe('reading', () => {
  const { messages } = openaiChat.read(session)

  it('gives every message its index as id', () => {
    expect(messages.map(({ id, role }) => `${id} ${role}`)).toEqual([
      '0 system',
      '1 user',
      '2 assistant',
      '3 tool',
      '4 tool',
      '5 assistant',
    ])
  })

  it('R000-6 takes the timestamp of a tool result, in milliseconds', () => {
    expect(messages[3]?.at).toBe(1_700_000_000_000)
  })

  it.each([
    ['2026-01-02T03:04:05.678Z', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
    ['2026-01-02T03:04:05', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05+01:00', Date.UTC(2026, 0, 2, 2, 4, 5)],
    ['yesterday', undefined],
    [Number.NaN, undefined],
  ])('reads the time %s', (timestamp, at) => {
    expect(openaiChat.read([{ role: 'tool', content: '', timestamp }]).messages[0]?.at).toBe(at)
  })

  it('R001-16 finds the call of a result by tool_call_id, its name and its parsed arguments', () => {
    const result = messages[3]?.parts[0] as ToolResultPart
    const made = messages[2]?.parts.find((part) => part.type === 'tool-call' && part.callId === result.callId) as ToolCallPart
    expect([made.tool, callInput(made)]).toEqual(['read_file', { path: 'x' }])
  })

  it('keeps arguments that do not parse unchanged', () => {
    const made = messages[2]?.parts[2] as ToolCallPart
    expect([made.input, callInput(made)]).toEqual(['{not json', null])
  })

  it('reads older calls and results whose name is an object that cannot become a text', () => {
    const name = { toString: 1, valueOf: null }
    const { messages: read } = openaiChat.read([
      { role: 'assistant', content: null, function_call: { name, arguments: '{}' } },
      { role: 'function', name, content: 'done' },
    ])
    expect(read.map(({ role }) => role)).toEqual(['assistant', 'tool'])
  })

  it('carries unknown values unchanged', () => {
    const parts = openaiChat.read(odd).messages.map((message) => message.parts)
    expect(parts.slice(1, 4)).toEqual([
      [{ type: 'media', mediaType: 'vendor/number', data: 7 }],
      [{ type: 'media', mediaType: 'vendor/object', data: { odd: true } }],
      [],
    ])
    expect(parts[4]?.map((part) => (part.type === 'media' ? part.mediaType : part.type))).toEqual([
      'text',
      'vendor/function',
      'vendor/string',
      'tool-call',
    ])
    expect(parts[5]?.[0]).toHaveProperty('content', {
      type: 'list',
      items: [
        { type: 'text', text: 'a' },
        { type: 'media', mediaType: 'vendor/strange', data: { type: 'strange' } },
        { type: 'media', mediaType: 'vendor/number', data: 5 },
        { type: 'text', text: 'b' },
      ],
    })
    expect(parts[5]?.[1]).toEqual({ type: 'media', mediaType: 'application/json', data: [{ x: 1 }] })
    expect(parts.slice(6).map(([part]) => [(part as ToolResultPart).callId, resultText(part as ToolResultPart)])).toEqual([
      [null, ''],
      ['d', ''],
      ['e', '{"stdout":"x"}'],
    ])
  })

  it('reads the type of an image', () => {
    expect(messages[1]?.parts[1]).toMatchObject({ type: 'media', mediaType: 'image/png' })
  })

  it('numbers content first, then calls, then reasoning', () => {
    const { locate } = openaiChat.read([
      { role: 'assistant', content: 'x', reasoning_content: 'r', tool_calls: [call('a', 'b', '')] },
    ])
    expect([0, 1, 2].map((part) => locate('0', part).part)).toEqual([2, 0, 1])
  })

  it('reads only the new messages when one was appended', () => {
    const before = openaiChat.read(session).messages
    const after = openaiChat.read([...session, { role: 'user', content: 'more' }]).messages
    expect(after.length).toBe(before.length + 1)
    before.forEach((message, index) => expect(after[index]).toBe(message))
  })

  it('keeps the parts of a message that moved', () => {
    const value = deepFreeze(session.slice(2))
    expect(openaiChat.read(value).messages[1]).toEqual({ ...messages[3], id: '1' })
    expect(openaiChat.read(value).messages[1]?.parts[0]).toBe(messages[3]?.parts[0])
  })

  it('reads a message again whose content was exchanged', () => {
    const message = { role: 'user', content: 'first' }
    openaiChat.read([message])
    message.content = 'second'
    expect(openaiChat.read([message]).messages[0]?.parts).toEqual([{ type: 'text', text: 'second' }])
  })
})

describe('the older function messages', () => {
  it('R003-17 reads role function with name and content as the result of the call of that name', () => {
    const [, made, answer] = openaiChat.read(legacy).messages
    expect(made?.parts).toEqual([{ type: 'tool-call', callId: 'function:1', tool: 'weather', input: '{"city":"Oslo"}' }])
    expect(answer?.parts).toEqual([
      { type: 'tool-result', callId: 'function:1', tool: 'weather', content: { type: 'text', text: 'rain' } },
    ])
  })

  it('R003-17 writes a changed function message with its role and name', () => {
    expect(write(legacy, (messages) => messages.map((message) => replaced(message, 'cut')))).toEqual([
      ...legacy.slice(0, 2),
      { role: 'function', name: 'weather', content: 'cut' },
    ])
  })

  it('R003-17 answers an open call with a function message, and never writes an id', () => {
    const answer: Message = {
      id: 'n',
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'function:1', tool: null, content: { type: 'text', text: 'none' } }],
    }
    expect(write(legacy.slice(0, 2), (messages) => [...messages, answer])).toEqual([
      ...legacy.slice(0, 2),
      { role: 'function', name: 'weather', content: 'none' },
    ])
  })

  it('links a result to the nearest open call of its name, and ignores one without a call', () => {
    const made = (name: string) => ({ role: 'assistant', content: null, function_call: { name, arguments: '' } })
    const answer = (name: string) => ({ role: 'function', name, content: '' })
    const { messages } = openaiChat.read([
      answer('a'),
      made('a'),
      made('b'),
      made('a'),
      answer('a'),
      answer('b'),
      answer('a'),
      answer('a'),
    ])
    expect(messages.flatMap(({ role, parts }) => (role === 'tool' ? [(parts[0] as ToolResultPart).callId] : []))).toEqual([
      null,
      'function:3',
      'function:2',
      'function:1',
      null,
    ])
  })
})

describe('writing', () => {
  it('R000-12 R001-10 changes only the content: role, timestamp and tool_call_id stay', () => {
    const value = write(session, (messages) =>
      messages.map((message) => (message.id === '3' ? replaced(message, '此命令返回内容已过时') : message)),
    )
    expect(value).toEqual(session.map((raw, index) => (index === 3 ? { ...raw, content: '此命令返回内容已过时' } : raw)))
    expect((value as unknown[])[2]).toBe(session[2])
  })

  it('R001-10 leaves the original record unchanged', () => {
    const before = JSON.stringify(session)
    write(session, (messages) => messages.map((message) => (message.role === 'tool' ? replaced(message, 'x') : message)))
    expect(JSON.stringify(session)).toBe(before)
  })

  it('changes the one text of a list in place', () => {
    const reading = openaiChat.read(session)
    const view = reading.messages.map((message) => (message.id === '4' ? replaced(message, 'two') : message))
    expect(reading.patches(view)).toEqual([{ op: 'set', path: [4, 'content', 0, 'text'], value: 'two' }])
  })

  it('writes a list of several blocks that became one text as text', () => {
    const reading = openaiChat.read(odd)
    const [result, ...others] = reading.messages.find(({ id }) => id === '5')?.parts ?? []
    const part = { ...(result as ToolResultPart), content: { type: 'text', text: 'short' } } as const
    const view = reading.messages.map((message) => (message.id === '5' ? { ...message, parts: [part, ...others] } : message))
    expect(reading.patches(view)).toEqual([{ op: 'set', path: ['messages', 5, 'content'], value: 'short' }])
  })

  it('changes the structured copy of a result in place', () => {
    const reading = openaiChat.read(odd)
    const part = { type: 'media' as const, mediaType: 'application/json', data: [{ x: 2 }] }
    const view = applyEdits(reading.messages, [
      { id: 'e', policy: 'p', why: 'w', kind: 'replace', message: '5', part: 1, with: part },
    ])
    expect(reading.patches(view)).toEqual([{ op: 'set', path: ['messages', 5, 'toolResults', 0, 'x'], value: 2 }])
  })

  it('writes changed arguments as text', () => {
    const reading = openaiChat.read(session)
    const part: ToolCallPart = { type: 'tool-call', callId: 'a', tool: 'read_file', input: { path: 'y' } }
    const view = applyEdits(reading.messages, [
      { id: 'e', policy: 'p', why: 'w', kind: 'replace', message: '2', part: 1, with: part },
    ])
    expect(reading.patches(view)).toEqual([
      { op: 'set', path: [2, 'tool_calls', 0, 'function', 'arguments'], value: '{"path":"y"}' },
    ])
  })

  it('writes a summary as a system message instead of the messages it replaces', () => {
    const into: Message = { id: 's', role: 'system', summary: true, parts: [{ type: 'text', text: 'so far' }] }
    const value = write(session, (messages) =>
      applyEdits(messages, [{ id: 'e', policy: 'p', why: 'w', kind: 'fold', first: '1', last: '4', into }]),
    )
    expect(value).toEqual([session[0], { role: 'system', content: 'so far' }, session[5]])
  })

  it('rejects a view in another order', () => {
    const { messages, patches } = openaiChat.read(session)
    expect(() => patches([...messages].reverse())).toThrow('message "4" does not stand in the view where the conversation has it')
  })
})

function replaced(message: Message, text: string): Message {
  return { ...message, parts: message.parts.map((part) => (part.type === 'tool-result' ? withShownText(part, text) : part)) }
}

function write(value: unknown, change: (messages: readonly Message[]) => readonly Message[]): unknown {
  const reading = openaiChat.read(deepFreeze(value))
  return patchValue(value, reading.patches(change(reading.messages)))
}

function writeStory(story: Story): unknown {
  return story.flatMap((step): readonly unknown[] => {
    if (step.kind === 'user') return [{ role: 'user', content: step.asBlocks ? [{ type: 'text', text: step.text }] : step.text }]
    const calls = step.calls.map(({ id, tool, input }) => call(id, tool, JSON.stringify(input)))
    const answers = step.calls.flatMap(({ id, answer, form }) => {
      if (answer === null) return []
      return [
        {
          role: 'tool',
          tool_call_id: id,
          content:
            form === 'text'
              ? answer
              : form === 'list'
                ? [
                    { type: 'text', text: answer },
                    { type: 'text', text: 'b' },
                  ]
                : { answer },
        },
      ]
    })
    const thought = step.thought === null ? {} : { reasoning_content: step.thought }
    return [{ role: 'assistant', content: step.text, ...thought, ...(calls.length > 0 ? { tool_calls: calls } : {}) }, ...answers]
  })
}
