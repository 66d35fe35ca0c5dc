import type { SummaryWriter } from '@plimsoll/core/compaction'
import { transcriptHandle } from '@plimsoll/core/session'
import { type CompactOptions, type CompactOutcome, compactSession } from '../../agent/compaction/compact-session.ts'
import { foldedBy } from '../../agent/compaction/compaction-history.ts'
import { forkCompacted } from '../../agent/compaction/hand-over.ts'
import { planSession } from '../../agent/compaction/plan-session.ts'
import { type SideUsage, sideUsageEntry } from '../../agent/request/session-cost.ts'
import { ModelChoiceError } from '../../model/server-access.ts'
import { configuredWriter } from '../../model/side-calls.ts'
import { openSession, readSession } from '../../session/open-session.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { modelProblemText } from '../agent/agent-options.ts'
import { CommandError } from '../command-io.ts'
import { type SessionContext, type SessionOptions, writing } from '../settings.ts'
import { cleanText } from '../terminal/clean-text.ts'

export interface CompactCommandOptions extends SessionOptions {
  readonly fork?: boolean
  readonly preview?: boolean
  readonly undo?: boolean
  readonly focus?: string
  readonly keep?: string
  readonly model?: string
  readonly baseUrl?: string
}

/** Throws `CommandError` for options that contradict each other. */
export function refuseContradictions(options: CompactCommandOptions, { requestCommands }: Strings): void {
  const { undo, preview, fork } = options
  const others = [
    ['--preview', preview],
    ['--fork', fork],
    ['--focus', options.focus],
    ['--keep', options.keep],
    ['--model', options.model],
    ['--base-url', options.baseUrl],
  ] as const
  const beside = others.find(([, value]) => value !== undefined)
  if (undo === true && beside !== undefined) throw new CommandError(requestCommands.notTogether('--undo', beside[0]), 2)
  if (preview === true && fork === true) throw new CommandError(requestCommands.notTogether('--preview', '--fork'), 2)
}

/** Who writes the summary. */
export interface ChosenWriter {
  /** Null where code alone writes. */
  readonly writer: SummaryWriter | null
  /** The model's name as it can be shown; null where code alone writes. */
  readonly model: string | null
  /** What there is to say about the choice. */
  readonly notices: readonly string[]
  /** What the writer took; grows while it writes. */
  readonly used: readonly SideUsage[]
}

/**
 * The model that the user named, by the command, the environment or their own configuration; without a name nothing of a session is
 * sent anywhere. A project's file comes with the project, so what it names is used only at an address that the user gives.
 */
export function writerOf(options: CompactCommandOptions, { io, settings, strings }: SessionContext): ChosenWriter {
  const { requestCommands } = strings
  const { config, fromProject } = settings
  const model = options.model ?? config.compaction.model ?? ''
  if (model === '') {
    if (options.baseUrl !== undefined) throw new CommandError(requestCommands.addressAlone, 2)
    return { writer: null, model: null, notices: [], used: [] }
  }
  const shown = cleanText(model)
  if (options.model === undefined && options.baseUrl === undefined && fromProject.has('compaction.model'))
    return { writer: null, model: null, notices: [requestCommands.modelOfProject(shown)], used: [] }
  const used: SideUsage[] = []
  try {
    const writer = configuredWriter({
      config: { ...config, compaction: { ...config.compaction, model } },
      current: null,
      url: options.baseUrl,
      environment: io.environment,
      onUsage: async ({ usage, isEstimated }) => void used.push({ model, usage, what: 'summary', isEstimated }),
    })
    return { writer, model: shown, notices: [], used }
  } catch (error) {
    if (!(error instanceof ModelChoiceError)) throw error
    const sentence = modelProblemText(error.problem, shown, requestCommands)
    // Who names a model here and now wants that one; a setting is a wish that may wait.
    const isWish = options.model === undefined && (error.problem.kind === 'no-server' || error.problem.kind === 'no-key')
    if (!isWish) throw new CommandError(sentence, 2)
    return { writer: null, model: null, notices: [sentence], used: [] }
  }
}

/** Where the result of a compaction is. */
export interface Place {
  /** The session that was compacted: a new one where it was split from another. */
  readonly session: string
  readonly from: string | null
  /** What recalls the messages that were folded. */
  readonly handle: string | null
  /** Whether another compaction would find more to fold. */
  readonly hasMore: boolean
}

/** How a stored session is compacted. */
interface PlaceOptions extends CompactOptions {
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
