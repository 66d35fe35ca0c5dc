import type { Message } from '@plimsoll/core'
import { branchMessages } from './branch-messages.ts'
import { keepPins } from './keep-pins.ts'
import { rewindTo } from './rewind.ts'
import type { OpenSession, StoredSession } from './session.ts'
import { SessionError } from './session-error.ts'

/** What going back left behind. */
export interface RewoundBefore {
  /** The message that was gone back to. */
  readonly message: Message
  /** How many messages are on the branch no more. */
  readonly dropped: number
  /** The entry that was the last one, to which one can go back again. */
  readonly end: string
}

/**
 * Goes back to before a message of the active branch; what the user wants whole stays so. Throws `SessionError` where there is no such
 * message.
 */
export async function rewindBefore(session: OpenSession, id: string): Promise<RewoundBefore> {
  const entry = session.entry(id)
  const before = entryBefore(session, id)
  if (before === null || entry?.type !== 'message') throw new SessionError({ kind: 'no-entry', id })
  const { pins } = session.state()
  const count = branchMessages(session).length
  const end = session.heads().at(-1)?.id ?? session.id
  await rewindTo(session, before)
  const shown = new Set(branchMessages(session).map(({ head }) => head.id))
  await keepPins(session, pins, shown)
  return { message: entry.message, dropped: count - shown.size, end }
}

/** The entry that a message of the active branch continues; null where there is no such message. */
export function entryBefore(session: StoredSession, id: string): string | null {
  return branchMessages(session).find(({ head }) => head.id === id)?.head.parentId ?? null
}
