import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../message.ts'
import { deepFreeze } from '../testing/messages.ts'
import { aiSdk } from './dialects/ai-sdk.ts'
import { writeRequest } from './write-request.ts'

const signed: readonly Part[] = [
  { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'c2ln' } } },
  { type: 'text', text: 'I will look.', providerOptions: { google: { thoughtSignature: 'dGhv' } } },
  { type: 'tool-call', callId: 'a', tool: 'LS', input: {}, providerOptions: { openai: { itemId: 'fc_1' } } },
]
const image = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } }
const conversation: readonly Message[] = deepFreeze([
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
  { id: 'a', role: 'assistant', parts: signed },
  {
    id: 't',
    role: 'tool',
    parts: [
      {
        type: 'tool-result',
        callId: 'a',
        tool: 'LS',
        content: {
          type: 'list',
          items: [
            { type: 'text', text: 'one' },
            { type: 'media', mediaType: 'image/png', data: image },
          ],
        },
      },
    ],
  },
])

describe('a part with provider options', () => {
  it('reads and writes them for the AI SDK only', () => {
    const { messages } = writeRequest('ai-sdk', conversation, { model: 'any' })
    expect((messages as readonly { content: unknown }[])[1]?.content).toEqual([
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'c2ln' } } },
      { type: 'text', text: 'I will look.', providerOptions: { google: { thoughtSignature: 'dGhv' } } },
      { type: 'tool-call', toolCallId: 'a', toolName: 'LS', input: {}, providerOptions: { openai: { itemId: 'fc_1' } } },
    ])
    expect(aiSdk.read(messages).messages[1]?.parts).toEqual(signed)
    expect(JSON.stringify(writeRequest('anthropic', conversation, { model: 'any' }))).not.toContain('c2ln')
    expect(JSON.stringify(writeRequest('openai-chat', conversation, { model: 'any' }))).not.toContain('fc_1')
  })

  it('keeps them with a single text', () => {
    const alone: readonly Message[] = [{ id: '0', role: 'assistant', parts: [signed[1] as Part] }]
    const { messages } = writeRequest('ai-sdk', alone, { model: 'any' })
    expect(aiSdk.read(messages).messages[0]?.parts).toEqual(alone[0]?.parts)
  })

  it('keeps an otherwise empty text that is signed', () => {
    const blank: Part = { type: 'text', text: '', providerOptions: { google: { thoughtSignature: 'dGhv' } } }
    const placed: readonly Message[] = [{ id: '0', role: 'assistant', parts: [blank, { type: 'text', text: 'So.' }] }]
    const { messages } = writeRequest('ai-sdk', placed, { model: 'any', behind: 'anthropic' })
    expect(aiSdk.read(messages).messages[0]?.parts).toEqual(placed[0]?.parts)
    const plain = writeRequest('anthropic', placed, { model: 'any' })['messages']
    expect((plain as readonly unknown[]).at(-1)).toEqual({ role: 'assistant', content: 'So.' })
  })

  it.each([5, null, 'text', [], { anthropic: 'text' }, { anthropic: null }])('ignores invalid ones: %j', (providerOptions) => {
    const read = aiSdk.read([{ role: 'assistant', content: [{ type: 'reasoning', text: 'hm', providerOptions }] }])
    expect(read.messages[0]?.parts).toEqual([{ type: 'reasoning', text: 'hm' }])
  })
})

describe('a message with provider options', () => {
  const options = new Map([
    ['u', { anthropic: { cacheControl: { type: 'ephemeral' } } }],
    ['t', { anthropic: { cacheControl: { type: 'ephemeral' } } }],
    ['unknown-message', { anthropic: {} }],
  ])

  it('writes them next to the message', () => {
    const { messages } = writeRequest('ai-sdk', conversation, { model: 'any', options })
    expect((messages as readonly { providerOptions?: unknown }[]).map(({ providerOptions }) => providerOptions)).toEqual([
      { anthropic: { cacheControl: { type: 'ephemeral' } } },
      undefined,
      { anthropic: { cacheControl: { type: 'ephemeral' } } },
    ])
  })

  it('omits them if the API format has no place for them', () => {
    expect(writeRequest('openai-chat', conversation, { model: 'any', options })).toEqual(
      writeRequest('openai-chat', conversation, { model: 'any' }),
    )
  })
})

describe('the vendor called through the AI SDK', () => {
  const odd: readonly Message[] = [
    {
      id: '0',
      role: 'assistant',
      parts: [
        { type: 'text', text: ' ' },
        { type: 'tool-call', callId: 'a b#2', tool: 'functions.Read', input: 'no JSON' },
      ],
    },
    { id: '1', role: 'tool', parts: [{ type: 'tool-result', callId: 'a b#2', tool: null, content: { type: 'text', text: '' } }] },
  ]

  it('gets ids, names and texts that it accepts', () => {
    const { messages } = writeRequest('ai-sdk', odd, { model: 'any', behind: 'anthropic' })
    const [{ content }, { content: results }] = messages as readonly [{ content: object[] }, { content: object[] }]
    expect(content).toEqual([
      {
        type: 'tool-call',
        toolCallId: expect.stringMatching(/^call_\w+$/),
        toolName: 'functions_Read',
        input: { input: 'no JSON' },
      },
    ])
    expect(results).toMatchObject([{ toolCallId: (content[0] as { toolCallId: string }).toolCallId }])
  })

  it('gets images in user messages if it rejects them elsewhere', () => {
    const { messages } = writeRequest('ai-sdk', conversation, { model: 'any', behind: 'openai-chat' })
    expect((messages as readonly unknown[]).slice(2)).toEqual([
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'LS',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'one' },
                { type: 'text', text: '[image/png]' },
              ],
            },
          },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Tool results:' }, image] },
    ])
  })

  it('must be a known API format', () => {
    expect(() => writeRequest('ai-sdk', odd, { model: 'any', behind: 'toString' as 'anthropic' })).toThrow(
      'dialect: expected one of openai-chat, anthropic, ai-sdk, openai-responses, gemini, got "toString"',
    )
  })
})
