import type { Message, Part } from '@plimsoll/core'
import type { Role } from '@plimsoll/core/wire'
import type { StoredSession } from '../session/session.ts'

/** A message under an id that the session does not know yet. */
export function newMessage(session: StoredSession, role: Role, parts: readonly Part[], at: number): Message {
  return { id: freeId(session, session.heads().length).id, role, parts, at }
}

/** Several messages that are appended together, each under an id of its own. */
export function newMessages(
  session: StoredSession,
  role: Role,
  contents: readonly (readonly Part[])[],
  at: number,
): readonly Message[] {
  let from = session.heads().length
  return contents.map((parts) => {
    const { id, number } = freeId(session, from)
    from = number + 1
    return { id, role, parts, at }
  })
}

/** A session that was split off another one has ids with gaps between them. */
function freeId(session: StoredSession, from: number): { readonly id: string; readonly number: number } {
  let number = from
  while (session.entry(`m${number}`) !== null) number += 1
  return { id: `m${number}`, number }
}
