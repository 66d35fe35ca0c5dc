import type { Message } from '../message.ts'

/** The last message that was sent and the last one that a model has seen. Null: none. */
export interface SentPlaces {
  readonly sent: string | null
  readonly seen: string | null
}

/**
 * Works out what was sent and seen. `sent` is the last message of the last accepted request to any model. Anything a model has answered was seen, and
 * everything up to the last answer counts as sent. If the last message is gone (a rewind, a fork, a shortened history), the common start with the
 * last request counts as sent, including summaries of the rest; `ids` are all of its messages, if known.
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

function commonStart(messages: readonly Message[], ids: ReadonlySet<string>): number {
  const first = messages.findIndex(({ id, summary }) => summary !== true && !ids.has(id))
  return first < 0 ? messages.length : first
}

function isAnswerOnly(messages: readonly Message[], last: number, answered: number): boolean {
  if (last < 0) return false
  for (let index = last + 1; index <= answered; index += 1) if (messages[index]?.role !== 'assistant') return false
  return true
}
