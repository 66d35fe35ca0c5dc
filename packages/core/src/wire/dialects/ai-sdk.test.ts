import { describe, expect, it } from 'vitest'
import { applyEdits, type Edit } from '../../edit.ts'
import { type Message, type ToolCallPart, type ToolResultPart, withShownText } from '../../message.ts'
import { aiSdkMessages } from '../../testing/ai-sdk-messages.ts'
import { type Story, stories } from '../../testing/stories.ts'
import { testCodec } from '../../testing/test-codec.ts'
import { aiSdk } from './ai-sdk.ts'

const odd = [
  { role: 'user', content: 5 },
  { role: 'assistant', content: [{ type: 'tool-call', toolName: 'no id' }, 7] },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'z', toolName: 't', output: 'bare' },
      { type: 'tool-result', toolCallId: 'y', toolName: 't' },
    ],
  },
  { role: 'tool', content: 'text' },
]

testCodec(aiSdk, {
  fixtures: { session: aiSdkMessages, odd, empty: [], 'a request': { messages: aiSdkMessages } },
  conversations: stories().map(writeStory),
  refused: [
    [undefined, 'conversation: expected a list of messages or an object with "messages", got nothing'],
    [[{ role: 'function', content: '' }], 'messages[0].role: expected one of system, user, assistant, tool, got "function"'],
  ],
})

describe('reading', () => {
  const { messages } = aiSdk.read(aiSdkMessages)

  it('makes every result a separate message', () => {
    expect(messages.map(({ id, role }) => `${id} ${role}`).join(', ')).toBe(
      '0 system, 1 user, 2 assistant, 3.0 tool, 3.1 tool, 3.2 tool, 4 assistant, 5.0 tool, 5.1 tool, 5.2 tool, 6 tool, 7 assistant',
    )
  })

  it('reads every kind of output', () => {
    const results = messages.flatMap(({ parts }) => parts.filter((part): part is ToolResultPart => part.type === 'tool-result'))
    expect(results.map(({ callId, content, isError }) => [callId, content.type, isError ?? false])).toEqual([
      ['a', 'text', false],
      ['b', 'json', false],
      ['c', 'list', false],
      ['d', 'text', true],
      ['e', 'json', true],
      ['f', 'text', true],
    ])
  })

  it('marks a call waiting for approval', () => {
    const calls = messages.flatMap(({ parts }) => parts.filter((part): part is ToolCallPart => part.type === 'tool-call'))
    expect(calls.map(({ callId, pending }) => [callId, pending ?? false])).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
      ['d', false],
      ['e', false],
      ['f', true],
    ])
  })

  it('carries calls the provider ran itself', () => {
    expect(messages[2]?.parts.slice(5).map((part) => part.type === 'media' && part.mediaType)).toEqual([
      'vendor/tool-call',
      'vendor/tool-result',
    ])
  })
})

describe('writing', () => {
  it.each<readonly [string, string, readonly unknown[]]>([
    ['a text', '3.0', [{ op: 'set', path: [3, 'content', 0, 'output', 'value'], value: 'short' }]],
    [
      'JSON',
      '3.1',
      [
        { op: 'set', path: [3, 'content', 1, 'output', 'type'], value: 'text' },
        { op: 'set', path: [3, 'content', 1, 'output', 'value'], value: 'short' },
      ],
    ],
    ['an error', '5.0', [{ op: 'set', path: [5, 'content', 0, 'output', 'value'], value: 'short' }]],
    [
      'an error in JSON',
      '5.1',
      [
        { op: 'set', path: [5, 'content', 1, 'output', 'type'], value: 'error-text' },
        { op: 'set', path: [5, 'content', 1, 'output', 'value'], value: 'short' },
      ],
    ],
  ])('replaces %s', (_name, id, patches) => {
    const reading = aiSdk.read(aiSdkMessages)
    const view = reading.messages.map((message) =>
      message.id === id ? { ...message, parts: [withShownText(message.parts[0] as ToolResultPart, 'short')] } : message,
    )
    expect(reading.patches(view)).toEqual(patches)
  })

  it('patches only the difference inside a JSON output', () => {
    const reading = aiSdk.read(aiSdkMessages)
    const part = reading.messages[4]?.parts[0] as ToolResultPart
    const changed: ToolResultPart = { ...part, content: { type: 'json', value: { stdout: 'x', nested: ['z'] } } }
    expect(patchesOf({ ...edit, kind: 'replace', message: '3.1', part: 0, with: changed })).toEqual([
      { op: 'set', path: [3, 'content', 1, 'output', 'value', 'nested', 0], value: 'z' },
    ])
  })

  it('puts a result next to its siblings, with the name of the called tool', () => {
    const message: Message = {
      id: 'n',
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'f', tool: null, content: { type: 'text', text: 'Error: none' } }],
    }
    const value = { type: 'tool-result', toolCallId: 'f', toolName: 'bash', output: { type: 'error-text', value: 'Error: none' } }
    expect(patchesOf({ ...edit, kind: 'insert', after: '5.1', message })).toEqual([
      { op: 'insert', path: [5, 'content', 2], value },
    ])
    expect(patchesOf({ ...edit, kind: 'insert', after: '4', message })).toEqual([
      { op: 'insert', path: [5, 'content', 0], value },
    ])
    expect(patchesOf({ ...edit, kind: 'insert', after: '7', message })).toEqual([
      { op: 'insert', path: [8], value: { role: 'tool', content: [value] } },
    ])
  })

  it('writes a summary as a reminder in a user message', () => {
    const into: Message = { id: 's', role: 'system', summary: true, parts: [{ type: 'text', text: 'so far' }] }
    expect(patchesOf({ ...edit, kind: 'fold', first: '6', last: '6', into })).toEqual([
      { op: 'remove', path: [6] },
      { op: 'insert', path: [6], value: { role: 'user', content: '<system-reminder>\nso far\n</system-reminder>' } },
    ])
  })
})

const edit = { id: 'e', policy: 'p', why: 'w' }

function patchesOf(...edits: readonly Edit[]) {
  const reading = aiSdk.read(aiSdkMessages)
  return reading.patches(applyEdits(reading.messages, edits))
}

function writeStory(story: Story): unknown {
  return story.flatMap((step): readonly unknown[] => {
    if (step.kind === 'user') return [{ role: 'user', content: step.asBlocks ? [{ type: 'text', text: step.text }] : step.text }]
    const content = [
      ...(step.thought === null ? [] : [{ type: 'reasoning', text: step.thought }]),
      ...(step.text === null ? [] : [{ type: 'text', text: step.text }]),
      ...step.calls.map(({ id, tool, input }) => ({ type: 'tool-call', toolCallId: id, toolName: tool, input })),
    ]
    const answers = step.calls.flatMap(({ id, tool, answer, form, failed }): readonly unknown[] => {
      if (answer === null) return []
      const prefix = failed ? 'error-' : ''
      const output =
        form === 'list'
          ? { type: 'content', value: [{ type: 'text', text: answer }] }
          : form === 'text'
            ? { type: `${prefix}text`, value: answer }
            : { type: `${prefix}json`, value: { answer } }
      return [{ type: 'tool-result', toolCallId: id, toolName: tool, output }]
    })
    return [{ role: 'assistant', content }, ...(answers.length > 0 ? [{ role: 'tool', content: answers }] : [])]
  })
}
