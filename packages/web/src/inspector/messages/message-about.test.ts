import type { Message, Part } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import type { Inspection, MessageTable } from '../../../../node/src/shared/inspection/inspection.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { aboutMessage, messageAbout, messageName } from './message-about.ts'

it.each<[string, readonly Part[], string]>([
  ['text', [{ type: 'text', text: ' Look\n  at this ' }], 'Look at this'],
  [
    'text that would act on a terminal or turn lines around',
    [{ type: 'text', text: 'a\u001b[31mb\u202ec' }],
    'a\\u001b[31mb\\u202ec',
  ],
  [
    'a call by what its tool is about',
    [{ type: 'tool-call', callId: '1', tool: 'Bash', input: { command: 'ls -l' } }],
    'Bash ls -l',
  ],
  ['a call of an unnamed tool', [{ type: 'tool-call', callId: '1', tool: 'x', input: { a: 1 } }], 'x {"a":1}'],
  [
    'a result after text',
    [
      { type: 'text', text: 'Two tests pass:' },
      { type: 'tool-result', callId: '1', tool: 'count', content: { type: 'json', value: [2] } },
      { type: 'media', mediaType: 'image/png', data: null },
    ],
    'Two tests pass: · [2] · [image/png]',
  ],
  ['nothing', [], ''],
])('describes a message: %s', (_name, parts, about) => expect(messageAbout({ id: '1', role: 'assistant', parts })).toBe(about))

it('is one short line for any input', () =>
  expect(
    messageAbout({ id: '1', role: 'tool', parts: [{ type: 'text', text: '\u0000'.repeat(100_000) }] }).length,
  ).toBeLessThanOrEqual(160))

const messages: MessageTable = {
  ids: ['a', 'b', 'c', 'd', 'e'],
  roles: ['user', 'assistant', 'tool', 'user', 'tool'],
  tokens: [1, 1, 1, 1, 1],
  shown: [1, 1, 1, 1, 1],
  categories: ['user', 'calls', 'results', 'summaries', 'results'],
  tools: [-1, 0, 0, -1, -1],
  toolNames: ['Ba\u001bsh'],
  times: [0, 0, 0, 0, 0],
}
const inspection = { messages } as Inspection
const call: Message = {
  id: 'b',
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: '1', tool: 'Bash', input: { command: `npm\u202e test\n${'x'.repeat(100)}` } }],
}
const result: Message = {
  id: 'c',
  role: 'tool',
  parts: [{ type: 'tool-result', callId: '1', tool: 'Bash', content: { type: 'text', text: 'ok' } }],
}

describe('messageName', () => {
  it.each([
    ['en', ['User', 'call to Ba\\u001bsh', 'result of Ba\\u001bsh', 'Summaries', 'result of an unnamed tool']],
    ['zh', ['用户', '调用 Ba\\u001bsh', 'Ba\\u001bsh 的结果', '摘要', '未命名工具 的结果']],
  ])('names a message, in %s', (locale, names) => {
    expect(messages.ids.map((_, number) => messageName(inspection, number, stringsFor(locale)))).toEqual(names)
  })

  it('adds the subject if it is known', () => {
    expect(messageName(inspection, 2, stringsFor('en'), 'npm test')).toBe('result of Ba\\u001bsh: npm test')
  })
})

describe('aboutMessage', () => {
  it('finds the call that a result answers, on one short line that cannot act on a page', () => {
    const about = aboutMessage(result, [call, result])
    expect([about?.slice(0, 16), about?.length, about?.endsWith('…')]).toEqual(['npm\\u202e test x', 60, true])
    expect(aboutMessage(call, [])).toBe(about)
  })

  it('returns null if the call is missing', () => {
    expect(aboutMessage(result, [])).toBeNull()
    expect(aboutMessage({ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hello' }] }, [])).toBeNull()
  })
})
