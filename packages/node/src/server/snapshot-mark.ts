import type { StoredSession } from '../session/session.ts'
import type { EventBuffer } from './event-buffer.ts'

/** The event up to which everything that happened stands in the log, so that a client that reads the log goes on behind it. */
export interface SnapshotMark {
  /** Looks whether the log has grown. To be called before each event is added. */
  readonly look: () => void
  /** What happened until now needs not be told to anybody again. */
  readonly settle: () => void
  /** The event's id. */
  readonly event: () => string
}

/**
 * What the agent tells of an answer or of a call comes before the message that holds it all; once that message is stored, nobody has to
 * be told again.
 */
export function createSnapshotMark(session: StoredSession, events: EventBuffer): SnapshotMark {
  let seen = session.heads().length
  let mark = events.last()

  function look(): void {
    const heads = session.heads()
    let hasGrown = false
    for (; seen < heads.length; seen += 1) hasGrown ||= heads[seen]?.type === 'message'
    if (hasGrown) mark = events.last()
  }

  return {
    look,
    settle() {
      look()
      mark = events.last()
    },
    event() {
      look()
      // Whoever asked for events that are gone would be told to ask again, without end.
      if (events.after(mark) === 'gone') mark = events.last()
      return mark
    },
  }
}
