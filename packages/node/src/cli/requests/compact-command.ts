import { countMessages, estimator } from '@plimsoll/core/text'
import type { CompactOptions } from '../../agent/compaction/compact-session.ts'
import { undoCompaction } from '../../agent/compaction/compaction-history.ts'
import { previewSession } from '../../agent/compaction/plan-session.ts'
import { openSession, readSession } from '../../session/open-session.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { chooseSession, withLongSession } from '../sessions/session-choice.ts'
import { type SessionContext, sayNotices, sessionContext, writing } from '../settings.ts'
import { createScreen } from '../terminal/screen.ts'
import { jsonLine } from '../terminal/write-out.ts'
import {
  type ChosenWriter,
  type CompactCommandOptions,
  compactInPlace,
  compactIntoFork,
  refuseContradictions,
  writerOf,
} from './compact-options.ts'
import { type CompactAccount, compactScreen, followCompaction, previewAccount, type UndoneAccount } from './compact-screen.ts'
import { countOf, type WindowInForce, windowFor } from './view-options.ts'

/** Folds the older rounds of a stored session into a summary, shows what that would do, or takes the latest fold back. */
export async function compactCommand(word: string, options: CompactCommandOptions, io: CommandIo): Promise<void> {
  const context = sessionContext(options, io)
  const { sessions, settings, strings } = context
  refuseContradictions(options, strings)
  const { config } = settings
  const plan: Plan = {
    config,
    keepRounds: countOf(options.keep, strings.requestCommands.badKeep) ?? config.compaction.keep_rounds,
    focus: options.focus === '' ? undefined : options.focus,
    now: io.now(),
    // Who asks for it by hand is not stopped by what went wrong before.
    force: true,
  }
  const { config: writerConfig, window } = windowFor(settings, options.model ?? config.compaction.model)
  const writer = writerOf(options, { ...context, settings: { ...settings, config: writerConfig } })
  const chosen: WriterInWindow = { ...writer, window: writer.model === null ? null : window }
  sayNotices(io, [...settings.warnings, ...chosen.notices], options)
  const id = await chooseSession(sessions, word, strings.sessionCommands)
  const account = await withLongSession(id, context, () => accountOf(id, plan, chosen, options, context))
  const answer =
    options.json === true
      ? jsonLine(account, id, strings)
      : [compactScreen(account, strings, createScreen(strings.view, options, io))]
  for (const piece of answer) io.stdout.write(piece)
}

/** Who writes the summary, and how much of a conversation a model can be given for it. */
interface WriterInWindow extends ChosenWriter {
  /** Null where code alone writes. */
  readonly window: WindowInForce | null
}

interface Plan extends Omit<CompactOptions, 'writer' | 'emit' | 'signal'> {
  readonly keepRounds: number
}

function accountOf(
  id: string,
  plan: Plan,
  chosen: WriterInWindow,
  options: CompactCommandOptions,
  context: SessionContext,
): Promise<CompactAccount> {
  if (options.undo === true) return undo(id, context)
  if (options.preview === true) return preview(id, plan, chosen, context)
  return compact(id, plan, chosen, options, context)
}

async function undo(id: string, context: SessionContext): Promise<UndoneAccount> {
  const session = await openSession(context.sessions, id, writing(context))
  try {
    const before = session.state().messages
    const fold = await undoCompaction(session)
    if (fold === null) throw new CommandError(context.strings.requestCommands.noCompaction, 1)
    const after = session.state().messages
    return {
      outcome: 'undone',
      session: id,
      fold: fold.id,
      messages: after.length - before.length + 1,
      tokensBefore: countMessages(before, estimator),
      tokensAfter: countMessages(after, estimator),
    }
  } finally {
    await session.close()
  }
}

async function preview(
  id: string,
  plan: Plan,
  { model, window }: WriterInWindow,
  { sessions }: SessionContext,
): Promise<CompactAccount> {
  const session = await readSession(sessions, id)
  try {
    const found = previewSession(session, plan)
    if (found === null) return { outcome: 'unchanged', session: id, reason: 'nothing-to-fold', keepRounds: plan.keepRounds }
    return previewAccount(id, found, plan.keepRounds, { model, window })
  } finally {
    await session.close()
  }
}

async function compact(
  id: string,
  plan: Plan,
  { writer, model, window, used }: WriterInWindow,
  options: CompactCommandOptions,
  context: SessionContext,
): Promise<CompactAccount> {
  const { io, strings } = context
  const follower = followCompaction(io, model, plan.config, options, strings)
  const signal = io.interrupted?.()
  const compactStored = options.fork === true ? compactIntoFork : compactInPlace
  try {
    const stored = await compactStored(id, { ...plan, writer, used, emit: follower.emit, signal }, context)
    const { outcome, session, from, handle, hasMore } = stored
    const start = follower.start()
    if (outcome.kind === 'cancelled') throw new CommandError(strings.requestCommands.cancelled, 1)
    if (outcome.kind === 'unchanged' || start === null) {
      const reason = outcome.kind === 'unchanged' ? outcome.reason : 'nothing-to-fold'
      return { outcome: 'unchanged', session: id, reason, keepRounds: plan.keepRounds }
    }
    return {
      outcome: 'compacted',
      session,
      from,
      kept: outcome.kept,
      messages: start.messages,
      rounds: start.rounds,
      tokensBefore: follower.tokensBefore(),
      tokensAfter: outcome.tokensAfter,
      fold: outcome.fold.id,
      handle,
      hasMore,
      failure: outcome.failure?.code ?? null,
      window,
    }
  } finally {
    follower.end()
  }
}
