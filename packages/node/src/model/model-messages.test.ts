import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { modelMessages } from './model-messages.ts'

const prompt: Message = { id: '0', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }
const summary: Message = { id: '1', role: 'system', summary: true, parts: [{ type: 'text', text: 'It was said.' }] }
const question: Message = { id: '2', role: 'user', parts: [{ type: 'text', text: 'And now?' }] }

function pictured(data: unknown): Message {
  return { id: '3', role: 'user', parts: [{ type: 'media', mediaType: 'image/png', data }] }
}

describe('modelMessages', () => {
  it('Q-14 shows a summary at its place, never as a part of the system prompt', () => {
    expect(modelMessages([prompt, summary, question])).toEqual({
      instructions: [{ role: 'system', content: 'Be brief.' }],
      messages: [
        { role: 'user', content: '<system-reminder>\nIt was said.\n</system-reminder>' },
        { role: 'user', content: 'And now?' },
      ],
    })
  })

  it('carries calls and results', () => {
    const call: Message = {
      id: '3',
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: 'a', tool: 'Bash', input: { command: 'ls' } }],
    }
    const result: Message = {
      id: '4',
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'a', tool: 'Bash', content: { type: 'text', text: 'src' } }],
    }
    expect(modelMessages([question, call, result]).messages).toEqual([
      { role: 'user', content: 'And now?' },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'Bash', input: { command: 'ls' } }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'Bash', output: { type: 'text', value: 'src' } }],
      },
    ])
  })

  it('carries a picture of its own and names one of another vendor', () => {
    const own = { type: 'file', mediaType: 'image/png', data: 'AAAA' }
    expect(modelMessages([pictured(own)]).messages).toEqual([{ role: 'user', content: [own] }])
    const foreign = pictured({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } })
    expect(modelMessages([foreign]).messages).toEqual([{ role: 'user', content: '[image/png]' }])
    expect(modelMessages([pictured(null)]).messages).toEqual([{ role: 'user', content: '[image/png]' }])
  })

  it('takes nothing for nothing, and a prompt alone for a prompt', () => {
    expect(modelMessages([])).toEqual({ instructions: [], messages: [] })
    expect(modelMessages([prompt])).toEqual({ instructions: [{ role: 'system', content: 'Be brief.' }], messages: [] })
  })
})
