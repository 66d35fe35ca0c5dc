import type { NewEntry } from '@plimsoll/core/session'
import { branchMessages, restoredEdit } from '../session/branch.ts'
import type { OpenSession } from '../session/session.ts'
import type { SessionCommands } from '../shared/server-api.ts'
import { sessionRefusal } from './session-refusal.ts'

/** Takes edits back and changes what is kept whole: all of it, or nothing where something of it is not there. */
export async function changeEdits(session: OpenSession, change: Required<SessionCommands['edits']>): Promise<void> {
  const { restore, pin, unpin } = change
  const known = new Set(branchMessages(session).map(({ head }) => head.id))
  if (![...pin, ...unpin].every((id) => known.has(id))) throw sessionRefusal('NO_SUCH_MESSAGE')
  const pinned = new Set(session.state().pins)
  const entries: NewEntry[] = []
  for (const id of restore) {
    const restored = restoredEdit(session, id)
    if (restored === null) throw sessionRefusal('NO_SUCH_EDIT')
    entries.push(restored.entry)
  }
  const added = pin.filter((id) => !pinned.has(id))
  const removed = unpin.filter((id) => pinned.has(id))
  if (added.length > 0) entries.push({ type: 'edits', pin: added })
  if (removed.length > 0) entries.push({ type: 'edits', unpin: removed })
  if (entries.length > 0) await session.append(entries)
}
