import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { modelMessages } from './model-prompt.ts'

const prompt: Message = { id: '0', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }
const summary: Message = { id: '1', role: 'system', summary: true, parts: [{ type: 'text', text: 'It was said.' }] }
const question: Message = { id: '2', role: 'user', parts: [{ type: 'text', text: 'And now?' }] }

describe('modelMessages', () => {
  it('Q-14 shows a summary at its place, never as a part of the system prompt', () => {
    expect(modelMessages([prompt, summary, question])).toEqual({
      instructions: 'Be brief.',
      messages: [
        { role: 'user', content: '<system-reminder>\nIt was said.\n</system-reminder>' },
        { role: 'user', content: 'And now?' },
      ],
    })
  })

  it('takes nothing for nothing, and a prompt alone for a prompt', () => {
    expect(modelMessages([])).toEqual({ messages: [] })
    expect(modelMessages([prompt])).toEqual({ instructions: 'Be brief.', messages: [] })
  })
})
