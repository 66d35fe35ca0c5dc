import type { Message } from '@plimsoll/core'
import { foldSegment, roundsOf, type Segment, writeSummary } from '@plimsoll/core/compaction'
import type { FoldEdit } from '@plimsoll/core/policies'
import type { NewEntry } from '@plimsoll/core/session'
import { forkSession } from '../session/create-session.ts'
import { removeSession } from '../session/list-sessions.ts'
import type { WriteOptions } from '../session/open-session.ts'
import type { OpenSession, StoredSession } from '../session/session.ts'

/**
 * Starts a new session that carries on an old one: it is linked to it, and shows nothing of it but its summaries and an outline of what
 * was not summarised yet. No model is asked. The whole branch is in its log, so whatever these name can be recalled. The old session is
 * only read.
 */
export async function startHandOver(sessions: string, old: StoredSession, write: WriteOptions = {}): Promise<OpenSession> {
  const session = await forkSession(sessions, old, { ...write, reason: 'compaction' })
  try {
    const entries = handOverFolds(session).map((fold): NewEntry => ({ type: 'edits', apply: [fold] }))
    if (entries.length > 0) await session.append(entries)
    return session
  } catch (error) {
    // Half a hand-over is none; what went wrong first is what has to be told.
    await session.close().catch(() => undefined)
    await removeSession(sessions, session.id).catch(() => undefined)
    throw error
  }
}

/** A fold for each stretch of the conversation that no summary stands for yet. What would not become smaller stays as it is. */
function handOverFolds(session: StoredSession): readonly FoldEdit[] {
  const { messages, header } = session.state()
  const facts = { ...(header.root === undefined ? {} : { root: header.root }) }
  return stretchesOf(messages).flatMap(({ start, end }) => {
    const segment: Segment = {
      messages: messages.slice(start, end),
      kept: messages.slice(end),
      summaries: messages.slice(0, start).filter(({ summary }) => summary === true),
      rounds: { folded: roundsOf(messages.slice(start, end)).length, kept: 0 },
    }
    const fold = foldSegment(segment, writeSummary(segment, facts), facts)
    return fold === null ? [] : [fold]
  })
}

/** The runs of messages between summaries and what the system said. */
function stretchesOf(messages: readonly Message[]): readonly { readonly start: number; readonly end: number }[] {
  const stretches: { start: number; end: number }[] = []
  let start = 0
  for (let index = 0; index <= messages.length; index += 1) {
    const message = messages[index]
    if (message !== undefined && message.role !== 'system' && message.summary !== true) continue
    if (start < index) stretches.push({ start, end: index })
    start = index + 1
  }
  return stretches
}
