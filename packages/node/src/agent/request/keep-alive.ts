import { costOfTurn, normaliseUsage, type Price, promptTotal, type Usage } from '@plimsoll/core/bill'
import { type Config, keptAlive, type Ledger, mayKeepAlive, momentOf, planKeepAlive, settleLedger } from '@plimsoll/core/policies'
import type { Entry, SessionState } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import { ModelCallError, type ModelClient } from '../../model/model-client.ts'
import { noCache } from '../../model/prompt-cache.ts'
import type { Environment } from '../../model/server-access.ts'
import { branchBack } from '../../session/branch.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { Emit } from '../../shared/event.ts'
import type { Agent } from '../agent.ts'
import { notify } from '../ask-context.ts'
import { safeWords } from '../turn/model-error.ts'
import { lastView, rememberView, type SentView } from './last-view.ts'
import { costOfSession, type PriceOf, sideUsageEntry, sideUsageIn } from './session-cost.ts'

/** What a prompt is kept alive with. */
export interface KeepAliveContext {
  readonly session: OpenSession
  readonly config: Config
  readonly model: ModelClient
  readonly environment: Environment
  readonly emit: Emit
  readonly priceOf: PriceOf
  /** The time in milliseconds. */
  readonly now: () => number
}

/** When the last prompt has to be sent again so that the provider keeps it, in milliseconds; null where it is not to be. */
export function keepAliveDue(context: KeepAliveContext): number | null {
  return nextChance(context)?.due ?? null
}

/**
 * Sends the last prompt again, for an answer of one token that nobody reads, so that the provider keeps it a while longer. Runs no tool.
 * Tells whether it was kept; false where it is not wanted, not covered, not due yet, refused, or stopped by the signal.
 */
export async function keepAlive(context: KeepAliveContext, signal: AbortSignal): Promise<boolean> {
  const { session, model, emit, now, environment } = context
  const chance = nextChance(context)
  if (chance === null || now() < chance.due) return false
  const { last, price } = chance
  const start = now()
  try {
    const { messages, tools, breakpoints } = last
    const request = { messages, tools, maxOutputTokens: leastAnswer(model), breakpoints, signal }
    const answer = await model.call(request, () => undefined)
    const reported = normaliseUsage(answer.usage)
    const usage = reported ?? chance.expected
    const cost = costOfTurn(usage, price)
    // Dollars for a million tokens, so this is in tokens of input.
    const spent = ((cost?.dollars ?? 0) / price.input) * 1_000_000
    const note = {
      model: model.name,
      usage,
      what: 'keep-alive',
      isEstimated: reported === null,
      kept: { at: start, spent },
    } as const
    await session.append([sideUsageEntry(note)])
    rememberView(session, { ...last, at: now() })
    const { dollars, unpriced, keepAlive: all } = costOfSession(session, context.priceOf)
    const durationMs = now() - start
    const total = { dollars, unpriced }
    emit({ type: 'usage', data: { what: 'keep-alive', usage, cost, total, firstMs: null, durationMs } })
    notify(emit, 'kept_alive', `${all.times} × · $${all.dollars.toFixed(4)}`)
    return true
  } catch (error) {
    if (signal.aborted) return false
    if (!(error instanceof ModelCallError)) throw error
    const message = safeWords(error.message, environment)
    await session.append([{ type: 'failure', kind: error.failure.kind, message }])
    notify(emit, 'keep_alive_failed', message)
    return false
  }
}

interface Chance {
  readonly due: number
  readonly last: SentView
  readonly price: Price
  /** What it should take. */
  readonly expected: Usage
}

/** The next time, where it is wanted, makes sense, pays and is within every limit. */
function nextChance({ session, config, model, priceOf, now }: KeepAliveContext): Chance | null {
  const { enabled, max_cost } = config.keep_alive
  const { price } = model
  const last = lastView(session)
  if (!enabled || last === null || price === null || !(price.input > 0) || !staysTheSame(model, last)) return null
  const state = session.state()
  const ledger = ledgerInForce(session, state)
  const cache = model.cacheTerms === undefined ? {} : { cache: model.cacheTerms }
  const { reason, terms } = momentOf(state.messages, { ...cache, now: now(), sent: state.sent }, ledger)
  // What the next request will not begin with, or is forgotten already, need not be kept.
  if (state.model !== model.name || state.sent !== last.last || reason !== null || ledger.at === undefined) return null
  const plan = planKeepAlive(terms)
  const kept = keptSince(session, state)
  if (plan === null || kept.length >= plan.times || hasMissed(kept.at(-1)?.usage)) return null
  const tokens = last.usage === null ? 0 : promptTotal(last.usage)
  const expected: Usage = { input: 0, cacheRead: tokens, cacheWrite: 0, output: leastAnswer(model) }
  const dollars = costOfTurn(expected, price)?.dollars ?? Number.POSITIVE_INFINITY
  const spent = costOfSession(session, priceOf)
  const isCovered =
    tokens > 0 &&
    mayKeepAlive(ledger, tokens, terms) &&
    spent.keepAlive.dollars + dollars <= max_cost &&
    spent.dollars + dollars <= (config.agent.max_cost ?? Number.POSITIVE_INFINITY)
  return isCovered ? { due: ledger.at + plan.everySeconds * 1000, last, price, expected } : null
}

/** Whether the prompt can be sent again as it was: what is said about thinking is part of it, and needs more room than one token. */
function staysTheSame({ name, reasoning = null }: ModelClient, last: SentView): boolean {
  return last.model === name && (reasoning === null || reasoning === 'none')
}

/** Whether the provider had forgotten the prompt although it was asked for in time: it will again. */
function hasMissed(usage: Usage | undefined): boolean {
  return usage !== undefined && usage.cacheRead * 2 < promptTotal(usage)
}

/** Tokens of the shortest answer that can be asked for. */
function leastAnswer({ provider }: ModelClient): number {
  return provider === 'openai' ? 16 : 1
}

/** A prompt that was sent again so that the provider keeps it. */
interface KeptPrompt {
  readonly at: number
  readonly usage: Usage
  /** What that took, in tokens of input at its full price. */
  readonly spent: number
}

/** What was sent again since the last request of a branch that was answered, oldest first. */
function keptSince(session: StoredSession, { leaf, model }: SessionState): readonly KeptPrompt[] {
  const kept: KeptPrompt[] = []
  for (const { type, id } of branchBack(session, leaf)) {
    if (type === 'usage') break
    const note = type === 'note' ? keptIn(session.entry(id), model) : null
    if (note !== null) kept.push(note)
  }
  return kept.reverse()
}

/** The ledger of a branch with what has been spent, and learned, on keeping its last prompt alive. */
export function ledgerInForce(session: StoredSession, state: SessionState): Ledger {
  return keptSince(session, state).reduce((ledger, { at, usage, spent }) => {
    const gapSeconds = ledger.at === undefined ? null : Math.max(0, (at - ledger.at) / 1000)
    const after = keptAlive(ledger, at, spent, noCache)
    return gapSeconds === null ? after : settleLedger({ ...after, expected: { gapSeconds, tokens: promptTotal(usage) } }, usage)
  }, state.ledger)
}

function keptIn(entry: Entry | null, model: string | null): KeptPrompt | null {
  const note = sideUsageIn(entry)
  if (entry?.type !== 'note' || note === null || !note.isKeepAlive || note.model !== model) return null
  const { usage } = note
  const kept = entry.data?.['kept']
  // A log may hold anything; what cannot be right is taken to have cost all of it, when it was written down.
  const { at, spent } = isRecord(kept) ? kept : {}
  return { usage, at: isAmount(at) ? at : entry.at, spent: isAmount(spent) ? spent : promptTotal(usage) }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

/** Runs something after so many milliseconds, unless the function it gives is called before. */
export type Timer = (milliseconds: number, run: () => void) => () => void

/** Keeps the provider from forgetting the conversation while the person thinks. */
interface KeepWarm {
  /** Nobody asks anything: from now on the last prompt is sent again whenever that is due. */
  readonly rest: () => void
  /** Somebody does. Resolves once nothing is being sent any more. */
  readonly stop: () => Promise<void>
}

/** Watches over the pauses of a chat. What is sent, how often and for how much is the agent's to decide. */
export function createKeepWarm(agent: () => Agent, now: () => number, timer: Timer = realTimer): KeepWarm {
  let cancel: () => void = () => undefined
  let controller = new AbortController()
  let running = Promise.resolve()

  function rest(): void {
    cancel()
    const due = agent().keepAliveDue()
    if (due !== null) cancel = timer(Math.max(0, due - now()), send)
  }

  function send(): void {
    controller = new AbortController()
    const { signal } = controller
    running = agent()
      .keepAlive(signal)
      .then((isKept) => {
        if (isKept && !signal.aborted) rest()
      })
  }

  return {
    rest,
    async stop() {
      cancel()
      controller.abort()
      await running
    },
  }
}

/** A process that has nothing else to do ends all the same. */
const realTimer: Timer = (milliseconds, run) => {
  const timeout = setTimeout(run, milliseconds)
  timeout.unref()
  return () => clearTimeout(timeout)
}
