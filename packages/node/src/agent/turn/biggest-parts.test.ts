import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { biggestParts } from './model-error.ts'

const messages: readonly Message[] = [
  { id: 'layer:system', role: 'system', parts: [{ type: 'text', text: 'help '.repeat(300) }] },
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'short' }] },
  {
    id: 'a',
    role: 'assistant',
    parts: [{ type: 'tool-call', callId: 'c', tool: 'Read', input: { file_path: 'src/\napp.ts', offset: 3 } }],
  },
  {
    id: 't',
    role: 'tool',
    parts: [{ type: 'tool-result', callId: 'c', tool: 'Read', content: { type: 'text', text: 'line '.repeat(900) } }],
  },
]

describe('biggestParts', () => {
  it('R002-32 names the three that take most of the window, the tool definitions among them', () =>
    expect(biggestParts(messages, 500)).toEqual([
      { what: 'result of Read (src/ app.ts)', tokens: expect.any(Number), message: 't', tool: 'Read' },
      { what: 'tool definitions', tokens: 500, message: null, tool: null },
      { what: 'system prompt', tokens: expect.any(Number), message: null, tool: null },
    ]))

  it('quotes no more than a few words of anything', () => {
    const long: readonly Message[] = [
      { id: 'a', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'T'.repeat(9999), input: '{"x":"' }] },
      { id: 't', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: null, content: { type: 'text', text: '' } }] },
    ]
    for (const { what } of biggestParts(long, 0)) expect(what.length).toBeLessThan(100)
  })

  it('is empty if nothing is sent', () => expect(biggestParts([], 0)).toEqual([]))
})
