import { hash } from 'node:crypto'
import { handleOf, type Message } from '@plimsoll/core'
import type { Claim } from '../gateway-store.ts'
import { decision, noon } from './samples.ts'

/** A result of a file that was hidden. */
export function hidden(path: string, text: string, conversation: string): Claim {
  const message: Message = {
    id: `result of ${path} in ${conversation}`,
    role: 'tool',
    parts: [{ type: 'tool-result', callId: path, tool: 'Read', content: { type: 'text', text } }],
  }
  const part = { type: 'tool-call', callId: path, tool: 'Read', input: { path } } as const
  const call: Message = { id: `call of ${path} in ${conversation}`, role: 'assistant', parts: [part] }
  const sha256 = hash('sha256', text, 'hex')
  const key = `${path} ${conversation}`
  return { decision: decision(key, 'short'), original: { handle: handleOf(text), sha256, conversation, message, call, at: noon } }
}
