import type { Message, Part, Role } from '@plimsoll/core'
import type { StoredSession } from '../session/session.ts'

/** A message under an id that the session does not know yet; `offset` tells several apart that are appended together. */
export function newMessage(session: StoredSession, role: Role, parts: readonly Part[], at: number, offset = 0): Message {
  let number = session.heads().length + offset
  while (session.entry(`m${number}`) !== null) number += 1
  return { id: `m${number}`, role, parts, at }
}
