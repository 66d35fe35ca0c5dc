import { type Cost, costOfTurn, learnedTerms, promptTotal, type Usage } from '@plimsoll/core/bill'
import { keepAliveAfter, settleKeptAlive } from '@plimsoll/core/policies'
import type { GatewayRequest } from '../../store/gateway-record.ts'
import type { Branch, TenantRecord } from '../../store/gateway-store.ts'
import type { DecidedRequest } from '../planner/decide-request.ts'
import { addNewest } from '../planner/known-messages.ts'
import { type AnsweredRequest, readAnswer } from '../planner/settle-request.ts'
import { emptyMeasured, type KeepAliveNote, type Measured, type PlannerSettings, type RequestOutcome } from '../planner.ts'

/** Runs something after these milliseconds; returns what cancels it. */
export type Timer = (milliseconds: number, run: () => void) => () => void

interface KeptPromptsOptions {
  readonly settings: Pick<PlannerSettings, 'config'>
  readonly now: () => number
  readonly timer?: Timer
  readonly tell: (note: KeepAliveNote) => void
  /** Takes what was paid for a prompt, and the state of its conversation if it has not gone on. */
  readonly paid: (paid: PaidPrompt) => void
}

export interface PaidPrompt {
  readonly decided: DecidedRequest
  readonly record: TenantRecord
  readonly measured: Measured
  readonly at: number
}

export type KeptPrompts = ReturnType<typeof createKeptPrompts>

/**
 * Decides after each answer whether its prompt is sent again, shortly before its cache expires, and whether once more after that. The account of a
 * conversation is in its ledger: savings pay for it, and what turns out badly ends it.
 */
export function createKeptPrompts({ settings, now, timer = realTimer, tell, paid }: KeptPromptsOptions) {
  const waiting = new Map<string, WaitingPrompt>()
  /** Those whose answer is awaited, by the name of the repeated request. */
  const sent = new Map<string, WaitingPrompt>()

  function drop(id: string): void {
    const prompt = waiting.get(id)
    waiting.delete(id)
    prompt?.cancel()
    tell({ id, as: null })
  }

  /** Waits for the next time, or ends it. */
  function waitOrDrop(prompt: WaitingPrompt): void {
    const seconds = secondsUntilNext(prompt, settings)
    const { at } = prompt.branch.state.ledger
    if (seconds === null || at === undefined) return drop(prompt.id)
    prompt.cancel()
    const as = `${prompt.id}${mark}${prompt.times + 1}`
    const cancel = timer(Math.max(0, at + seconds * 1000 - now()), () => {
      addNewest(sent, as, prompt, maxWaiting)
      tell({ id: prompt.id, as })
    })
    prompt.cancel = cancel
    addNewest(waiting, prompt.id, prompt, Number.POSITIVE_INFINITY)
    const [oldest] = waiting.keys()
    if (waiting.size > maxWaiting && oldest !== undefined) drop(oldest)
  }

  return {
    /** The conversation went on after the request with this id. */
    continued(request: string | null | undefined): void {
      if (request != null) drop(request.split(mark, 1)[0] as string)
    },
    /** Takes an answered request with its record. */
    settled({ decided, outcome, reported, branch }: AnsweredRequest, written: GatewayRequest): void {
      const usage = reported?.usage ?? null
      const isComplete = outcome.end === 'complete' && branch !== null && usage !== null
      if (decided.request.dialect !== 'anthropic' || decided.request.kind !== 'generate' || !isComplete)
        return drop(decided.request.id)
      waitOrDrop({ id: decided.request.id, decided, written, branch, usage, times: 0, cancel: () => {} })
    },
    /** Whether this was the answer to a repeated request. */
    answered(outcome: RequestOutcome): boolean {
      const prompt = sent.get(outcome.id)
      if (prompt === undefined) return outcome.id.includes(mark)
      sent.delete(outcome.id)
      const usage = readAnswer('anthropic', outcome)?.usage ?? null
      const cost = usage === null ? null : costOfTurn(usage, prompt.decided.model.price)
      const isPaid = outcome.status !== null && outcome.status >= 200 && outcome.status < 300 && cost !== null && usage !== null
      if (!isPaid) {
        drop(prompt.id)
        return true
      }
      const at = now()
      // The conversation may have gone on in the meantime: this was paid all the same.
      const isWaiting = waiting.get(prompt.id) === prompt
      const next = afterOne(prompt, outcome, { at, usage, cost })
      paid({ decided: prompt.decided, at, record: recordOf(next, isWaiting), measured: measuredOf(next, { usage, cost }) })
      // A provider that dropped the prompt although the request came in time will do so again.
      if (isWaiting && usage.cacheRead * 2 >= promptTotal(usage)) waitOrDrop(next)
      else if (isWaiting) drop(prompt.id)
      return true
    },
    close(): void {
      for (const id of [...waiting.keys()]) drop(id)
    },
  }
}

interface WaitingPrompt {
  /** Of the client's request. */
  readonly id: string
  readonly decided: DecidedRequest
  /** The record of the last time it was sent. */
  readonly written: GatewayRequest
  readonly branch: Branch
  readonly usage: Usage
  /** How often it was sent again in this pause. */
  readonly times: number
  cancel: () => void
}

const free: Cost = { dollars: 0, parts: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } }

/** In the names of repeated requests. */
const mark = '~'
const maxWaiting = 50

/** After how many seconds it is sent again; null if it is not worth it, or if the provider did not cache it. */
function secondsUntilNext({ decided, branch, usage, times }: WaitingPrompt, { config }: KeptPromptsOptions['settings']) {
  const { understood, model, settled } = decided
  const { state } = branch
  const tokens = promptTotal(usage)
  if (model.price === null || !(model.price.input > 0) || (usage.cacheRead + usage.cacheWrite) * 2 < tokens) return null
  const spent = state.keptAlive?.dollars ?? 0
  const expected = costOfTurn({ input: 0, cacheRead: tokens, cacheWrite: 0, output: 1 }, model.price)
  if (expected === null || spent + expected.dollars > config.keep_alive.max_cost) return null
  const { ledger } = state
  const terms = learnedTerms(understood.isKeptForHour ? model.hourTerms : model.terms, ledger.learned ?? null)
  const pause = { ledger, terms, tokens, times }
  // What would be trimmed takes long to work out, and makes it worth less.
  return keepAliveAfter({ ...pause, released: 0 }) === null ? null : keepAliveAfter({ ...pause, released: settled.released() })
}

function afterOne(
  prompt: WaitingPrompt,
  { id }: RequestOutcome,
  { at, usage, cost }: { readonly at: number; readonly usage: Usage; readonly cost: Cost },
): WaitingPrompt {
  const { written, branch, decided, times } = prompt
  const { state } = branch
  // In tokens of input: prices are in dollars per million.
  const spent = (cost.dollars / (decided.model.price?.input ?? 1)) * 1_000_000
  const { times: before = 0, dollars = 0 } = state.keptAlive ?? {}
  return {
    ...prompt,
    usage,
    times: times + 1,
    written: {
      ...written,
      id,
      number: branch.requests,
      after: written.id,
      at,
      status: 200,
      sharedMessages: decided.understood.messages.length,
      messages: [],
      edits: [],
      broken: null,
      findings: [],
      usage,
      cost,
      // Without trimming there are no savings that pay for it, so it would not have been sent.
      untrimmed: free,
      keptAlive: true,
      milliseconds: { firstByte: null, whole: null, planned: 0 },
    },
    branch: {
      ...branch,
      requests: branch.requests + 1,
      state: {
        ...state,
        ledger: settleKeptAlive(state.ledger, { at, usage, spent }),
        request: id,
        keptAlive: { times: before + 1, dollars: dollars + cost.dollars },
      },
    },
  }
}

function recordOf({ decided, written, branch }: WaitingPrompt, isWaiting: boolean): TenantRecord {
  const { tools: _tools, called: _called, untrimmedDoubt: _doubt, ...request } = written
  const record = { request, label: decided.request.session, messages: [], texts: [], branch: isWaiting ? branch : null }
  return { tenant: decided.tenant, record }
}

function measuredOf(
  { decided, written }: WaitingPrompt,
  { usage, cost }: { readonly usage: Usage; readonly cost: Cost },
): Measured {
  const { id, dialect, model, tokensAfter } = written
  return {
    ...emptyMeasured,
    id,
    dialect,
    model,
    mode: decided.mode,
    tokensBefore: tokensAfter,
    tokensAfter,
    usage,
    dollars: cost.dollars,
    untrimmedDollars: 0,
    isKeptAlive: true,
  }
}

/** Does not keep the thread alive. */
const realTimer: Timer = (milliseconds, run) => {
  const timeout = setTimeout(run, milliseconds).unref()
  return () => clearTimeout(timeout)
}
