import { classifyFailure, type Message } from '@plimsoll/core'
import { costOfTurn, mainPiece, rememberedCounts, sizeMessage, type Usage, windowFill } from '@plimsoll/core/bill'
import { stateAfter } from '@plimsoll/core/hosts'
import { countMessage, estimator } from '@plimsoll/core/text'
import { type Trims, trimsOf } from '../../files/trim-log.ts'
import { countedFill } from '../../inspect/inspect-branch.ts'
import { type CacheBreak, cacheBreak } from '../../shared/inspection/inspection.ts'
import type { GatewayMessage, GatewayRequest, WireDialect } from '../../store/gateway-record.ts'
import type { Branch, BranchState, StoredRequest } from '../../store/gateway-store.ts'
import { type AnswerUsage, answerUsage } from '../measure/answer-usage.ts'
import type { Counterfactuals, UntrimmedCost } from '../measure/counterfactuals.ts'
import { unpackAnswer } from '../measure/unpack-answer.ts'
import { type Measured, overflowKinds, type PlannerSettings, type RequestOutcome } from '../planner.ts'
import { type DecidedRequest, type ShownRequest, shownEdits, untouched } from './decide-request.ts'
import { shownDecisions } from './decisions.ts'

export function readAnswer(dialect: WireDialect, { answer, status }: RequestOutcome): AnswerUsage | null {
  const text = answer === null ? null : unpackAnswer(answer)
  if (text === null) return null
  const reported = answerUsage(dialect, text)
  // A refusal need not be in the dialect: servers in between have their own.
  return reported.error === null && status !== null && status >= 400 ? { ...reported, error: text.head } : reported
}

/** The kind of failure by which an upstream refused a request as too long, or null. */
export function overflowOf({ status }: RequestOutcome, reported: AnswerUsage | null): string | null {
  if (reported === null || reported.error === null) return null
  const { kind } = classifyFailure({ status, body: reported.error })
  return tooLong.has(kind) ? kind : null
}

const tooLong: ReadonlySet<string> = new Set(overflowKinds)

/** A request with its answer. */
export interface AnsweredRequest {
  readonly decided: DecidedRequest
  readonly outcome: RequestOutcome
  readonly reported: AnswerUsage | null
  readonly isAccepted: boolean
  /** The new state of the conversation; null if the request was not accepted. */
  readonly branch: Branch | null
}

/** Reads an answer for the state of its conversation: the next request may follow at once, and needs nothing else of it. */
export function hearAnswer(planned: DecidedRequest, outcome: RequestOutcome): AnsweredRequest {
  const decided = outcome.isPlanDropped === true ? untouched(planned) : planned
  const reported = readAnswer(decided.request.dialect, outcome)
  const usage = reported?.usage ?? null
  const isAccepted =
    outcome.status !== null && outcome.status >= 200 && outcome.status < 300 && !(reported?.error != null && usage === null)
  return { decided, outcome, reported, isAccepted, branch: isAccepted ? branchAfter(decided, usage) : null }
}

/** Compares a request with its answer: its usage, its cost, and what is recorded of it. */
export function settleRequest(
  { decided: planned, outcome, reported, isAccepted, branch }: AnsweredRequest,
  {
    settings: { keepText, isLogged = false },
    counterfactuals,
  }: { readonly settings: PlannerSettings; readonly counterfactuals: Counterfactuals },
): { readonly stored: StoredRequest; readonly measured: Measured } {
  const decided: ShownRequest = { ...planned, ...shownEdits(planned) }
  const { request, understood, model, place, mode, view, plan } = decided
  const usage = reported?.usage ?? null
  const cacheLifetime = reported?.cacheLifetime ?? 'provider'
  const cost = usage === null ? null : costOfTurn(usage, model.price, { cacheLifetime })
  const { cost: untrimmed, doubt } = isAccepted ? counterfactuals.note(decided, usage, cost, cacheLifetime) : uncompared
  const shared = sharedMessages(decided)
  const added = understood.messages.slice(shared)
  const called = calledIn(added)
  const fill = windowFill(view, { ...model.limits, toolTokens: understood.overhead })
  const written: GatewayRequest = {
    id: request.id,
    conversation: place.conversation,
    number: place.number,
    after: place.after,
    at: request.at,
    dialect: request.dialect,
    model: understood.model,
    mode,
    isHeldOut: decided.isHeldOut,
    status: outcome.status,
    tokensBefore: plan.tokensBefore ?? 0,
    tokensAfter: plan.tokensAfter ?? 0,
    fill: countedFill(fill, usage, model.limits),
    sharedMessages: shared,
    messages: added.map(({ id }) => id),
    edits: decided.newEdits,
    waiting: decided.waiting,
    broken: breakOf(decided, usage),
    findings: plan.findings,
    usage,
    cost,
    untrimmed,
    ...(doubt > 0 ? { untrimmedDoubt: doubt } : {}),
    ...(place.number === 0 && understood.overhead > 0 ? { tools: understood.offered() } : {}),
    ...(called.length === 0 ? {} : { called }),
    milliseconds: {
      firstByte: outcome.firstByteMilliseconds,
      whole: outcome.wholeMilliseconds,
      planned: decided.plannedMilliseconds,
    },
  }
  const rewrites = [...decided.edits, ...decided.settled.report.withdrawn].filter(({ cache }) => cache === 'rewrite')
  return {
    stored: {
      request: written,
      label: request.session,
      messages: gatewayMessages(decided, shared),
      texts: keepText ? added : [],
      branch,
    },
    measured: {
      id: request.id,
      dialect: request.dialect,
      model: understood.model,
      mode,
      tokensBefore: written.tokensBefore,
      tokensAfter: written.tokensAfter,
      removed: removedBy(decided),
      breaks: [...new Set(rewrites.map(({ policy }) => policy))],
      trims: trimsIn(decided, isAccepted, isLogged),
      answeredModel: reported?.model ?? null,
      usage,
      dollars: cost?.dollars ?? null,
      untrimmedDollars: untrimmed?.dollars ?? null,
      overflow: overflowOf(outcome, reported),
      findings: plan.findings,
      plannedMilliseconds: decided.plannedMilliseconds,
    },
  }
}

/** In a conversation that is new here, all results are. A refused request is repeated: it counts then. */
function trimsIn({ settled, understood, before, state }: DecidedRequest, isAccepted: boolean, isLogged: boolean): Trims {
  const trims = trimsOf(settled, understood.messages, before === null ? null : state.sent, isLogged)
  return isAccepted ? trims : { ...trims, tokensSaved: 0, results: 0 }
}

const uncompared: UntrimmedCost = { cost: null, doubt: 0 }

function sharedMessages({ place, before, understood }: DecidedRequest): number {
  if (place.after === null || before === null) return 0
  return before.branch.state.ledger.prefix === understood.prefix ? understood.leading + place.shared : 0
}

function calledIn(messages: readonly Message[]): readonly string[] {
  const names = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [part.tool.slice(0, 100)] : [])),
  )
  return [...new Set(names)]
}

function gatewayMessages(
  { understood: { messages }, firstSeen, request }: DecidedRequest,
  shared: number,
): readonly GatewayMessage[] {
  const count = rememberedCounts(estimator)
  const toolOf = messages.length - shared > maxScanned ? indexedTools(messages) : lastTool(messages)
  return messages.slice(shared).map((message, offset) => {
    const index = shared + offset
    const sized = sizeMessage(message, toolOf(index), count)
    const { id, role } = message
    return { id, role, tokens: sized.tokens, ...mainPiece(sized), at: firstSeen[index] ?? request.at }
  })
}

/** The tool of the last call with an id up to a message: ids may be used again. */
type ToolsUpTo = (last: number) => (id: string) => string | undefined

/** New messages up to which their calls are looked for one by one, from the end. */
const maxScanned = 8

/** To be asked in the order of the messages. */
function indexedTools(messages: readonly Message[]): ToolsUpTo {
  const tools = new Map<string, string>()
  let next = 0
  return (last) => {
    for (; next <= last; next += 1)
      for (const part of messages[next]?.parts ?? []) if (part.type === 'tool-call') tools.set(part.callId, part.tool)
    return (id) => tools.get(id)
  }
}

function lastTool(messages: readonly Message[]): ToolsUpTo {
  return (last) => (id) => {
    for (let index = last; index >= 0; index -= 1) {
      const call = messages[index]?.parts.findLast((part) => part.type === 'tool-call' && part.callId === id)
      if (call?.type === 'tool-call') return call.tool
    }
    return undefined
  }
}

function removedBy({ edits }: ShownRequest): Readonly<Record<string, number>> {
  const removed = new Map<string, number>()
  for (const { policy, tokensBefore, tokensAfter } of edits)
    removed.set(policy, (removed.get(policy) ?? 0) + tokensBefore - tokensAfter)
  return Object.fromEntries(removed)
}

/** The new state of the conversation, without edits: decisions are found by the parts they are about. */
function branchAfter(decided: DecidedRequest, usage: Usage | null): Branch | null {
  const { request, understood, place, before, state, settled, claimed, active, isUnavailable } = decided
  const chain = understood.chains.at(-1)
  if (chain === undefined) return null
  const keptAlive = before?.branch.state.keptAlive
  const { parts, behind } = shownDecisions(active, claimed.fresh, settled.edits)
  const shownUntil = Math.max(request.at, claimed.latest, before?.branch.state.shownUntil ?? 0)
  const next: BranchState = {
    ...stateAfter(state, settled.sent, usage),
    model: understood.model,
    edits: [],
    request: request.id,
    ...(parts === 0 ? {} : { decided: { mode: decided.mode, parts } }),
    ...(shownUntil === request.at ? {} : { shownUntil }),
    ...(Object.keys(behind).length === 0 ? {} : { behind }),
    ...(isUnavailable ? { wholeUntil: shownUntil } : {}),
    ...(keptAlive === undefined ? {} : { keptAlive }),
  }
  return { conversation: place.conversation, chain, requests: place.number + 1, state: next, at: request.at }
}

function breakOf(decided: DecidedRequest, usage: Usage | null): CacheBreak | null {
  const { before, request, understood, model, view, settled } = decided
  if (before === null || decided.place.after === null) return null
  const { state } = before.branch
  const rewrites = [settled.report.edits, settled.report.withdrawn].flatMap((rows) =>
    rows.filter(({ cache }) => cache === 'rewrite'),
  )
  const numbers = rewrites.length === 0 ? null : new Map(view.map(({ id }, index) => [id, index]))
  const [first = null] = rewrites
    .map((edit) => ({ message: numbers?.get(edit.message) ?? 0, policy: edit.policy, reason: 'edit' as const }))
    .sort((one, other) => one.message - other.message)
  const end = Math.min(before.last + 1, view.length)
  const sumFrom = (from: number) => {
    let sum = 0
    for (let index = from; index < end; index += 1) sum += countMessage(view[index] as Message, estimator)
    return sum
  }
  return cacheBreak({
    before: {
      // It may have been sent again since.
      at: Math.max(before.branch.at, state.keptAlive === undefined ? 0 : (state.ledger.at ?? 0)),
      model: state.model,
      prefix: state.ledger.prefix ?? '',
      usage: state.measurements?.at(-1)?.usage ?? null,
    },
    now: { at: request.at, model: understood.model, prefix: understood.prefix, usage },
    change: first,
    tokensFrom: (message) => (message === null ? sumFrom(0) + understood.overhead : sumFrom(message)),
    readUpTo: usage === null ? null : readUpTo(view, end, usage.cacheRead - understood.overhead),
    lifetimeSeconds: understood.isKeptForHour ? model.hourTerms.lifetimeSeconds : model.terms.lifetimeSeconds,
  })
}

/** Which of the first messages the cached tokens end in; null if they end before the first. */
function readUpTo(messages: readonly Message[], count: number, cached: number): number | null {
  let left = cached
  if (left < 0) return null
  for (let index = 0; index < count; index += 1) {
    const size = countMessage(messages[index] as Message, estimator)
    if (left < size) return index
    left -= size
  }
  return Math.max(0, count - 1)
}
