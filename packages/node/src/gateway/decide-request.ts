import {
  applyEdits,
  bindsThinking,
  buildView,
  countMessage,
  countMessages,
  type Edit,
  economic,
  emptyLedger,
  estimator,
  type Facts,
  type Finding,
  firstSight,
  gatewayEdits,
  gatewayFindings,
  gatewayPolicies,
  gatewayTiming,
  type Ledger,
  lastSent,
  type Message,
  type ReportedEdit,
} from '@plimsoll/core'
import { type ClearedMemory, claimDecisions } from './claim-decisions.ts'
import { placeRequest } from './conversation-place.ts'
import type { DecidedRequest, UndecidedRequest } from './decided-request.ts'
import { effectiveEdits } from './effective-edits.ts'
import { type ManagedRequest, manageRequest } from './manage-request.ts'
import type { KnownModel } from './model-book.ts'
import type { RelayedRequest } from './planner.ts'
import type { RecallFiles } from './recall-files.ts'
import { type RecogniseContext, type RecognisedRequest, recogniseRequest, storeUnavailable } from './recognise-request.ts'
import { spliceableEdits, spliceView } from './splice-view.ts'

/** What requests are decided with. */
export interface DecideContext extends RecogniseContext {
  readonly models: (model: string | null) => KnownModel
  /** Null where originals are got back by their handles. */
  readonly files: RecallFiles | null
  readonly cleared: ClearedMemory
  /** Milliseconds. */
  readonly now: () => number
}

/** Reads a request, finds its conversation, decides what of it is shown differently, and writes new decisions down. */
export async function decideRequest(given: RelayedRequest, context: DecideContext): Promise<DecidedRequest | UndecidedRequest> {
  const started = performance.now()
  const { body: _body, ...request } = given
  const known = await recogniseRequest(given, context)
  if ('code' in known) return { request, findings: [known], plannedMilliseconds: performance.now() - started }
  const { tenant, understood, mode, trimming, parts, recognised } = known
  const { messages, overhead, doubt } = understood
  const model = context.models(understood.model)
  const place = placeRequest({
    id: given.id,
    at: given.at,
    label: given.session,
    chains: understood.chains,
    branch: recognised.branch,
    tried: context.recent.tried(tenant, understood.chains.at(-1) ?? ''),
  })

  const inForce = gatewayEdits(parts, recognised.decisions, trimming, messages)
  const before =
    recognised.branch === null ? null : { branch: recognised.branch.branch, last: understood.leading + recognised.branch.place }
  const isBound = given.dialect === 'anthropic' && bindsThinking(understood.model, messages)
  const isBold = trimming === 'spec' || trimming === 'economy'
  const built = buildView({
    messages,
    edits: inForce.edits,
    sent: lastSent(messages, before?.last ?? null),
    timing: gatewayTiming(isBold && !isBound ? economic : firstSight, {
      levels: inForce.levels,
      ...(context.files === null ? {} : { finish: context.files.finish }),
    }),
    // A store that does not answer may know of decisions that have to hold: without them nothing is decided.
    policies: known.isUnavailable ? [] : gatewayPolicies(trimming),
    facts: factsOf(given, known, model),
    ledger: ledgerOf(known),
  })
  const asked = manageRequest(given, understood, mode, model.config.locale)
  const possible = spliceableEdits(understood, built.edits)
  const claimed = await claimDecisions(
    {
      tenant,
      conversation: place.conversation,
      mode: trimming,
      at: given.at,
      isIdle: given.kind === 'count',
      isLate: isLate(given, context.now()),
      messages,
      parts,
      inForce,
      edits: possible.edits,
      asked: asked?.edits ?? [],
    },
    context,
  )
  const managed = claimed.isAskedKept ? asked : null
  const wanted = withManaged(claimed.edits, managed)
  const splices =
    wanted === possible.edits && managed === null
      ? possible.splices
      : spliceView({ ...understood, edits: wanted, patches: managed?.patches ?? [] })
  const isApplied = splices !== null
  const edits = isApplied ? wanted : []
  const view = applyEdits(messages, edits)
  const rows = effectiveEdits(edits, messages, built.report.edits)
  const tokensAfter = countMessages(view, estimator) + overhead
  const problems = doubt?.code === 'history-elsewhere' ? [] : built.report.problems
  const { body: _bytes, reading: _reading, ...rest } = understood
  return {
    request,
    tenant,
    mode,
    isHeldOut: known.isHeldOut,
    understood: rest,
    model,
    place,
    before,
    firstSeen: recognised.firstSeen,
    view,
    newEdits: rows.filter(({ message, part }) => claimed.fresh.has(`${message}.${part}`)),
    edits: rows,
    waiting: built.report.waiting.reduce((sum, edit) => sum + edit.tokensBefore - edit.tokensAfter, 0),
    ledger: built.ledger,
    estimate: tokensAfter,
    plan: {
      splices: splices ?? [],
      tokensBefore: built.report.tokensBefore + overhead,
      tokensAfter,
      rules: [...new Set(rows.map(({ policy }) => policy))],
      prefixKept: before === null ? null : prefixKept(view, rows, before.last, known),
      findings: joined([
        ...(known.isUnavailable ? [storeUnavailable] : []),
        ...(doubt === null || mode === 'observe' ? [] : [doubt]),
        ...claimed.findings,
        ...(managed?.findings ?? []),
        ...(isApplied && possible.dropped === 0 ? [] : [{ code: 'not-applied', count: Math.max(1, possible.dropped) } as const]),
        ...(isBold && isBound ? [{ code: 'bound-thinking', count: 1 } as const] : []),
        ...gatewayFindings(problems, built.report.load, model.config),
      ]),
      appliedEdits: isApplied ? (managed?.applied ?? null) : null,
    },
    plannedMilliseconds: performance.now() - started,
  }
}

/** Whether the relay no longer waits for what is decided about a request. */
export function isLate({ until = Number.POSITIVE_INFINITY }: Pick<RelayedRequest, 'until'>, now: number): boolean {
  return now >= until
}

function factsOf({ at }: RelayedRequest, { understood, recognised }: RecognisedRequest, model: KnownModel): Facts {
  const { messages, overhead, prefix, isKeptForHour } = understood
  const state = recognised.branch?.branch.state
  let times: ReadonlyMap<string, number | undefined> | null = null
  return {
    now: at,
    config: model.config,
    overhead,
    prefix,
    cache: isKeptForHour ? model.hourTerms : model.terms,
    firstSeen: (id) => {
      times ??= new Map(messages.map((message, index) => [message.id, recognised.firstSeen[index]]))
      return times.get(id)
    },
    ...(state?.measurements !== undefined && state.model === understood.model ? { measurements: state.measurements } : {}),
  }
}

/** What was saved stays saved; what one model's cache has taught says nothing about another's. */
function ledgerOf({ understood, recognised }: RecognisedRequest): Ledger {
  const state = recognised.branch?.branch.state
  if (state === undefined) return emptyLedger
  if (state.model === understood.model) return state.ledger
  const { learned: _learned, expected: _expected, ...rest } = state.ledger
  return { ...rest, cacheLifetimeSeconds: null }
}

/** What the client asked for takes the place of what would have been shown. */
function withManaged(edits: readonly Edit[], managed: ManagedRequest | null): readonly Edit[] {
  if (managed === null || managed.edits.length === 0) return edits
  const places = new Set(managed.edits.map(({ message, part }) => `${message}.${part}`))
  return [...edits.filter((edit) => edit.kind !== 'replace' || !places.has(`${edit.message}.${edit.part}`)), ...managed.edits]
}

/** Tokens at the beginning that are what the request before had. */
function prefixKept(
  view: readonly Message[],
  edits: readonly ReportedEdit[],
  last: number,
  { understood, recognised }: RecognisedRequest,
): number {
  const { prefix, overhead } = understood
  if (recognised.branch?.branch.state.ledger.prefix !== prefix) return 0
  const changed = new Set(edits.flatMap(({ cache, message }) => (cache === 'rewrite' ? [message] : [])))
  let tokens = overhead
  for (const message of view.slice(0, last + 1)) {
    if (changed.has(message.id)) break
    tokens += countMessage(message, estimator)
  }
  return tokens
}

function joined(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<Finding['code'], number>()
  for (const { code, count } of findings) counts.set(code, (counts.get(code) ?? 0) + count)
  return [...counts].map(([code, count]) => ({ code, count }))
}
