import type { Message } from '../message.ts'

/**
 * The last message of a request that counts as sent, by its id. `known` is the place of the last message of the last request on this
 * branch; null where none is known. Whatever a model has answered to was sent, whoever sent it. Null means that nothing was sent.
 */
export function lastSent(messages: readonly Message[], known: number | null): string | null {
  const answer = messages.findLastIndex(({ role }) => role === 'assistant')
  if (known !== null) {
    const isOnlyAnswered = messages.slice(known + 1, answer + 1).every(({ role }) => role === 'assistant')
    return messages[isOnlyAnswered ? known : answer]?.id ?? null
  }
  if (answer >= 0) return messages[answer]?.id ?? null
  // A result that nobody asked for has not been seen either; what stands before it says so to those who plan.
  const result = messages.findIndex(({ role }) => role === 'tool')
  return messages[result - 1]?.id ?? null
}
