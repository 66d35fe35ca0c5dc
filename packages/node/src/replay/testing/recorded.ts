import type { Message } from '@plimsoll/core'
import { estimator } from '@plimsoll/core/text'
import { type RecordedSession, recordSession } from '../record-session.ts'

/** A session of these messages, as if they had been read from a log. */
export function recorded(...messages: readonly Message[]): RecordedSession {
  const read = { id: null, title: null, messages, usages: [], compactions: 0, sidechains: 0, abandoned: 0 }
  return recordSession(read, { name: 'made', format: 'made', tokens: estimator })
}

/** A message of the model. */
export function says(id: string, text: string): Message {
  return { id, role: 'assistant', parts: [{ type: 'text', text }] }
}

/** The messages that a step was sent. */
export function sentAt(session: RecordedSession, step: number): readonly Message[] {
  const { segment, length } = session.steps[step] ?? { segment: 0, length: 0 }
  return (session.segments[segment] ?? []).slice(0, length)
}
