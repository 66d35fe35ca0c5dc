import { type Facts, handleOf, type Policy } from '@plimsoll/core'
import type { Load } from '@plimsoll/core/bill'
import { type Config, outputReserve } from '@plimsoll/core/policies'
import type { Entry } from '@plimsoll/core/session'
import { estimator } from '@plimsoll/core/text'
import type { ToolOffer } from '../../model/model-client.ts'
import { branchBack } from '../../session/branch.ts'
import type { StoredSession } from '../../session/session.ts'
import type { AskContext } from '../agent.ts'
import { foldedTodos } from '../compaction/compaction-history.ts'
import { termsFor } from './cache-lifetime.ts'
import { ledgerInForce } from './keep-alive.ts'
import { type LearnedLimits, learnedLimits, maxFactor, withLearnedLimits } from './learned-limits.ts'
import { agentTiming, nextRequest } from './next-request.ts'
import { knownLayers, type OfferedServer } from './record-request.ts'

export type BuiltRequest = Awaited<ReturnType<typeof buildRequest>>

/** Builds the next request of a session for its model, within learned limits. Changes nothing. */
export async function buildRequest(context: AskContext, policies: readonly Policy[] | null = null) {
  const { session, model, tools } = context
  const cache = termsFor(model, context.cacheLifetime)
  const limits = learnedLimits(session, model.name)
  const config = withLearnedLimits(context.config, limits)
  const rules = await context.rules()
  const stored = session.state()
  const state = { ...stored, ledger: ledgerInForce(session, stored) }
  const { tokens: toolTokens, handle: toolsHandle, servers } = offeredTools(tools)
  const facts: Facts = {
    now: context.now(),
    root: context.root,
    platform: process.platform,
    config,
    overhead: toolTokens,
    ...(cache === undefined ? {} : { cache }),
  }
  const measured = limits.refused === null ? state : { ...state, measurements: [...state.measurements, limits.refused] }
  const shownRules = rulesShown(session, state.leaf, rules, config)
  const request = nextRequest({
    state: measured,
    config,
    policies: policies ?? context.policies,
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
    servers,
    maxOutputTokens: answerTokens(context, config, limits, load),
    // It must not be sent: it exceeds a limit that is known, not guessed.
    isOverLine:
      overflow !== null &&
      // A guessed window may be too small; then the provider decides.
      !(limits.isGuessed && load.tokens <= context.config.context_window - outputReserve(context.config)) &&
      // An earlier request may have been counted as far more than possible; unless one is sent, that count would stay.
      load.estimate * maxFactor > config.context_window - reserve,
  }
}

/** Some providers count all of it against the limit per minute. */
const maxAnswerTokens = 32_000

/** The reserve, or more if the model can write more and there is clearly room. */
function answerTokens({ model, config: given }: AskContext, config: Config, limits: LearnedLimits, { high }: Load): number {
  const reserve = outputReserve(config)
  const allowed = limits.maxOutput ?? Number.POSITIVE_INFINITY
  // After an error, the limit is not tried again.
  if (given.output_reserve !== null || limits.window !== null) return Math.min(reserve, allowed)
  const max = Math.min(model.facts.outputLimit ?? reserve, maxAnswerTokens)
  return Math.min(Math.max(reserve, Math.min(max, config.context_window - high)), allowed)
}

function offeredTools(tools: readonly ToolOffer[]): OfferedTools {
  const known = offers.get(tools)
  if (known !== undefined) return known
  const text = JSON.stringify(tools)
  const offered = { tokens: tools.length === 0 ? 0 : estimator.count(text), handle: handleOf(text), servers: serversOf(tools) }
  offers.set(tools, offered)
  return offered
}

// The list is the same for a complete turn.
const offers = new WeakMap<readonly ToolOffer[], OfferedTools>()

interface OfferedTools {
  readonly tokens: number
  readonly handle: string
  readonly servers: readonly OfferedServer[]
}

/** The tools of each MCP server, and the tokens of their definitions. */
function serversOf(tools: readonly ToolOffer[]): readonly OfferedServer[] {
  const byServer = Map.groupBy(tools, ({ name }) => /^mcp__(.+?)__/.exec(name)?.[1] ?? null)
  return [...byServer].flatMap(([server, offered]) =>
    server === null
      ? []
      : [
          {
            server,
            tools: offered.map(({ name }) => name),
            tokens: estimator.count(JSON.stringify(offered)),
            each: offered.map((tool) => estimator.count(JSON.stringify(tool))),
          },
        ],
  )
}

/** The rules in the last request of the branch; undefined without a request, or if they are not needed. */
function rulesShown(session: StoredSession, leaf: string, current: string | null, config: Config): string | null | undefined {
  if (agentTiming(config) === 'immediate') return undefined
  const request = lastRequest(session, leaf)
  if (request?.type !== 'request') return undefined
  const handle = request.layers?.['rules']
  if (handle === undefined) return null
  if (current !== null && handleOf(current) === handle) return current
  const text = knownLayers(session).get(handle)
  // Redacted text cannot be shown again.
  return text === undefined || handleOf(text) !== handle ? undefined : text
}

function lastRequest(session: StoredSession, leaf: string): Entry | null {
  for (const { type, id } of branchBack(session, leaf)) if (type === 'request') return session.entry(id)
  return null
}
