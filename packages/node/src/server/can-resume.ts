import type { Message } from '@plimsoll/core'
import { branchMessages } from '../session/branch.ts'
import type { StoredSession } from '../session/session.ts'

/** Whether a conversation ends with something that still wants an answer: what a person said, or what a tool said. */
export function canResume(session: StoredSession): boolean {
  const shown = session.state().messages.at(-1)
  // What is still to be answered may stand behind a summary, which quotes or names it.
  const last = shown?.summary === true ? lastStored(session) : shown
  if (last === undefined || last.role === 'system') return false
  return last.role !== 'assistant' || last.parts.some(({ type }) => type === 'tool-call')
}

function lastStored(session: StoredSession): Message | undefined {
  const entry = session.entry(branchMessages(session).at(-1)?.head.id ?? '')
  return entry?.type === 'message' ? entry.message : undefined
}
