import { costOfTurn, normaliseUsage, promptTotal, type Usage } from '@plimsoll/core/bill'
import { keepAliveAfter, type Ledger, momentOf, settleKeptAlive } from '@plimsoll/core/policies'
import type { Entry, SessionState } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import type { ToolSet } from 'ai'
import { ModelCallError, type ModelClient, type ModelRequest } from '../../model/model-client.ts'
import type { LiveRequest } from '../../model/summary-writer.ts'
import { branchBack } from '../../session/branch.ts'
import type { StoredSession } from '../../session/session.ts'
import { type Agent, type AgentOptions, type AskContext, notify } from '../agent.ts'
import { safeWords } from '../turn/model-error.ts'
import { lifetimeIn } from './cache-lifetime.ts'
import { costOfSession, sideUsageEntry, sideUsageIn } from './session-cost.ts'

export type KeepAliveContext = Pick<AgentOptions, 'session' | 'config' | 'model' | 'environment' | 'emit' | 'priceOf' | 'now'>

/** When the last prompt has to be sent again so that the provider keeps it cached, in milliseconds; null if it should not be. */
export function keepAliveDue(context: KeepAliveContext): number | null {
  return nextChance(context)?.due ?? null
}

/** Sends the last prompt again for an answer of one token, so that it stays cached. Returns whether that succeeded. */
export async function keepAlive(context: KeepAliveContext, signal: AbortSignal): Promise<boolean> {
  const { session, model, emit, now, environment } = context
  const chance = nextChance(context)
  if (chance === null || now() < chance.due) return false
  const { last, price } = chance
  const start = now()
  try {
    const { messages, tools, breakpoints } = last
    const request = { messages, tools, maxOutputTokens: minAnswerTokens(model), breakpoints, signal }
    const answer = await model.call(request, () => undefined)
    const reported = normaliseUsage(answer.usage)
    const usage = reported ?? chance.expected
    const cost = costOfTurn(usage, price)
    // In tokens of input: prices are in dollars per million.
    const spent = ((cost?.dollars ?? 0) / price.input) * 1_000_000
    const note = { model: model.name, usage, what: 'keep-alive', isEstimated: reported === null } as const
    await session.append([sideUsageEntry({ ...note, kept: { at: start, spent } })])
    rememberView(session, { ...last, at: now() })
    const { dollars, unpriced, keepAlive: all } = costOfSession(session, context.priceOf)
    const times = { firstMs: null, durationMs: now() - start }
    emit({ type: 'usage', data: { what: 'keep-alive', usage, cost, total: { dollars, unpriced }, ...times } })
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

/** The next time, if it is enabled, useful, worth it and within every limit. */
function nextChance({ session, config, model, priceOf, now }: KeepAliveContext) {
  const { enabled, max_cost } = config.keep_alive
  const { price } = model
  const last = lastView(session)
  if (!enabled || last === null || price === null || !(price.input > 0) || last.model !== model.name) return null
  // The reasoning level is part of the prompt, and needs more room than one token.
  if ((model.reasoning ?? 'none') !== 'none') return null
  // Few pauses are so long that they would need it.
  if (lifetimeIn(session, model) === '1h') return null
  const state = session.state()
  const ledger = ledgerInForce(session, state)
  const cache = model.cacheTerms === undefined ? {} : { cache: model.cacheTerms }
  const { reason, terms } = momentOf(state.messages, { ...cache, now: now(), sent: state.sent }, ledger)
  // Useless if the next request will not start with it, or if it is no longer cached.
  if (state.model !== model.name || state.sent !== last.last || reason !== null || ledger.at === undefined) return null
  const kept = keptSince(session, state)
  const latest = kept.at(-1)?.usage
  // A provider that evicted the prompt although the request came in time will do so again.
  const hasMissed = latest !== undefined && latest.cacheRead * 2 < promptTotal(latest)
  if (hasMissed) return null
  const tokens = last.usage === null ? 0 : promptTotal(last.usage)
  const seconds = keepAliveAfter({ ledger, terms, tokens, released: last.released(), times: kept.length })
  const expected: Usage = { input: 0, cacheRead: tokens, cacheWrite: 0, output: minAnswerTokens(model) }
  const dollars = costOfTurn(expected, price)?.dollars ?? Number.POSITIVE_INFINITY
  const spent = costOfSession(session, priceOf)
  const isCovered =
    tokens > 0 &&
    spent.keepAlive.dollars + dollars <= max_cost &&
    spent.dollars + dollars <= (config.agent.max_cost ?? Number.POSITIVE_INFINITY)
  return isCovered && seconds !== null ? { due: ledger.at + seconds * 1000, last, price, expected } : null
}

function minAnswerTokens({ provider }: ModelClient): number {
  return provider === 'openai' ? 16 : 1
}

/** Prompts sent again since the last answered request of a branch, oldest first. */
function keptSince(session: StoredSession, { leaf, model }: SessionState) {
  const kept: NonNullable<ReturnType<typeof keptIn>>[] = []
  for (const { type, id } of branchBack(session, leaf)) {
    if (type === 'usage') break
    const note = type === 'note' ? keptIn(session.entry(id), model) : null
    if (note !== null) kept.push(note)
  }
  return kept.reverse()
}

/** The ledger of a branch, including the cost and results of keeping its last prompt cached. */
export function ledgerInForce(session: StoredSession, state: SessionState): Ledger {
  return keptSince(session, state).reduce(settleKeptAlive, state.ledger)
}

function keptIn(entry: Entry | null, model: string | null) {
  const note = sideUsageIn(entry)
  if (entry?.type !== 'note' || note === null || !note.isKeepAlive || note.model !== model) return null
  const { usage } = note
  const kept = entry.data?.['kept']
  // A log may hold anything: an invalid entry counts with its full cost and its own time.
  const { at, spent } = isRecord(kept) ? kept : {}
  return { usage, at: isAmount(at) ? at : entry.at, spent: isAmount(spent) ? spent : promptTotal(usage) }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

/** Runs a function after a delay; returns a function that cancels it. */
export type Timer = (milliseconds: number, run: () => void) => () => void

/** Keeps the prompt cached during pauses of a chat; the agent decides what is sent, how often and for how much. */
export function createKeepWarm(agent: () => Agent, now: () => number, timer: Timer = realTimer) {
  let cancel: () => void = () => undefined
  let controller = new AbortController()
  let running = Promise.resolve()

  /** Starts sending the last prompt again whenever that is due. */
  function rest(): void {
    cancel()
    const due = agent().keepAliveDue()
    if (due !== null) cancel = timer(Math.max(0, due - now()), send)
  }

  function send(): void {
    controller = new AbortController()
    const { signal } = controller
    const sending = agent().keepAlive(signal)
    running = sending.then((isKept) => {
      if (isKept && !signal.aborted) rest()
    })
  }

  return {
    rest,
    /** Resolves once nothing is being sent any more. */
    async stop() {
      cancel()
      controller.abort()
      await running
    },
  }
}

/** Does not keep the process alive. */
const realTimer: Timer = (milliseconds, run) => {
  const timeout = setTimeout(run, milliseconds)
  timeout.unref()
  return () => clearTimeout(timeout)
}

/** A request that the provider accepted. */
interface SentView extends Pick<ModelRequest, 'messages' | 'tools' | 'breakpoints'> {
  readonly model: string
  /** The last message of the conversation. */
  readonly last: string | null
  /** Null if the provider reported none. */
  readonly usage: Usage | null
  /** How many tokens fewer it would have if it had expired. */
  readonly released: () => number
  readonly at: number
}

/** The last request that was accepted in this process; null if there was none. */
export function lastView(session: StoredSession): SentView | null {
  return views.get(session) ?? null
}

/** Remembers an accepted request, so that the next one can tell which part of it is cached. */
export function rememberView(session: StoredSession, view: SentView): void {
  views.set(session, view)
}

const views = new WeakMap<StoredSession, SentView>()

/** The last request as the model has it cached, for a summary that continues it; null if there is none. */
export async function liveRequest({ session, model, tools }: AskContext): Promise<LiveRequest | null> {
  const last = lastView(session)
  // A model that gets text has seen neither these messages nor these tools.
  if (last === null || last.model !== model.name || model.usesText) return null
  const { jsonSchema, tool } = await import('ai')
  const offered: ToolSet = Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [name, tool({ description, inputSchema: jsonSchema(inputSchema) })]),
  )
  return { messages: last.messages, tools: offered }
}
