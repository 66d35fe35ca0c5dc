import type { Message } from '@plimsoll/core'
import { foldSegment, roundsOf, type Segment, writeSummary } from '@plimsoll/core/compaction'
import type { Config, FoldEdit } from '@plimsoll/core/policies'
import type { NewEntry } from '@plimsoll/core/session'
import { modelStringsIn } from '@plimsoll/core/text'
import { forkSession } from '../../session/create-session.ts'
import { removeSession } from '../../session/list-sessions.ts'
import type { WriteOptions } from '../../session/open-session.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { Agent } from '../agent.ts'
import { type CompactOptions, type CompactOutcome, compactSession } from './compact-session.ts'
import { planSession } from './plan-session.ts'

/**
 * Starts a new session that continues an old one and is linked to it: it shows only the summaries of the old one, and an outline
 * of the rest. No model is asked. The complete branch is in its log, so everything can be recalled. The old session is only read.
 */
export async function startHandOver(sessions: string, old: StoredSession, write: WriteOptions = {}): Promise<OpenSession> {
  const session = await forkSession(sessions, old, { ...write, reason: 'compaction' })
  try {
    const entries = handOverFolds(session).map((fold): NewEntry => ({ type: 'edits', apply: [fold] }))
    if (entries.length > 0) await session.append(entries)
    return session
  } catch (error) {
    // Removes an incomplete session; the first error counts.
    await session.close().catch(() => undefined)
    await removeSession(sessions, session.id).catch(() => undefined)
    throw error
  }
}

/** A fold for each part of the conversation without a summary, unless that would not make it smaller. */
function handOverFolds(session: StoredSession): readonly FoldEdit[] {
  const { messages, header } = session.state()
  const facts = { strings: modelStringsIn(header.strings), ...(header.root === undefined ? {} : { root: header.root }) }
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

/** Compacts a session into a new one with the complete branch. The original is only read. Without a fold, none is left. */
export async function forkCompacted(
  sessions: string,
  original: StoredSession,
  options: CompactOptions,
  write: WriteOptions = {},
): Promise<{ readonly outcome: CompactOutcome; readonly session: OpenSession | null }> {
  if (planSession(original, options) === null)
    return { outcome: { kind: 'unchanged', reason: 'nothing-to-fold', failure: null }, session: null }
  const session = await forkSession(sessions, original, { ...write, reason: 'compaction' })
  const discard = async () => {
    await session.close()
    await removeSession(sessions, session.id)
  }
  const outcome = await compactSession(session, options).catch(async (error: unknown) => {
    await discard().catch(() => undefined)
    throw error
  })
  if (outcome.kind === 'compacted') return { outcome, session }
  await discard()
  return { outcome, session: null }
}

/** Compacts a conversation that is too long, with fewer and fewer rounds kept. */
export async function compactHarder(agent: Agent, { compaction }: Config, signal: AbortSignal): Promise<void> {
  const { keep_rounds: usual } = compaction
  for (const keepRounds of [usual, Math.max(1, Math.floor(usual / 2)), 1]) {
    const { kind } = await agent.compact({ keepRounds }, signal)
    if (kind !== 'unchanged') return
  }
}
