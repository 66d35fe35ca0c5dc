import { describe, expect, it } from 'vitest'
import { applyEdits, type Edit } from '../../edit.ts'
import { type Message, type TextPart, withShownText } from '../../message.ts'
import { deepFreeze } from '../../testing/messages.ts'
import { type Story, stories } from '../../testing/stories.ts'
import { testCodec } from '../../testing/test-codec.ts'
import { patchText, patchValue } from '../../text/patch.ts'
import { anthropic } from './anthropic.ts'

const image = { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } }

const session = {
  model: 'any',
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  messages: [
    { role: 'user', content: 'fix it' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'first read', signature: 'sig' },
        { type: 'text', text: 'Reading.' },
        { type: 'tool_use', id: 'a', name: 'Read', input: { file_path: 'x' } },
        { type: 'tool_use', id: 'b', name: 'Bash', input: { command: 'ls' } },
      ],
    },
    {
      role: 'user',
      ts: 1_700_000_000_000,
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'text of x' },
        { type: 'tool_result', tool_use_id: 'b', is_error: true, content: [{ type: 'text', text: 'no' }, image] },
        { type: 'text', text: 'and hurry' },
        image,
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'Bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c' }] },
    { role: 'assistant', content: 'done' },
  ],
}

const blocks = session.messages[2]?.content as readonly unknown[]

const vendor = [
  { role: 'user', content: [{ type: 'text', text: 'search' }, { type: 'container_upload', file_id: 'f' }, 'bare'] },
  {
    role: 'assistant',
    content: [
      { type: 'redacted_thinking', data: 'x' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'tool_use', name: 'no id', input: {} },
    ],
  },
  { role: 'user', content: 5 },
  { role: 'user', content: null },
  { role: 'user', content: [] },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'zz', content: 9 },
      { type: 'tool_result', content: { odd: 1 } },
    ],
  },
]

testCodec(anthropic, {
  fixtures: {
    session,
    vendor,
    'only messages': session.messages,
    'a system text': { ...session, system: 'Be brief.' },
    empty: { messages: [] },
  },
  conversations: stories().map(writeStory),
  refused: [
    ['text', 'conversation: expected a list of messages or an object with "messages", got "text"'],
    [[null], 'messages[0]: expected a message object, got null'],
    [[{ role: 'tool', content: '' }], 'messages[0].role: expected one of user, assistant, system, got "tool"'],
    [[{ role: { a: 1 } }], 'messages[0].role: expected one of user, assistant, system, got an object'],
  ],
})

describe('reading', () => {
  const { messages, locate } = anthropic.read(session)

  it('makes every result a separate message, named after its block', () => {
    expect(messages.map(({ id, role }) => `${id} ${role}`).join(', ')).toBe(
      'system system, 0 user, 1 assistant, 2.0 tool, 2.1 tool, 2.2 user, 3 assistant, 4 tool, 5 assistant',
    )
  })

  it('locates a part in the input', () => {
    expect([locate('2.2', 1), locate('1', 3), locate('system', 0), locate('new', 0)]).toEqual([
      { message: '2', part: 3 },
      { message: '1', part: 3 },
      { message: 'system', part: 0 },
      { message: 'new', part: 0 },
    ])
  })

  it('reads thinking, calls, flags, images and missing content', () => {
    expect(messages[2]?.parts).toEqual([
      { type: 'reasoning', text: 'first read' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool-call', callId: 'a', tool: 'Read', input: { file_path: 'x' } },
      { type: 'tool-call', callId: 'b', tool: 'Bash', input: { command: 'ls' } },
    ])
    const items = [
      { type: 'text', text: 'no' },
      { type: 'media', mediaType: 'image/jpeg', data: image },
    ]
    expect(messages[4]).toEqual({
      id: '2.1',
      role: 'tool',
      at: 1_700_000_000_000,
      parts: [{ type: 'tool-result', callId: 'b', tool: null, content: { type: 'list', items }, isError: true }],
    })
    expect(messages[7]?.parts[0]).toHaveProperty('content', { type: 'text', text: '' })
  })

  it('ignores results of the assistant and calls of the user', () => {
    const { messages: swapped } = anthropic.read([
      { role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'a', content: '' }] },
      { role: 'user', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] },
    ])
    expect(swapped.map(({ role, parts }) => [role, ...parts.map((part) => part.type)])).toEqual([
      ['assistant', 'media'],
      ['user', 'media'],
    ])
  })

  it("carries the provider's own blocks and never treats them as calls", () => {
    const parts = anthropic.read(vendor).messages.flatMap((message) => message.parts)
    expect(parts.flatMap((part) => (part.type === 'media' ? [part.mediaType] : [])).join(' ')).toBe(
      'vendor/container_upload vendor/string vendor/redacted_thinking vendor/server_tool_use vendor/web_search_tool_result vendor/tool_use vendor/number',
    )
    expect(parts.some((part) => part.type === 'tool-call')).toBe(false)
  })
})

describe('writing', () => {
  it('changes one item of a list and no other', () => {
    const reading = anthropic.read(session)
    const view = reading.messages.map((message): Message => {
      const [part] = message.parts
      if (message.id !== '2.1' || part?.type !== 'tool-result' || part.content.type !== 'list') return message
      const items = part.content.items.map((item) => (item.type === 'text' ? { ...item, text: 'never' } : item))
      return { ...message, parts: [{ ...part, content: { type: 'list', items } }] }
    })
    expect(reading.patches(view)).toEqual([
      { op: 'set', path: ['messages', 2, 'content', 1, 'content', 0, 'text'], value: 'never' },
    ])
  })

  it('keeps the same image when the text before it is removed', () => {
    const reading = anthropic.read(session)
    const view = reading.messages.map((message): Message => {
      const [part] = message.parts
      if (message.id !== '2.1' || part?.type !== 'tool-result' || part.content.type !== 'list') return message
      return { ...message, parts: [{ ...part, content: { type: 'list', items: part.content.items.slice(1) } }] }
    })
    const [patch] = reading.patches(view)
    expect(patch).toEqual({ op: 'set', path: ['messages', 2, 'content', 1, 'content'], value: [image] })
  })

  const marked = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }
  const bare = { type: 'text', text: 'b' }

  it.each([
    ['the text after it is replaced', [marked, bare], ['a', 'c'], [marked, { ...bare, text: 'c' }]],
    ['it is replaced itself', [marked, bare], ['c', 'b'], [{ ...marked, text: 'c' }, bare]],
    ['the text before it is removed', [bare, marked], ['a'], [marked]],
    ['the two change places', [marked, bare], ['b', 'a'], [bare, marked]],
  ])('keeps the other fields of a text in a list when %s', (_name, content, texts, expected) => {
    const request = (list: readonly unknown[]) => [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: list }] },
    ]
    const value = deepFreeze(request(content))
    const reading = anthropic.read(value)
    const [message] = reading.messages
    const [part] = message?.parts ?? []
    if (message === undefined || part?.type !== 'tool-result' || part.content.type !== 'list') throw new Error('no list was read')
    const { items: before } = part.content
    const items = texts.map((text) => before.find((item) => item.type === 'text' && item.text === text) ?? textItem(text))
    const view: readonly Message[] = [{ ...message, parts: [{ ...part, content: { type: 'list', items } }] }]
    expect(patchValue(value, reading.patches(view))).toEqual(request(expected))
  })

  it('changes nothing in the text but the replaced result', () => {
    const text = JSON.stringify(session, null, 1).replace('"text of x"', '"te\\u0078t of x"')
    const reading = anthropic.read(JSON.parse(text))
    const view = reading.messages.map((message) => (message.id === '2.0' ? replaced(message, 'short') : message))
    expect(patchText(text, reading.patches(view))).toBe(text.replace('"te\\u0078t of x"', '"short"'))
  })

  it('removes a result from its message, and the message if nothing is left', () => {
    expect(write(remove('2.1', '2.1'))).toEqual(
      withMessages(session.messages.map((raw, index) => (index === 2 ? { ...raw, content: blocks.toSpliced(1, 1) } : raw))),
    )
    expect(write(remove('4', '4'))).toEqual(withMessages(session.messages.toSpliced(4, 1)))
    expect(write(remove('2.0', '2.2'))).toEqual(withMessages(session.messages.toSpliced(2, 1)))
  })

  it('removes the system prompt in place', () => {
    expect(write(remove('system', 'system'))).toEqual({ model: session.model, messages: session.messages })
  })

  it.each([
    ['next to its siblings', '2.0', 2, 1],
    ['before them', '1', 2, 0],
    ['into a message of results', '3', 4, 0],
  ])('puts a result %s', (_name, after, message, block) => {
    const reading = anthropic.read(session)
    const value = { type: 'tool_result', tool_use_id: 'n', content: 'Error: none', is_error: true }
    expect(reading.patches(applyEdits(reading.messages, [insert(after, result('Error: none'))]))).toEqual([
      { op: 'insert', path: ['messages', message, 'content', block], value },
    ])
  })

  it('puts a result into a new message if there is none after the call', () => {
    const reading = anthropic.read(session)
    expect(reading.patches(applyEdits(reading.messages, [insert('5', result('fine'))]))).toEqual([
      {
        op: 'insert',
        path: ['messages', 6],
        value: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'n', content: 'fine' }] },
      },
    ])
  })

  it('puts very many results into the message that has one of them', () => {
    const ids = Array.from({ length: 200_000 }, (_, index) => `${index}`)
    const request = [
      { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'x', input: {} })) },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '0', content: '' }] },
    ]
    const reading = anthropic.read(request)
    const missing = ids.slice(1).map(
      (callId): Message => ({
        id: `r${callId}`,
        role: 'tool',
        parts: [{ type: 'tool-result', callId, tool: null, content: { type: 'text', text: '' } }],
      }),
    )
    expect(reading.patches([...reading.messages, ...missing]).length).toBe(ids.length - 1)
  })

  it('writes a summary as a reminder in a user message', () => {
    const into: Message = { id: 's', role: 'system', summary: true, parts: [{ type: 'text', text: 'so far' }] }
    expect(write({ ...edit, kind: 'fold', first: '0', last: '2.1', into })).toEqual(
      withMessages([
        { role: 'user', content: '<system-reminder>\nso far\n</system-reminder>' },
        { ...session.messages[2], content: blocks.slice(2) },
        ...session.messages.slice(3),
      ]),
    )
  })

  it('puts text between the blocks of one message as a block', () => {
    const said: Message = { id: 'n', role: 'user', parts: [{ type: 'text', text: 'wait' }] }
    const reading = anthropic.read(session)
    expect(reading.patches(applyEdits(reading.messages, [insert('2.0', said)]))).toEqual([
      { op: 'insert', path: ['messages', 2, 'content', 1], value: { type: 'text', text: 'wait' } },
    ])
  })
})

const edit = { id: 'e', policy: 'p', why: 'w' }

function remove(first: string, last: string): Edit {
  return { ...edit, kind: 'fold', first, last, into: null }
}

function insert(after: string, message: Message): Edit {
  return { ...edit, kind: 'insert', after, message }
}

function result(text: string): Message {
  return { id: 'n', role: 'tool', parts: [{ type: 'tool-result', callId: 'n', tool: null, content: { type: 'text', text } }] }
}

function textItem(text: string): TextPart {
  return { type: 'text', text }
}

function replaced(message: Message, text: string): Message {
  return { ...message, parts: message.parts.map((part) => (part.type === 'tool-result' ? withShownText(part, text) : part)) }
}

function withMessages(messages: readonly unknown[]): unknown {
  return { ...session, messages }
}

function write(...edits: readonly Edit[]): unknown {
  const reading = anthropic.read(deepFreeze(session))
  return patchValue(session, reading.patches(applyEdits(reading.messages, edits)))
}

function writeStory(story: Story): unknown {
  const messages = story.flatMap((step): readonly unknown[] => {
    if (step.kind === 'user') return [{ role: 'user', content: step.asBlocks ? [{ type: 'text', text: step.text }] : step.text }]
    const content = [
      ...(step.thought === null ? [] : [{ type: 'thinking', thinking: step.thought, signature: 's' }]),
      ...(step.text === null ? [] : [{ type: 'text', text: step.text }]),
      ...step.calls.map(({ id, tool, input }) => ({ type: 'tool_use', id, name: tool, input })),
    ]
    const answers = step.calls.flatMap(({ id, answer, form, failed }): readonly unknown[] => {
      if (answer === null) return []
      const list = form === 'list' ? [{ type: 'text', text: answer }] : [{ type: 'text', text: answer }, image]
      return [
        { type: 'tool_result', tool_use_id: id, content: form === 'text' ? answer : list, ...(failed ? { is_error: true } : {}) },
      ]
    })
    const replies = step.note === null ? answers : [...answers, { type: 'text', text: step.note }]
    return [{ role: 'assistant', content }, ...(replies.length > 0 ? [{ role: 'user', content: replies }] : [])]
  })
  return { system: 'rules', messages }
}
