import type { RewindEntry } from '@plimsoll/core'
import { branchHeads } from './branch-heads.ts'
import type { OpenSession } from './session.ts'
import { SessionError } from './session-error.ts'

/** Goes on from an earlier entry. What came after it stays in the log and can be had back. */
export async function rewindTo(session: OpenSession, entry: string): Promise<RewindEntry> {
  const left = session.heads().at(-1)?.id ?? session.id
  const [appended] = await session.append([{ type: 'rewind', parentId: entry, left }])
  if (appended?.type !== 'rewind') throw new SessionError({ kind: 'no-entry', id: entry })
  return appended
}

/** Takes the latest rewind of the active branch back: goes on from where the conversation was before it. */
export async function undoRewind(session: OpenSession): Promise<RewindEntry> {
  const latest = branchHeads(session).findLast(({ type }) => type === 'rewind')
  const entry = latest === undefined ? null : session.entry(latest.id)
  if (entry?.type !== 'rewind') throw new SessionError({ kind: 'nothing-to-undo' })
  return rewindTo(session, entry.left)
}
