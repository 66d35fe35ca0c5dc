import { describe, expect, it } from 'vitest'
import { parseConversations } from './parse-conversations.ts'

const user = { role: 'user', content: 'hello' }
const assistant = { role: 'assistant', content: 'hi' }
const list = [user, assistant]
const lines = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')
const json = (value: unknown) => JSON.stringify(value)

describe('parseConversations', () => {
  it.each([
    ['a list of messages', json(list), [{ request: list, messages: list }]],
    ['an empty list', '[]', [{ request: [], messages: [] }]],
    ['a request', json({ model: 'm', messages: list }), [{ request: { model: 'm', messages: list }, messages: list }]],
    ['a trajectory', json({ trajectory: [], history: list, info: {} }), [{ request: list, messages: list }]],
    [
      'a list of records',
      json([{ traj: list }, { traj: [user] }]),
      [
        { request: list, messages: list },
        { request: [user], messages: [user] },
      ],
    ],
    ['lines of messages, with a blank one', `${lines(user)}\n\n${lines(assistant)}\n`, [{ request: list, messages: list }]],
    ['one line with a message', lines(user), [{ request: [user], messages: [user] }]],
    [
      'lines of conversations',
      lines({ messages: list }, { messages: [user] }),
      [
        { request: { messages: list }, messages: list },
        { request: { messages: [user] }, messages: [user] },
      ],
    ],
    ['lines that end in CR LF', `${json(user)}\r\n${json(assistant)}\r\n`, [{ request: list, messages: list }]],
    [
      'a message that carries the marks of a log',
      json([{ ...user, sessionId: 's', type: 't' }]),
      [{ request: [{ ...user, sessionId: 's', type: 't' }], messages: [{ ...user, sessionId: 's', type: 't' }] }],
    ],
  ])('finds the conversations in %s', (_name, text, value) => expect(parseConversations(text)).toEqual({ value }))

  it.each([
    ['blanks', ' \n\t', { kind: 'empty' }],
    ['a broken list', '[{"role": "user"},', { kind: 'not-json', fault: { line: 1, column: 19, expected: 'value', came: null } }],
    [
      'a broken line',
      `${json(user)}\n${json(assistant)}\n{"role": \n`,
      { kind: 'not-json', fault: { line: 3, column: 10, expected: 'value', came: null } },
    ],
    ['an object without messages', '{"name": "x", "version": 1}', { kind: 'no-messages', came: '{ "name", "version" }' }],
    ['a single value', '42', { kind: 'no-messages', came: '42' }],
    ['a line without a message', lines(user, { note: 1 }), { kind: 'line-without-message', line: 2 }],
    ['a first line without a message', lines({ note: 1 }, user), { kind: 'line-without-message', line: 1 }],
    [
      'records of which one is empty',
      json([{ traj: list }, { reward: 0 }]),
      { kind: 'no-messages', came: '{ "reward" } at [1]' },
    ],
  ])('says what is wrong with %s', (_name, text, problem) => expect(parseConversations(text)).toEqual({ problem }))

  it.each([
    [
      'Claude Code JSONL',
      lines({ type: 'summary', summary: 's', leafUuid: 'u' }, { parentUuid: null, sessionId: 's', type: 'user', message: user }),
    ],
    ['Claude Code JSONL', `${lines({ parentUuid: null, sessionId: 's', type: 'user', message: user })}\nnot json`],
    [
      'a Codex rollout',
      lines({ timestamp: 't', type: 'session_meta', payload: {} }, { timestamp: 't', type: 'response_item', payload: {} }),
    ],
    ['a pi session', lines({ type: 'session', id: 'i', cwd: '/' }, { type: 'message', message: user })],
    ['OpenHands events', json([{ id: 0, source: 'user', action: 'message', args: {} }])],
    ['OpenHands events', lines({ history: [{ id: 0, source: 'agent', observation: 'run' }] }, { history: [] })],
    [
      'OpenHands events',
      lines(
        {
          history: [
            [
              { command: 'ls', action: 'run', action_risk: null },
              { id: 1, source: 'agent', observation: 'run' },
            ],
          ],
        },
        { history: [] },
      ),
    ],
    ['Gemini contents', json([{ role: 'user', parts: [{ text: 'hi' }] }])],
    ['AI SDK UI messages', json([{ id: '1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }])],
    ['OpenAI Responses items', json({ model: 'm', input: 7 })],
  ])('names %s, which it does not read', (format, text) =>
    expect(parseConversations(text)).toEqual({ problem: { kind: 'other-format', format } }),
  )

  it.each<[string, object]>([
    ['items', { model: 'm', input: [{ type: 'function_call_output', call_id: 'a', output: '' }] }],
    ['a text in place of items', { model: 'm', input: 'hi' }],
    ['contents', { contents: [{ parts: [{ text: 'hi' }] }] }],
    ['contents to count', { generateContentRequest: { contents: [{ parts: [{ text: 'hi' }] }] } }],
  ])('finds a request with %s', (_name, request) => {
    const { value } = parseConversations(json(request))
    expect(value).toMatchObject([{ request, isRequest: true }])
    expect(value?.[0]?.messages).toHaveLength(1)
  })

  it('refuses more values than fit into memory before it parses them', () => {
    const many = `[{"role":"user","x":[${'{},'.repeat(5_000_000)}1]}]`
    expect(parseConversations(many)).toEqual({ problem: { kind: 'too-many-values', limit: 5_000_000 } })
  })

  it('refuses nesting that could not be walked, naming where it begins', () => {
    const deep = `[{"role":"user","content":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`
    expect(parseConversations(deep)).toEqual({ problem: { kind: 'too-deep', place: '[0].content[0][0]…', limit: 1000 } })
  })
})
