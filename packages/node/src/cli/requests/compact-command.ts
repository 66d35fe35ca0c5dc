import { resolve } from 'node:path'
import { transcriptHandle } from '@plimsoll/core/session'
import { countMessages, estimator } from '@plimsoll/core/text'
import { type CompactOptions, type CompactOutcome, compactSession } from '../../agent/compaction/compact-session.ts'
import { foldedBy, undoCompaction } from '../../agent/compaction/compaction-history.ts'
import { forkCompacted } from '../../agent/compaction/hand-over.ts'
import { planSession, previewSession } from '../../agent/compaction/plan-session.ts'
import { type SideUsage, sideUsageEntry } from '../../agent/request/session-cost.ts'
import { ModelChoiceError } from '../../model/server-access.ts'
import { configuredWriter } from '../../model/side-calls.ts'
import { openSession, readSession } from '../../session/open-session.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { modelProblemText } from '../agent/agent-options.ts'
import { CommandError, type CommandIo, closing } from '../command-io.ts'
import { chooseSession, withLongSession } from '../sessions/session-choice.ts'
import { promptsFor, type SessionContext, type SessionOptions, sayNotices, sessionContext, writing } from '../settings.ts'
import { createScreen } from '../terminal/screen.ts'
import { cleanText } from '../terminal/text.ts'
import { jsonLine } from '../terminal/write-out.ts'
import { type CompactAccount, compactScreen, followCompaction, previewAccount } from './compact-screen.ts'
import { countOf, type WindowInForce, windowFor } from './view-options.ts'

interface CompactCommandOptions extends SessionOptions {
  readonly fork?: boolean
  readonly preview?: boolean
  readonly undo?: boolean
  readonly focus?: string
  readonly keep?: string
  readonly model?: string
  readonly baseUrl?: string
}

/** Folds the older rounds of a stored session into a summary, previews that, or undoes the latest fold. */
export async function compactCommand(word: string, options: CompactCommandOptions, io: CommandIo): Promise<void> {
  const context = await sessionContext(options, io)
  const { sessions, settings, strings } = context
  refuseContradictions(options, strings)
  const { config } = settings
  const plan: Plan = {
    config,
    keepRounds: countOf(options.keep, strings.requestCommands.badKeep) ?? config.compaction.keep_rounds,
    focus: options.focus === '' ? undefined : options.focus,
    now: io.now(),
    // A compaction by hand is not stopped by earlier failures.
    force: true,
  }
  const { config: writerConfig, window } = windowFor(settings, options.model ?? config.compaction.model)
  const writer = writerOf(options, { ...context, settings: { ...settings, config: writerConfig } })
  sayNotices(io, [...settings.warnings, ...writer.notices], options)
  const id = await chooseSession(sessions, word, strings.sessionCommands)
  const chosen = { ...writer, window: writer.model === null ? null : window }
  const account = await withLongSession(id, context, () => accountOf(id, plan, chosen, options, context))
  const answer =
    options.json === true
      ? jsonLine(account, id, strings)
      : [compactScreen(account, strings, createScreen(strings.view, options, io))]
  for (const piece of answer) io.stdout.write(piece)
}

type Writer = ReturnType<typeof writerOf> & { readonly window: WindowInForce | null }
type Plan = Omit<CompactOptions, 'writer' | 'emit' | 'signal'> & { readonly keepRounds: number }

async function accountOf(id: string, plan: Plan, writer: Writer, options: CompactCommandOptions, context: SessionContext) {
  if (options.undo === true) return undo(id, context)
  return options.preview === true ? preview(id, plan, writer, context) : compact(id, plan, writer, options, context)
}

async function undo(id: string, context: SessionContext): Promise<CompactAccount> {
  return closing(await openSession(context.sessions, id, writing(context)), async (session) => {
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
  })
}

async function preview(id: string, plan: Plan, writer: Writer, { sessions }: SessionContext): Promise<CompactAccount> {
  const found = await closing(await readSession(sessions, id), (session) => previewSession(session, plan))
  const { keepRounds } = plan
  return found === null
    ? { outcome: 'unchanged', session: id, reason: 'nothing-to-fold', keepRounds }
    : previewAccount(id, found, keepRounds, { model: writer.model, window: writer.window })
}

async function compact(
  id: string,
  plan: Plan,
  { writer, model, window, used }: Writer,
  options: CompactCommandOptions,
  context: SessionContext,
): Promise<CompactAccount> {
  const { io, strings } = context
  const follower = followCompaction(io, model, plan.config, options, strings)
  const compactStored = options.fork === true ? compactIntoFork : compactInPlace
  const wish = { ...plan, writer, used, emit: follower.emit, signal: io.interrupted?.() }
  const { outcome, ...place } = await compactStored(id, wish, context).finally(() => follower.end())
  const start = follower.start()
  if (outcome.kind === 'cancelled') throw new CommandError(strings.requestCommands.cancelled, 1)
  if (outcome.kind === 'unchanged' || start === null) {
    const reason = outcome.kind === 'unchanged' ? outcome.reason : 'nothing-to-fold'
    return { outcome: 'unchanged', session: id, reason, keepRounds: plan.keepRounds }
  }
  return {
    outcome: 'compacted',
    session: place.session,
    from: place.from,
    kept: outcome.kept,
    messages: start.messages,
    rounds: start.rounds,
    tokensBefore: follower.tokensBefore(),
    tokensAfter: outcome.tokensAfter,
    fold: outcome.fold.id,
    handle: place.handle,
    hasMore: place.hasMore,
    failure: outcome.failure?.code ?? null,
    window,
  }
}

function refuseContradictions(options: CompactCommandOptions, { requestCommands }: Strings): void {
  const others = [
    ['--preview', options.preview],
    ['--fork', options.fork],
    ['--focus', options.focus],
    ['--keep', options.keep],
    ['--model', options.model],
    ['--base-url', options.baseUrl],
  ] as const
  const beside = others.find(([, value]) => value !== undefined)
  if (options.undo === true && beside !== undefined) throw new CommandError(requestCommands.notTogether('--undo', beside[0]), 2)
  if (options.preview === true && options.fork === true)
    throw new CommandError(requestCommands.notTogether('--preview', '--fork'), 2)
}

/** Uses a model only if the user names one: by option, by variable or in their own configuration. */
function writerOf(options: CompactCommandOptions, { io, settings, strings }: SessionContext) {
  const codeAlone = (...notices: readonly string[]) => ({ writer: null, model: null, notices, used: [] })
  const { requestCommands } = strings
  const { config } = settings
  const model = options.model ?? config.compaction.model ?? ''
  if (model === '') {
    if (options.baseUrl !== undefined) throw new CommandError(requestCommands.addressAlone, 2)
    return codeAlone()
  }
  const shown = cleanText(model)
  // Grows while the writer writes.
  const used: SideUsage[] = []
  try {
    const writer = configuredWriter({
      config: { ...config, compaction: { ...config.compaction, model } },
      current: null,
      url: options.baseUrl,
      environment: io.environment,
      prompt: promptsFor(config, resolve(io.folder, options.root ?? '.'), io).summary,
      onUsage: async ({ usage, isEstimated }) => void used.push({ model, usage, what: 'summary', isEstimated }),
    })
    return { writer, model: shown, notices: [], used }
  } catch (error) {
    if (!(error instanceof ModelChoiceError)) throw error
    const sentence = modelProblemText(error.problem, shown, requestCommands)
    // An option has to be followed; a setting may be skipped.
    const isWish = options.model === undefined && (error.problem.kind === 'no-server' || error.problem.kind === 'no-key')
    if (!isWish) throw new CommandError(sentence, 2)
    return codeAlone(sentence)
  }
}

type PlaceOptions = CompactOptions & { readonly used: readonly SideUsage[] }

async function compactInPlace(id: string, options: PlaceOptions, context: SessionContext) {
  return closing(await openSession(context.sessions, id, writing(context)), async (session) => {
    const outcome = await compactSession(session, options)
    await keepUsage(session, options)
    return { outcome, from: null, ...placeOf(session, outcome, options) }
  })
}

async function compactIntoFork(id: string, options: PlaceOptions, context: SessionContext) {
  return closing(await readSession(context.sessions, id), async (original) => {
    const { outcome, session } = await forkCompacted(context.sessions, original, options, writing(context))
    try {
      if (session !== null) await keepUsage(session, options)
      return { outcome, from: id, ...placeOf(session ?? original, outcome, options) }
    } finally {
      await session?.close()
    }
  })
}

/** A useless summary has to be paid for, too. */
async function keepUsage(session: OpenSession, { used }: PlaceOptions): Promise<void> {
  if (used.length > 0) await session.append(used.map(sideUsageEntry))
}

function placeOf(session: StoredSession, outcome: CompactOutcome, options: CompactOptions) {
  const messages = outcome.kind === 'compacted' ? foldedBy(session, session.state().leaf, outcome.fold) : null
  return {
    session: session.id,
    handle: messages === null ? null : transcriptHandle(messages),
    // After a notice the rounds are not compacted yet, so it is obvious that more remain.
    hasMore: outcome.kind === 'compacted' && outcome.kept !== 'notice' && planSession(session, options) !== null,
  }
}
