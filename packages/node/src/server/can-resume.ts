import type { Message } from '@plimsoll/core'

/** Whether a conversation ends with something that still wants an answer: what a person said, or what a tool said. */
export function canResume(messages: readonly Message[]): boolean {
  const last = messages.at(-1)
  if (last === undefined || last.role === 'system') return false
  return last.role !== 'assistant' || last.parts.some(({ type }) => type === 'tool-call')
}
