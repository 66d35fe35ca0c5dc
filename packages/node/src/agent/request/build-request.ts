import { type Facts, handleOf, type Policy, type Report } from '@plimsoll/core'
import type { Load } from '@plimsoll/core/bill'
import { type Config, outputReserve } from '@plimsoll/core/policies'
import type { Entry } from '@plimsoll/core/session'
import { estimator } from '@plimsoll/core/text'
import type { ToolOffer } from '../../model/model-client.ts'
import { branchBack } from '../../session/branch.ts'
import type { StoredSession } from '../../session/session.ts'
import type { AskContext } from '../ask-context.ts'
import { foldedTodos } from '../compaction/compaction-history.ts'
import { ledgerInForce } from './keep-alive.ts'
import { type LearnedLimits, learnedLimits, mostFactor, withLearnedLimits } from './learned-limits.ts'
import { agentTiming, type NextRequest, nextRequest } from './next-request.ts'
import { knownLayers } from './record-request.ts'

/** A request that is ready to be sent, and what it was made to fit. */
export interface BuiltRequest {
  readonly request: NextRequest
  /** The configuration with the limits in force. */
  readonly config: Config
  readonly limits: LearnedLimits
  /** Tokens of window, and those of them that a request may have. */
  readonly window: number
  readonly usable: number
  /** Tokens of the tool definitions. */
  readonly toolTokens: number
  /** The handle of the tool definitions. */
  readonly toolsHandle: string
  readonly maxOutputTokens: number
  /** Whether it must not be sent: it is over a line that is known, not guessed. */
  readonly isOverLine: boolean
}

/** What one request is made with besides its context. */
export interface BuildOptions {
  /** In place of the context's. */
  readonly policies?: readonly Policy[]
}

/** Builds the next request of a session for its model, within what refusals have taught about it. Changes nothing. */
export async function buildRequest(context: AskContext, options: BuildOptions = {}): Promise<BuiltRequest> {
  const { session, model, tools } = context
  const limits = learnedLimits(session, model.name)
  const config = withLearnedLimits(context.config, limits)
  const rules = await context.rules()
  const stored = session.state()
  const state = { ...stored, ledger: ledgerInForce(session, stored) }
  const { tokens: toolTokens, handle: toolsHandle } = offeredTools(tools)
  const facts: Facts = {
    now: context.now(),
    root: context.root,
    platform: process.platform,
    config,
    overhead: toolTokens,
    ...(model.cacheTerms === undefined ? {} : { cache: model.cacheTerms }),
  }
  const measured = limits.refused === null ? state : { ...state, measurements: [...state.measurements, limits.refused] }
  const shownRules = rulesShown(session, state.leaf, rules, config)
  const request = nextRequest({
    state: measured,
    config,
    policies: options.policies ?? context.policies,
    facts,
    model: model.name,
    system: context.system,
    rules,
    tools: toolsHandle,
    ...(shownRules === undefined ? {} : { shownRules }),
    todos: foldedTodos(session, state, facts),
  })
  const reserve = outputReserve(config)
  const { load, overflow } = request.report
  return {
    request,
    config,
    limits,
    window: config.context_window,
    usable: config.context_window - reserve,
    toolTokens,
    toolsHandle,
    maxOutputTokens: answerTokens(context, config, limits, load),
    isOverLine:
      overflow !== null &&
      !(limits.isGuessed && fitsWithoutGuess(context.config, request.report)) &&
      !fitsHoweverCounted(load, config.context_window - reserve),
  }
}

/** More than this is no answer but a book, and some providers count all of it against the limit per minute. */
const longestAnswer = 32_000

/** Tokens that the answer may have: the reserve, or more where the model can write more and there is clearly room for it. */
function answerTokens({ model, config: given }: AskContext, config: Config, limits: LearnedLimits, { high }: Load): number {
  const reserve = outputReserve(config)
  const allowed = limits.maxOutput ?? Number.POSITIVE_INFINITY
  // What a provider has refused once is not tried to its limits.
  if (given.output_reserve !== null || limits.window !== null) return Math.min(reserve, allowed)
  const most = Math.min(model.facts.outputLimit ?? reserve, longestAnswer)
  return Math.min(Math.max(reserve, Math.min(most, config.context_window - high)), allowed)
}

/** A window that was guessed may be too small; then the provider has the last word. */
function fitsWithoutGuess(config: Config, { load }: Report): boolean {
  return load.tokens <= config.context_window - outputReserve(config)
}

/**
 * Whether a request is over the line only because an earlier one was counted as far more than it can have been. Were it not sent,
 * that count would stand for ever.
 */
function fitsHoweverCounted({ estimate }: Load, usable: number): boolean {
  return estimate * mostFactor <= usable
}

interface OfferedTools {
  readonly tokens: number
  readonly handle: string
}

function offeredTools(tools: readonly ToolOffer[]): OfferedTools {
  let known = offers.get(tools)
  if (known === undefined) {
    const text = JSON.stringify(tools)
    known = { tokens: tools.length === 0 ? 0 : estimator.count(text), handle: handleOf(text) }
    offers.set(tools, known)
  }
  return known
}

// The same list is offered for a whole turn.
const offers = new WeakMap<readonly ToolOffer[], OfferedTools>()

/** The rules that stood in the last request of the branch; undefined where there was none, or where nobody asks. */
function rulesShown(session: StoredSession, leaf: string, current: string | null, config: Config): string | null | undefined {
  if (agentTiming(config) === 'immediate') return undefined
  const request = lastRequest(session, leaf)
  if (request?.type !== 'request') return undefined
  const handle = request.layers?.['rules']
  if (handle === undefined) return null
  if (current !== null && handleOf(current) === handle) return current
  const text = knownLayers(session).get(handle)
  // What was blanked before it was stored cannot be shown again as it was.
  return text === undefined || handleOf(text) !== handle ? undefined : text
}

function lastRequest(session: StoredSession, leaf: string): Entry | null {
  for (const { type, id } of branchBack(session, leaf)) if (type === 'request') return session.entry(id)
  return null
}
