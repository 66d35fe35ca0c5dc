import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { bindsThinking } from './host-rules.ts'

const said: Message = { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'Yes.' }] }
const thought: Message = { id: 'b', role: 'assistant', parts: [{ type: 'reasoning', text: 'Let me think.' }] }
const hidden: Message = {
  id: 'c',
  role: 'assistant',
  parts: [{ type: 'media', mediaType: 'vendor/redacted_thinking', data: { type: 'redacted_thinking', data: 'x' } }],
}

describe('bindsThinking', () => {
  it.each([
    ['claude-fable-5-2', true],
    ['claude-fable-5-1-20260901', true],
    ['claude-opus-5-5[1m]', true],
    ['us.anthropic.claude-opus-5-5-v1:0', true],
    ['claude-sonnet-6', true],
    ['claude-next', true],
    ['claude-opus-5', false],
    ['claude-opus-5-20260401', false],
    ['claude-fable-5', false],
    ['claude-sonnet-4-5-20250929', false],
    ['claude-3-7-sonnet-latest', false],
    ['deepseek-chat', false],
    [null, false],
  ])('returns for %s: %s', (model, expected) => expect(bindsThinking(model, [said, thought])).toBe(expected))

  it('returns true for redacted reasoning', () => expect(bindsThinking('claude-fable-5-2', [hidden])).toBe(true))

  it('returns false without reasoning', () => expect(bindsThinking('claude-fable-5-2', [said])).toBe(false))
})
