import type { Message } from '../message.ts'

/** Where a conversation stands: the last message that was sent, and the last one that a model has seen. Null: none. */
export interface SentPlaces {
  readonly sent: string | null
  readonly seen: string | null
}

/**
 * Works out what was sent and seen of these messages. `sent` is the last message of the last accepted request, whatever model it went to.
 * Whatever a model has answered to was seen, whoever sent it. If more was answered than we know of, or if the last request is not part
 * of these messages any more (a rewind, a fork, a shortened history), everything up to the last answer counts as sent.
 */
export function sentPlaces(messages: readonly Message[], sent: string | null): SentPlaces {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  let last = -1
  if (sent !== null) {
    last = messages.findLastIndex(({ id }) => id === sent)
    if (answered > last && !isAnswerOnly(messages, last, answered)) last = answered
  }
  return { sent: messages[last]?.id ?? null, seen: messages[Math.max(last, answered)]?.id ?? null }
}

/** Whether all that follows the last request is its answer. */
function isAnswerOnly(messages: readonly Message[], last: number, answered: number): boolean {
  if (last < 0) return false
  for (let index = last + 1; index <= answered; index += 1) if (messages[index]?.role !== 'assistant') return false
  return true
}
