import type { Message } from '../message.ts'

/** Where a conversation stands: the last message that was sent, and the last one that a model has seen. Null: none. */
export interface SentPlaces {
  readonly sent: string | null
  readonly seen: string | null
}

/**
 * Works out what was sent and seen of these messages. `sent` is the last message of the last accepted request, whatever model it went to.
 * Whatever a model has answered to was seen, whoever sent it. If more was answered than we know of, everything up to the last answer
 * counts as sent. If the last message is gone (a rewind, a fork, a shortened history), so does what these messages begin with of the last
 * request, and the summaries in it, which stand for the rest of it; `ids` are all of its messages, if they are known.
 */
export function sentPlaces(
  messages: readonly Message[],
  sent: string | null,
  ids: () => readonly string[] = () => [],
): SentPlaces {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  let last = -1
  if (sent !== null) {
    last = messages.findLastIndex(({ id }) => id === sent)
    if (last < 0) last = commonStart(messages, new Set(ids())) - 1
    if (answered > last && !isAnswerOnly(messages, last, answered)) last = answered
  }
  return { sent: messages[last]?.id ?? null, seen: messages[Math.max(last, answered)]?.id ?? null }
}

/** How many messages at the beginning were part of the last request, or stand for what was. */
function commonStart(messages: readonly Message[], ids: ReadonlySet<string>): number {
  const first = messages.findIndex(({ id, summary }) => summary !== true && !ids.has(id))
  return first < 0 ? messages.length : first
}

function isAnswerOnly(messages: readonly Message[], last: number, answered: number): boolean {
  if (last < 0) return false
  for (let index = last + 1; index <= answered; index += 1) if (messages[index]?.role !== 'assistant') return false
  return true
}
