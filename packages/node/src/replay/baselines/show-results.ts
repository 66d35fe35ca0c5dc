import type { Message, ToolResultPart } from '@plimsoll/core'

/**
 * Shows another text in place of each result, the same at every request, or the result itself where there is none. Messages
 * without results keep their identity, and a message gives the same object every time.
 */
export function showResults(
  textFor: (part: ToolResultPart, message: Message, index: number) => string | null,
): (message: Message) => Message {
  const shown = new WeakMap<Message, Message>()
  return (message) => {
    if (message.role !== 'tool') return message
    const known = shown.get(message)
    if (known !== undefined) return known
    const parts = message.parts.map((part, index) => {
      const text = part.type === 'tool-result' ? textFor(part, message, index) : null
      return part.type === 'tool-result' && text !== null ? { ...part, content: { type: 'text' as const, text } } : part
    })
    const made = { ...message, parts }
    shown.set(message, made)
    return made
  }
}
