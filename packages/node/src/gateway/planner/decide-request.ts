import {
  type ConversationState,
  createConversation,
  type Edit,
  type Facts,
  type Message,
  type Prepared,
  type ReplaceEdit,
} from '@plimsoll/core'
import type { Load } from '@plimsoll/core/bill'
import { asShown } from '@plimsoll/core/hosts'
import {
  bindsThinking,
  type Config,
  emptyLedger,
  gatewayMode,
  hideItemName,
  outputReserve,
  type Problem,
  partKey,
  type RuleName,
  type TrimMode,
  thinkingModel,
} from '@plimsoll/core/policies'
import { hideItems } from '@plimsoll/core/session'
import { countMessages, estimator, modelStringsIn } from '@plimsoll/core/text'
import type { Finding, FindingCode } from '../../store/gateway-record.ts'
import type { Branch, Recognised } from '../../store/gateway-store.ts'
import type { HiddenItems } from '../../store/hidden-items.ts'
import { modelLanguage } from '../../strings/strings-for.ts'
import type { Plan, RelayedRequest } from '../planner.ts'
import { manageRequest } from './context-management.ts'
import { type ClearedMemory, claimDecisions, placesIn, rowsOf, rulesOf, shownBefore } from './decisions.ts'
import { type GatewayEdits, gatewayEdits, maxLevels } from './gateway-edits.ts'
import type { KnownModel } from './model-book.ts'
import type { RecallFiles } from './recall-files.ts'
import {
  type RecogniseContext,
  type RecognisedRequest,
  recogniseRequest,
  storeUnavailable,
  unlessUnavailable,
} from './recognise-request.ts'
import { spliceableEdits, spliceView } from './splice-view.ts'
import { hashText, type UnderstoodRequest } from './understand-request.ts'

export interface DecideContext extends RecogniseContext {
  readonly models: (model: string | null) => KnownModel
  /** Null if originals are recalled by their handles. */
  readonly files: RecallFiles | null
  readonly cleared: ClearedMemory
  /** What a user has hidden. Rejects with `StoreError`. */
  readonly hidden: (tenant: string) => Promise<HiddenItems>
  readonly now: () => number
}

/** A request about which everything is decided, with all that its answer is compared with. It holds no bytes of the body. */
export type DecidedRequest = Exclude<Awaited<ReturnType<typeof decideRequest>>, UndecidedRequest>

/** The same with the edits that it shows. */
export type ShownRequest = DecidedRequest & ReturnType<typeof shownEdits>

/** A request that could not be read; the findings say why. */
export interface UndecidedRequest {
  readonly request: Omit<RelayedRequest, 'body'>
  readonly findings: readonly Finding[]
  readonly plannedMilliseconds: number
}

/** The state of the conversation before, with the number of the last message of its last request; null if unknown. */
type Before = { readonly branch: Branch; readonly last: number } | null

/**
 * Reads a request, finds its conversation, asks the engine what to show of it, and records new decisions. The gateway itself decides
 * nothing: its mode gives the engine policies, timing and rules, and the store has the decisions of other gateways.
 */
export async function decideRequest(given: RelayedRequest, context: DecideContext) {
  const started = performance.now()
  const { body: _body, ...request } = given
  const known = await recogniseRequest(given, context)
  if ('code' in known) {
    const undecided: UndecidedRequest = { request, findings: [known], plannedMilliseconds: performance.now() - started }
    return undecided
  }
  const { tenant, understood, mode, trimming, parts, recognised } = known
  const { messages, doubt } = understood
  const model = context.models(understood.model)
  const tried = context.recent.tried(tenant, understood.chains.at(-1) ?? '')
  const place = placeRequest(given, understood.chains, recognised.branch, tried)
  const before: Before =
    recognised.branch === null ? null : { branch: recognised.branch.branch, last: understood.leading + recognised.branch.place }
  const active = gatewayEdits(parts, recognised.about, trimming, shownBefore(before, messages))
  const thinker = thinkingModel(understood.model, before?.branch.state.ledger ?? emptyLedger)
  const isBound = (trimming === 'spec' || trimming === 'economy') && bindsThinking(thinker, messages)
  const hidden = known.isUnavailable || trimming === 'observe' ? null : await unlessUnavailable(context.hidden(tenant))
  // Thoughts that are signed together with what is before them would no longer be valid.
  const hides =
    hidden === null || hidden.size === 0 || isBound ? [] : messages.filter(({ id }) => hidden.has(id)).map(({ id }) => id)
  const decidedState = stateBefore(messages, before, isBound ? asOnBranch(active) : active, model)
  const shownHidden = hides.filter((id) => before !== null && (hidden?.get(id) ?? 0) <= before.branch.at)
  const state =
    shownHidden.length === 0
      ? decidedState
      : {
          ...decidedState,
          edits: [
            ...decidedState.edits,
            ...hideItems.plan(messages, {
              ...factsOf(given, known, model, active),
              strings: modelStringsIn(decidedState.strings ?? modelLanguage(model.config)),
              hides: shownHidden,
            }),
          ],
        }
  const { policies, timing, rules } = gatewayMode(trimming, given.dialect, model.config.timing)
  const conversation = createConversation({
    // A store that does not answer may have decisions that have to hold: without them nothing is decided.
    policies: known.isUnavailable ? [] : (context.files?.withNotes(policies) ?? policies),
    timing,
    rules,
    state,
    ...(understood.model === null ? {} : { model: understood.model }),
  })
  const facts = factsOf(given, known, model, isBound ? asOnBranch(active) : active)
  const prepared = conversation.next(messages, hides.length === 0 ? facts : { ...facts, hides })
  const asked = manageRequest(given, understood, mode, model.config.locale)
  const possible = spliceableEdits(understood, prepared.edits)
  const proposed = placeableOf(prepared.fresh, possible)
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
      active,
      fresh: proposed.filter((edit) => !isHiding(edit)),
      asked: asked?.edits ?? [],
    },
    context,
  )
  const managed = claimed.isAskedKept ? asked : null
  const fresh = claimed.held ?? proposed
  const isAsPrepared = claimed.held === null && possible.dropped === 0 && (managed === null || managed.edits.length === 0)
  const wanted = isAsPrepared
    ? prepared
    : prepared.adopt([
        ...(dropsAsPlanned(prepared, fresh) ? fresh : stillUnsent(fresh, messages, state)),
        ...(claimed.held === null ? [] : prepared.fresh.filter(isHiding)),
        ...(managed?.edits ?? []),
      ])
  const splices =
    isAsPrepared && managed === null
      ? possible.splices
      : spliceView({ ...understood, edits: wanted.edits, patches: managed?.patches ?? [] })
  const isApplied = splices !== null
  const settled = isApplied ? wanted : wanted.untouched()
  const problems = doubt?.code === 'history-elsewhere' ? [] : prepared.report.problems
  const { body: _bytes, reading: _reading, ...rest } = understood
  const decided = {
    request,
    tenant,
    /** `observe` for a conversation that is left untouched for comparison. */
    mode,
    isHeldOut: known.isHeldOut,
    understood: rest,
    model,
    place,
    before,
    state,
    firstSeen: recognised.firstSeen,
    active,
    claimed: { fresh: claimed.fresh, latest: claimed.latest },
    /** Whether the store did not answer, so that earlier decisions are unknown. */
    isUnavailable: known.isUnavailable,
    plannedMilliseconds: performance.now() - started,
  }
  const { counts, ...shown } = shownOf(decided, settled)
  const plan: Plan = {
    splices: splices ?? [],
    ...counts,
    findings: joined([
      ...(known.isUnavailable ? [storeUnavailable] : []),
      ...(doubt === null || mode === 'observe' ? [] : [doubt]),
      ...claimed.findings,
      ...(managed?.findings ?? []),
      ...(isApplied && possible.dropped === 0 ? [] : [{ code: 'not-applied', count: Math.max(1, possible.dropped) } as const]),
      ...(isBound ? [{ code: 'bound-thinking', count: 1 } as const] : []),
      ...(known.isUnavailable ? [] : lostDecisions(before, trimming, messages, active)),
      ...damagedRows(known.recognised.damaged),
      ...gatewayFindings(problems, prepared.report.load, model.config),
    ]),
    appliedEdits: isApplied ? (managed?.applied ?? null) : null,
  }
  return { ...decided, ...shown, plan }
}

/** Thoughts are signed with what their own branch showed, so that later decisions of others wait until they may take effect here. */
function asOnBranch({ shown, levels }: GatewayEdits): GatewayEdits {
  return { edits: shown, shown, levels, behind: new Map() }
}

/** Whether every thought that a change makes invalid is omitted for good. */
function dropsAsPlanned(prepared: Prepared, held: readonly Edit[]): boolean {
  const kept = new Set(held.flatMap((edit) => (isDrop(edit) ? [partKey(edit)] : [])))
  return prepared.fresh.every((edit) => !isDrop(edit) || kept.has(partKey(edit)))
}

/** The new edits without those that cannot be placed. */
function placeableOf(fresh: readonly Edit[], { edits, dropped }: { readonly edits: readonly Edit[]; readonly dropped: number }) {
  if (dropped === 0) return fresh
  const placeable = new Set(edits)
  return fresh.filter((edit) => placeable.has(edit))
}

/** Hiding is the user's to undo, so it is not a decision that holds. */
function isHiding({ policy }: Edit): boolean {
  return policy === hideItemName
}

function isDrop(edit: Edit): edit is ReplaceEdit {
  return edit.kind === 'replace' && edit.with.type === 'reasoning'
}

function stillUnsent(edits: readonly Edit[], messages: readonly Message[], { sent }: ConversationState): readonly Edit[] {
  const places = placesIn(messages)
  const last = sent === null ? -1 : (places.get(sent) ?? -1)
  return edits.filter((edit) => edit.kind === 'replace' && (places.get(edit.message) ?? -1) > last)
}

/** The same request if its original bytes went out after all. */
export function untouched(decided: DecidedRequest): DecidedRequest {
  const settled = decided.settled.untouched()
  const { counts, ...shown } = shownOf(decided, settled)
  const others = decided.plan.findings.filter(({ code }) => code !== 'too-late')
  const plan: Plan = { splices: [], ...counts, findings: [...others, { code: 'too-late', count: 1 }], appliedEdits: null }
  return { ...decided, ...shown, plan }
}

/** Whether the relay no longer waits for a plan. */
export function isLate({ until = Number.POSITIVE_INFINITY }: Pick<RelayedRequest, 'until'>, now: number): boolean {
  return now >= until
}

interface Decided {
  readonly understood: Pick<UnderstoodRequest, 'messages' | 'overhead' | 'prefix'>
  readonly claimed: { readonly fresh: ReadonlySet<string> }
  readonly active: GatewayEdits
  readonly before: Before
}

function shownOf(decided: Decided, settled: Prepared) {
  const { understood } = decided
  const { tokensBefore, tokensAfter } = settled.report
  return {
    settled,
    view: settled.messages,
    counts: {
      tokensBefore: tokensBefore + understood.overhead,
      tokensAfter: tokensAfter + understood.overhead,
      rules: rulesOf(settled.edits),
      prefixKept: prefixKept(settled, decided),
    },
  }
}

/** The edits of a request, worked out when its answer is there: no request waits for that. */
export function shownEdits({ understood, claimed, settled }: Decided & { readonly settled: Prepared }) {
  const edits = rowsOf(settled.edits, understood.messages, settled.report.edits)
  return {
    edits,
    /** The edits that took effect with this request. */
    newEdits: edits.filter(({ message, part, cache }) => cache === 'rewrite' || claimed.fresh.has(`${message}.${part}`)),
    waiting: settled.report.waiting.reduce((sum, edit) => sum + edit.tokensBefore - edit.tokensAfter, 0),
  }
}

/**
 * The engine's state from earlier requests: the decisions that hold, and what was sent. In a conversation that is new here, everything up
 * to the last answer was sent by others.
 */
function stateBefore(
  messages: readonly Message[],
  before: Before,
  { edits: decided, behind }: GatewayEdits,
  { config }: KnownModel,
): ConversationState {
  const last = before?.last ?? messages.findLastIndex(({ role }) => role === 'assistant')
  const edits = asShown(decided, messages, { last, behind }, { config })
  const sent = messages[last]?.id ?? null
  if (before === null) return { model: null, sent, edits, ledger: emptyLedger, strings: modelLanguage(config) }
  const { model, ledger, measurements, strings } = before.branch.state
  return {
    model,
    sent,
    edits,
    ledger,
    ...(measurements === undefined ? {} : { measurements }),
    ...(strings === undefined ? {} : { strings }),
  }
}

function factsOf(
  { at }: RelayedRequest,
  { understood, recognised, compactedAt }: RecognisedRequest,
  model: KnownModel,
  { levels, behind }: GatewayEdits,
): Facts {
  const { messages, overhead, prefix, isKeptForHour } = understood
  let times: ReadonlyMap<string, number | undefined> | null = null
  return {
    now: at,
    config: model.config,
    overhead,
    prefix,
    cache: isKeptForHour ? model.hourTerms : model.terms,
    ...(model.price === null ? {} : { writePrice: model.price.cacheWrite }),
    firstSeen: (id) => {
      times ??= new Map(messages.map((message, index) => [message.id, recognised.firstSeen[index]]))
      return times.get(id)
    },
    changed: new Set(behind.keys()),
    ...(compactedAt === null ? {} : { compactedAt }),
    final: placesAt(levels, maxLevels),
  }
}

function placesAt(levels: GatewayEdits['levels'], least: number): ReadonlySet<string> {
  const places = new Set<string>()
  for (const [place, level] of levels) if (level >= least) places.add(place)
  return places
}

/** If the last request of this branch showed more decisions than the store has now. */
function lostDecisions(
  before: Before,
  mode: TrimMode,
  messages: readonly Message[],
  { edits }: GatewayEdits,
): readonly Finding[] {
  const decided = before?.branch.state.decided
  if (before === null || decided === undefined || decided.mode !== mode) return []
  const places = placesIn(messages)
  let lost = decided.parts
  for (const { message } of edits) if ((places.get(message) ?? messages.length) <= before.last) lost -= 1
  return lost > 0 ? [{ code: 'decisions-lost', count: lost }] : []
}

function damagedRows(count: number): readonly Finding[] {
  return count === 0 ? [] : [{ code: 'store-damaged', count }]
}

function prefixKept({ messages, report }: Prepared, { before, understood }: Decided): number | null {
  if (before === null) return null
  const { prefix, overhead } = understood
  if (before.branch.state.ledger.prefix !== prefix) return 0
  const changed = new Set<string>()
  for (const rows of [report.edits, report.withdrawn])
    for (const { cache, message } of rows) if (cache === 'rewrite') changed.add(message)
  const sent = messages.slice(0, before.last + 1)
  const first = changed.size === 0 ? -1 : sent.findIndex(({ id }) => changed.has(id))
  return overhead + countMessages(first < 0 ? sent : sent.slice(0, first), estimator)
}

function joined(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<Finding['code'], number>()
  for (const { code, count } of findings) counts.set(code, (counts.get(code) ?? 0) + count)
  return [...counts].map(([code, count]) => ({ code, count }))
}

/**
 * Finds the conversation of a request, with the request before and how many messages they share, or starts one. `tried` is that of an
 * earlier attempt that the upstream did not accept. A client's label tells apart conversations with the same start.
 */
function placeRequest(
  { id, at, session }: RelayedRequest,
  chains: readonly string[],
  branch: Recognised['branch'],
  tried: string | null,
) {
  const mark = session === null ? '' : hashText(session).slice(0, 8)
  if (branch !== null && !isOther(branch, mark, chains, at)) {
    const { conversation, requests, state } = branch.branch
    const after: string | null = state.request ?? null
    return { conversation, number: requests, after, shared: branch.place + 1 }
  }
  const fresh = tried ?? `${hashText(`${id} ${at} ${chains.at(-1) ?? ''}`).slice(0, 24)}${mark === '' ? '' : `-${mark}`}`
  return { conversation: fresh, number: 0, after: null, shared: 0 }
}

/** Milliseconds within which the same request is a retry; later it is another conversation with the same start. */
const maxRetry = 600_000

function isOther(
  { place, branch }: NonNullable<Recognised['branch']>,
  mark: string,
  chains: readonly string[],
  at: number,
): boolean {
  const known = branch.conversation.split('-')[1] ?? ''
  if (mark !== '' && known !== '' && mark !== known) return true
  return place === chains.length - 1 && branch.requests === 1 && at - branch.at > maxRetry
}

/** Problems for which the provider may refuse a request. A gateway reports them and does not repair them. */
function gatewayFindings(problems: readonly Problem[], load: Load, config: Config): readonly Finding[] {
  const refused = problems.flatMap(({ rule }) => codes[rule] ?? [])
  const isOver = load.tokens > config.context_window - outputReserve(config)
  return [...refused, ...(isOver ? (['over-window'] as const) : [])].map((code) => ({ code, count: 1 }))
}

const codes: Readonly<Record<RuleName, FindingCode | null>> = {
  'result-has-call': 'orphan-result',
  'one-result-per-call': 'orphan-result',
  'call-has-result': 'unanswered-call',
  // Impossible in messages that were read from a dialect.
  'unique-message-ids': null,
  'calls-in-assistant-messages': null,
  'results-in-tool-messages': null,
}
