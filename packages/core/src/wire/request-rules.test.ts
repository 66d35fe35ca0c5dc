import { modelMessageSchema } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tries } from '../../../../test/property-runs.ts'
import { buildView } from '../engine/build-view.ts'
import type { MediaPart, Message } from '../message.ts'
import { pairToolCalls } from '../policies/pair-tool-calls.ts'
import { conversations } from '../testing/damaged-conversations.ts'
import { calls, deepFreeze, result, user } from '../testing/messages.ts'
import { writtenList } from '../testing/written-list.ts'
import { codecs } from './codecs.ts'
import { type DialectName, writeRequest } from './write-request.ts'

const names = Object.keys(codecs) as readonly DialectName[]
const media = (data: Readonly<Record<string, unknown>>): MediaPart => ({ type: 'media', mediaType: 'image/png', data })
const written = (name: DialectName, messages: readonly Message[]) =>
  writtenList(writeRequest(name, deepFreeze(messages), { model: 'any' })) as readonly Readonly<Record<string, unknown>>[]

const openaiImage = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const anthropicImage = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const sdkImage = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } }

describe('a block in a place its vendor rejects', () => {
  const cases: readonly (readonly [DialectName, Message['role'], Readonly<Record<string, unknown>>])[] = [
    ['openai-chat', 'assistant', openaiImage],
    ['openai-chat', 'system', openaiImage],
    ['openai-chat', 'user', { type: 'refusal', refusal: 'no' }],
    ['anthropic', 'assistant', anthropicImage],
    ['anthropic', 'user', { type: 'redacted_thinking', data: 'x' }],
    ['ai-sdk', 'assistant', { type: 'image', image: 'AAAA' }],
    ['ai-sdk', 'user', { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'x' }],
    ['ai-sdk', 'user', { type: 'custom', kind: 'a.b' }],
    ['openai-responses', 'assistant', { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
    ['openai-responses', 'assistant', { type: 'web_search_call', status: 'completed' }],
    ['openai-responses', 'user', { type: 'web_search_call', id: 'ws', status: 'completed' }],
    ['openai-responses', 'user', { type: 'input_image' }],
    ['gemini', 'system', { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    ['gemini', 'user', { executableCode: { code: '1', language: 'PYTHON' } }],
    ['gemini', 'user', { inlineData: 'AAAA' }],
  ]
  it.each(cases)('becomes text: %s, %s, %j', (name, role, block) => {
    const messages = written(name, [user('0', 'hi'), { id: '1', role, parts: [{ type: 'text', text: 'see' }, media(block)] }])
    expect(JSON.stringify(messages)).toContain('[image/png]')
    expect(JSON.stringify(messages)).not.toContain(JSON.stringify(block))
  })

  it('becomes text within a result for Anthropic', () => {
    const block = { type: 'web_search_tool_result', tool_use_id: 'x', content: [] }
    const [, , answer] = written('anthropic', [user('0', 'hi'), calls('1', ['x', 'T', {}]), answerWith('x', media(block))])
    expect(JSON.stringify(answer)).toContain('{"type":"text","text":"[image/png]"}')
  })

  it('moves to a user message after all results, the only place OpenAI accepts images in', () => {
    const messages = written('openai-chat', [
      user('0', 'hi'),
      calls('1', ['x', 'T', {}], ['y', 'T', {}]),
      answerWith('x', media(openaiImage)),
      result('3', 'y', 'done'),
    ])
    expect(messages.slice(2)).toEqual([
      {
        role: 'tool',
        tool_call_id: 'x',
        content: [
          { type: 'text', text: 'see' },
          { type: 'text', text: '[image/png]' },
        ],
      },
      { role: 'tool', tool_call_id: 'y', content: 'done' },
      { role: 'user', content: [{ type: 'text', text: 'Tool results:' }, openaiImage] },
    ])
  })
})

describe('content a vendor would reject', () => {
  it.each([
    ['anthropic', anthropicImage],
    ['ai-sdk', sdkImage],
    ['openai-responses', { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
    ['gemini', { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
  ] as const)('keeps an image in the answer of a tool that failed: %s', (name, block) => {
    const failed = answerWith('x', media(block))
    const messages = written(name, [
      user('0', 'hi'),
      calls('1', ['x', 'T', {}]),
      { ...failed, parts: failed.parts.map((part) => ({ ...part, isError: true })) },
    ])
    // Anthropic accepts only text with an error flag.
    expect(JSON.stringify(messages[2])).toContain(JSON.stringify(block))
    expect(JSON.stringify(messages[2])).not.toContain('is_error')
  })

  it('starts with a user message for Gemini, which requires it', () => {
    expect(written('gemini', [{ id: '0', role: 'assistant', parts: [{ type: 'text', text: 'Hello!' }] }])).toEqual([
      { role: 'user', parts: [{ text: '<system-reminder>\nThe conversation begins with the assistant.\n</system-reminder>' }] },
      { role: 'model', parts: [{ text: 'Hello!' }] },
    ])
  })

  it('starts with a user message for Anthropic, as some compatible servers require', () => {
    expect(written('anthropic', [{ id: '0', role: 'assistant', parts: [{ type: 'text', text: 'Hello!' }] }])).toEqual([
      { role: 'user', content: '<system-reminder>\nThe conversation begins with the assistant.\n</system-reminder>' },
      { role: 'assistant', content: 'Hello!' },
    ])
  })

  it.each(['openai-chat', 'anthropic', 'openai-responses', 'gemini'] as const)(
    'gives a tool a name that can be sent: %s',
    (name) => {
      const asked = ['', 'functions.exec', '日本', 'x'.repeat(300), 'Read'].map((tool, index) => [`c${index}`, tool, {}] as const)
      const request = JSON.stringify(written(name, [user('0', 'hi'), calls('1', ...asked)]))
      const maxLength = name === 'anthropic' ? 128 : 64
      expect([...request.matchAll(/"name":"([^"]*)"/g)].map(([, tool]) => tool)).toEqual([
        '_',
        'functions_exec',
        '__',
        'x'.repeat(maxLength),
        'Read',
      ])
    },
  )

  it.each(names)('writes a result without a value as an empty one: %s', (name) => {
    for (const content of [
      { type: 'json', value: undefined },
      { type: 'list', items: [] },
    ] as const) {
      const answer: Message = { id: '2', role: 'tool', parts: [{ type: 'tool-result', callId: 'x', tool: 'T', content }] }
      const messages = written(name, [user('0', 'hi'), calls('1', ['x', 'T', {}]), answer])
      expect(JSON.stringify(messages[2])).toMatch(/"(?:content|value|output)":""/)
      if (name === 'ai-sdk') expect(modelMessageSchema.safeParse(messages[2]).success).toBe(true)
    }
  })
})

describe.each(names)('calls that a server numbers anew in every answer, for %s', (name) => {
  it('get unique ids, and their results the same ones', () => {
    const messages = [
      user('0', 'hi'),
      calls('1', ['call_0', 'A', {}], ['call_0', 'B', {}]),
      result('2', 'call_0', 'of A'),
      result('3', 'call_0', 'of B'),
      calls('4', ['call_0', 'C', {}]),
      result('5', 'call_0', 'of C'),
    ]
    const ids = idsIn(name, messages)
    expect(ids.asked).toHaveLength(3)
    expect(new Set(ids.asked).size).toBe(3)
    expect(ids.asked[0]).toBe('call_0')
    expect(ids.answered).toEqual(ids.asked)
    // The start of a growing conversation stays unchanged.
    expect(idsIn(name, messages.slice(0, 4)).asked).toEqual(ids.asked.slice(0, 2))
  })

  it('are told apart whatever a log has gone through', () => {
    let repeated = 0
    fc.assert(
      fc.property(conversations, (messages) => {
        const { view } = buildView({ messages, policies: [pairToolCalls], facts: {} })
        const before = view.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])))
        if (new Set(before).size < before.length) repeated += 1
        const { asked } = idsIn(name, view)
        expect(asked).toHaveLength(before.length)
        expect(new Set(asked).size).toBe(asked.length)
      }),
      { numRuns: tries(60) },
    )
    expect(repeated).toBeGreaterThan(0)
  })
})

function answerWith(callId: string, image: MediaPart): Message {
  const items = [{ type: 'text' as const, text: 'see' }, image]
  return { id: '2', role: 'tool', parts: [{ type: 'tool-result', callId, tool: 'T', content: { type: 'list', items } }] }
}

function idsIn(name: DialectName, messages: readonly Message[]) {
  const parts = codecs[name].read(writeRequest(name, messages, { model: 'any' })).messages.flatMap((message) => message.parts)
  return {
    asked: parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])),
    answered: parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])),
  }
}
