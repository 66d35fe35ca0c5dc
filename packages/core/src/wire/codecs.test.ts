import { expect, it } from 'vitest'
import { aiSdkMessages } from '../testing/ai-sdk-messages.ts'
import { codecs, detectCodec } from './codecs.ts'

it.each<readonly [string, unknown, string | null]>([
  ['tool_calls', [{ role: 'assistant', tool_calls: [] }], 'openai-chat'],
  ['function_call', [{ role: 'assistant', function_call: { name: 'x' } }], 'openai-chat'],
  ['role function', [{ role: 'function', name: 'x', content: '' }], 'openai-chat'],
  ['a bare tool message', [{ role: 'tool', content: '{}', timestamp: 1 }], 'openai-chat'],
  ['plain messages', { messages: [{ role: 'user', content: 'hi' }] }, 'openai-chat'],
  ['an empty list', [], 'openai-chat'],
  ['one broken message among plain ones', [{ role: 'user', content: 'hi' }, { role: 'critic' }], 'openai-chat'],
  ['tool_use', [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] }], 'anthropic'],
  ['tool_result', [{ role: 'user', content: [{ type: 'tool_result' }] }], 'anthropic'],
  ['thinking', [{ role: 'assistant', content: [{ type: 'thinking', thinking: '' }] }], 'anthropic'],
  ['a system prompt next to the list', { system: 'x', messages: [{ role: 'user', content: 'hi' }] }, 'anthropic'],
  ['a log around blocks', { version: 1, messages: [{ role: 'user', content: [{ type: 'tool_result' }], ts: 1 }] }, 'anthropic'],
  ['parts of the AI SDK', aiSdkMessages, 'ai-sdk'],
  ['a result of the AI SDK', [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a' }] }], 'ai-sdk'],
  ['items', { model: 'm', input: [{ role: 'user', content: 'hi' }] }, 'openai-responses'],
  ['a text instead of items', { model: 'm', input: 'hi' }, 'openai-responses'],
  [
    'a list of items',
    [
      { role: 'developer', content: '' },
      { type: 'function_call', call_id: 'a', name: 'x' },
    ],
    'openai-responses',
  ],
  ['texts to embed', { model: 'm', input: ['one', 'two'] }, null],
  ['messages next to an input', { input: 'hi', messages: [{ role: 'user', content: 'hi' }] }, 'openai-chat'],
  ['contents', { contents: [{ parts: [{ text: 'hi' }] }] }, 'gemini'],
  ['contents to count', { generateContentRequest: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] } }, 'gemini'],
  ['a list of contents', [{ role: 'model', parts: [{ function_call: { name: 'x' } }] }], 'gemini'],
  ['parts with a type', [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }], 'openai-chat'],
  ['messages that say something and have parts', [{ role: 'user', content: 'hi', parts: [{ text: 'hi' }] }], 'openai-chat'],
  ['a list of numbers', [1, 2], null],
  ['messages without a role', [{ from: 'me' }], null],
  ['no list', { messages: 'x' }, null],
  ['nothing', null, null],
])('tells the dialect of %s', (_name, value, name) => {
  expect(detectCodec(value)?.name ?? null).toBe(name)
})

it.each([
  ['anthropic', 'messages'],
  ['openai-chat', 'messages'],
  ['openai-responses', 'input'],
  ['gemini', 'contents'],
] as const)(
  '%s: something that is no object in the list of messages is named, also for a list that nobody changes',
  (name, list) => {
    for (const other of [null, 5, 'x', [], true])
      for (const isFixed of [true, false])
        expect(() => codecs[name]?.read({ [list]: [other] }, { isFixed })).toThrow(`${list}[0]`)
  },
)
