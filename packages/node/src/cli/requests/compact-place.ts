import { transcriptHandle } from '@plimsoll/core/session'
import { type CompactOptions, type CompactOutcome, compactSession } from '../../agent/compact-session.ts'
import { foldedBy } from '../../agent/compaction-history.ts'
import { forkCompacted } from '../../agent/fork-compacted.ts'
import { planSession } from '../../agent/plan-session.ts'
import { type SideUsage, sideUsageEntry } from '../../agent/side-usage.ts'
import { openSession, readSession } from '../../session/open-session.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import { type SessionContext, writing } from '../session-context.ts'

/** Where the result of a compaction is. */
export interface Place {
  /** The session that was compacted, and the one it was split from. */
  readonly session: string
  readonly from: string | null
  readonly handle: string | null
  /** Whether another compaction would find more to fold. */
  readonly hasMore: boolean
}

/** How a stored session is compacted. */
export interface PlaceOptions extends CompactOptions {
  /** What the writer took, once it has written. */
  readonly used: readonly SideUsage[]
}

/** Compacts a stored session where it is. */
export async function compactInPlace(
  id: string,
  options: PlaceOptions,
  context: SessionContext,
): Promise<Place & { readonly outcome: CompactOutcome }> {
  const session = await openSession(context.sessions, id, writing(context))
  try {
    const outcome = await compactSession(session, options)
    await keepUsage(session, options)
    return {
      outcome,
      session: id,
      from: null,
      handle: handleOfFolded(session, outcome),
      hasMore: hasMore(session, outcome, options),
    }
  } finally {
    await session.close()
  }
}

/** Compacts a stored session into a new one and leaves it as it is. */
export async function compactIntoFork(
  id: string,
  options: PlaceOptions,
  context: SessionContext,
): Promise<Place & { readonly outcome: CompactOutcome }> {
  const original = await readSession(context.sessions, id)
  try {
    const { outcome, session } = await forkCompacted(context.sessions, original, options, writing(context))
    try {
      if (session !== null) await keepUsage(session, options)
      const place = session ?? original
      const handle = handleOfFolded(place, outcome)
      return { outcome, session: place.id, from: id, handle, hasMore: hasMore(place, outcome, options) }
    } finally {
      await session?.close()
    }
  } finally {
    await original.close()
  }
}

/** Whether or not the summary is of use, it was paid for. */
async function keepUsage(session: OpenSession, { used }: PlaceOptions): Promise<void> {
  if (used.length > 0) await session.append(used.map(sideUsageEntry))
}

/** What gives back the messages that were folded just now. */
function handleOfFolded(session: StoredSession, outcome: CompactOutcome): string | null {
  const messages = outcome.kind === 'compacted' ? foldedBy(session, session.state().leaf, outcome.fold) : null
  return messages === null ? null : transcriptHandle(messages)
}

/** A notice stands for rounds that are not folded yet, so that more of those is no news. */
function hasMore(session: StoredSession, outcome: CompactOutcome, options: CompactOptions): boolean {
  return outcome.kind === 'compacted' && outcome.kept !== 'notice' && planSession(session, options) !== null
}
