import type { Message } from '@plimsoll/core'
import type { ReadSession } from './log-reader.ts'

/**
 * The messages in the context right after a compaction: the summary, and the older messages that were kept, in order.
 * `context` is what was in the context before. Messages that were compacted earlier are not in it, so they do not come back.
 */
export function contextAfter(
  { keptFrom, keptMessages }: Pick<ReadSession, 'keptFrom' | 'keptMessages'>,
  summary: Message,
  context: readonly Message[],
): readonly Message[] {
  const first = keptFrom?.get(summary.id)
  const from = first === undefined ? -1 : context.findIndex(({ id }) => id === first)
  if (from >= 0) return [summary, ...context.slice(from)]
  const named = keptMessages?.get(summary.id)
  if (named === undefined) return [summary]
  const kept = context.filter(({ id }) => named.ids.has(id))
  return named.place === 'before-summary' ? [...kept, summary] : [summary, ...kept]
}

/** The messages of a session that are in the context at its end: what the last compaction left, and everything since. */
export function contextAtEnd(session: ReadSession): readonly Message[] {
  let context: Message[] = []
  for (const message of session.messages) {
    if (message.summary === true) context = [...contextAfter(session, message, context)]
    else context.push(message)
  }
  return context
}
