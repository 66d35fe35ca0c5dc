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

/**
 * The message from which a request no longer continues the last one, because messages before others were removed, as a client's own compaction does. `ids`
 * are those of the last request. Null if it continues, was rewound, or if messages only changed at their places.
 */
export function compactedAt(messages: readonly Message[], ids: readonly string[]): string | null {
  let common = 0
  while (common < ids.length && messages[common]?.id === ids[common]) common += 1
  if (common >= ids.length || common >= messages.length) return null
  const places = new Map(ids.map((id, index) => [id, index]))
  const rest = messages.slice(common)
  const isKept = rest.some(({ id }) => places.has(id))
  const isShifted = rest.some(({ id }, index) => (places.get(id) ?? 0) > common + index)
  // Nothing may be left but the answer to it.
  const isReplaced = !isKept && messages.slice(0, common).every(({ role }) => role === 'system')
  return isShifted || isReplaced ? (messages[common]?.id ?? null) : null
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
