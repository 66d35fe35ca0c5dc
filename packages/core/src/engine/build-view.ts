import { foldStillHolds } from '../compaction/summary-template.ts'
import type { TimingName } from '../config.ts'
import { once, unchanging } from '../derive.ts'
import { type Edit, editedMessages, type Places, placesOf, structuralIn } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import { budgetOf, excessOf, overflowOf, requestSize } from '../fit/request-size.ts'
import { isRecord, type Message } from '../message.ts'
import { fitWindowName, type Policy } from '../policy.ts'
import { type Report, sumRules } from '../report.ts'
import { checkView } from '../results/invariants.ts'
import { lastSeenIndex, withSurvivingSent } from '../results/protect.ts'
import { carryReferences, noReferences, type Settling, settleReferences } from '../results/references.ts'
import { toolResults } from '../results/tool-results.ts'
import { describeValue } from '../text/json.ts'
import { economic, showing } from '../timing/economic.ts'
import { settleKept, wasHeld } from '../timing/keep-alive.ts'
import { affordable, emptyLedger, type Ledger } from '../timing/ledger.ts'
import { isCold, momentOf } from '../timing/moment.ts'
import { lockedTo, runningFrom, withoutStaleThoughts } from '../timing/thoughts.ts'
import { atOnce, immediate, type Timing, type TimingDecision, type TimingInput, timingNamed } from '../timing/timing.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import { createGauge } from '../tokens/load.ts'
import { checkedMessages, checkPolicies, UsageError } from './check-use.ts'
import { createEditsInForce } from './edits-in-force.ts'
import { withHidden } from './hide-items.ts'
import { measureEdits } from './measure-edits.ts'
import { planStages, stagesOf, stagesWith } from './plan-stages.ts'
import { rewriteOf, withdrawnEdits } from './rewrite.ts'

export interface BuildViewInput {
  /** The stored conversation. May be frozen; is never changed. */
  readonly messages: readonly Message[]
  /** The edits active in the last accepted request. Default: none. */
  readonly edits?: readonly Edit[]
  /** The last message of the last accepted request. Default: nothing was sent. */
  readonly sent?: string | null
  /** The last message a model has seen; null if none. Default: `sent`, or everything if there is no such message. */
  readonly seen?: string | null
  /** When proposed edits apply. Default: `immediate`, all of them now. */
  readonly timing?: TimingName | Timing
  readonly policies: readonly Policy[]
  readonly facts: Facts
  readonly ledger?: Ledger
  /** Whether the provider signs thoughts with everything before them: a change then omits the thoughts after it. Default: no. */
  readonly isSigned?: boolean
}

/** A view with its edits and the report. */
export interface BuiltView {
  /** The messages for the model. */
  readonly view: readonly Message[]
  /** The active edits: applied to the messages they give the view. */
  readonly edits: readonly Edit[]
  /** The same as decided, before references to lines no longer shown were corrected. */
  readonly decided: readonly Edit[]
  readonly report: Report
  /** Pass it to the next call once the request was accepted. */
  readonly ledger: Ledger
  /** How many tokens fewer it would have if the provider had nothing of it cached. */
  readonly released: () => number
}

/**
 * Turns messages into what the model should see, with a report. Policies plan one after the other from the originals, never from the active edits, so
 * the result does not depend on history; `timing` decides which edits apply now; `fit-window` always runs last, on what would be sent. Throws
 * `UsageError` on invalid input, and an error that names the policy if one proposes a forbidden edit. Use `createConversation` for a whole session.
 */
export function buildView(input: BuildViewInput): BuiltView {
  if (!isRecord(input)) throw new UsageError(`buildView: expected { messages, policies, facts }, got ${describeValue(input)}`)
  const { ledger = emptyLedger } = input
  const messages = checkedMessages('buildView', input.messages)
  checkPolicies('buildView', input.policies)
  const policies = withHidden(input.policies, input.facts)
  const inForce = input.edits ?? []
  const timing = typeof input.timing === 'function' ? input.timing : timingNamed(input.timing ?? 'immediate')

  const standing = standingFolds(inForce, policies, messages)
  const base = editedMessages(messages, standing)
  const given: Facts = {
    ...input.facts,
    sent: knownSent(input.sent, messages),
    ...(input.seen === undefined ? {} : { seen: knownSent(input.seen, messages) }),
    policies: policies.map(({ name }) => name),
    inForce,
    originals: messages,
  }
  const surviving = withSurvivingSent(given, messages, standing, base)
  const known = momentOf(base, surviving, ledger)
  // A new summary, or the host's own, changes what stands before all thoughts after it.
  const isFolded = known.changedFrom < base.length
  const lock = input.isSigned === true ? lockedTo(base, inForce, surviving.pins, isFolded) : -1
  const moment = { ...known, lockedTo: lock }
  const isFree = isCold(moment, base) && (lock < 0 || lock < runningFrom(base))
  const facts: Facts =
    timing === immediate
      ? { ...surviving, cold: true }
      : { ...surviving, cache: known.terms, cold: timing === atOnce || isFree, kept: inForce }
  const lastResort = policies.filter(({ name }) => name === fitWindowName)
  const plan = planStages(
    base,
    policies.filter((policy) => !lastResort.includes(policy)),
    facts,
  )
  const proposals = unchanging(
    plan.stages.flatMap((stage) => stage.edits),
    'own',
  )

  const asked: TimingInput = { proposals, inForce, messages: base, facts, ledger, moment }
  const isSeen = createSeen(base, facts, inForce)
  // Content that no model has seen yet is shown in full instead of referred to; so is, if decisions last, what the last request showed in full.
  const why = reasonsOf(facts).economy.notShown
  const changedBefore = once(() => new Set(inForce.map(({ id }) => id)))
  const isShort = (id: string) => timing === immediate || facts.sent === null || changedBefore().has(id)
  const onFalse: Settling['onFalse'] = ({ id, message }) => (isSeen(message) && isShort(id) ? 'restate' : 'drop')
  const settle: Settle = ({ decision, chosen }) => ({
    decision,
    decided: chosen,
    apply: settleReferences(decision.apply, chosen, base, { onFalse, why }),
  })
  const { decision, decided, apply } = asCounted(timing, asked, (from) =>
    settle(decide(timing, { ...asked, ledger: from }, plan.planned, lastResort)),
  )
  const chosen = apply === decision.apply ? decided : editedMessages(base, apply)
  const isAsPlanned = apply === proposals
  const chosenFacts = isAsPlanned
    ? plan.facts
    : { ...withSurvivingSent(facts, base, apply, chosen), references: carryReferences(apply, base, noReferences).references }
  const inserted = structuralIn(apply).flatMap((edit) => (edit.kind === 'insert' ? [edit.message] : []))
  const fitted = planStages(chosen, lastResort, inserted.length === 0 ? chosenFacts : { ...chosenFacts, inserted })
  const planned = fitted.stages.length === 0 ? apply : [...apply, ...fitted.stages.flatMap((stage) => stage.edits)]
  // `fit-window` may have removed lines that others refer to.
  const restated =
    fitted.stages.length === 0 ? planned : settleReferences(planned, fitted.planned, base, { onFalse: () => 'restate', why })
  const settled =
    input.isSigned === true
      ? withoutStaleThoughts(
          base,
          restated,
          withoutStanding(inForce, standing),
          known.changedFrom,
          reasonsOf(facts).economy.reasoning,
        )
      : restated
  const view = settled === planned ? fitted.planned : editedMessages(base, settled)
  const edits = standing.length === 0 ? settled : [...standing, ...settled]
  const applied = [
    ...stagesOf(messages, standing, given),
    ...(settled !== planned
      ? stagesOf(base, settled, facts)
      : [...(isAsPlanned ? plan.stages : stagesOf(base, apply, facts)), ...fitted.stages]),
  ]

  const measured = measureEdits(applied, createEditsInForce(inForce))
  const withdrawn = withdrawnEdits(inForce, edits, messages, given)
  const tokensBefore = countMessages(messages, facts.tokens ?? estimator)
  const rules = sumRules(measured)
  const tokensAfter = Object.values(rules).reduce((tokens, { tokensSaved }) => tokens - tokensSaved, tokensBefore)
  const load = createGauge(view, facts)(tokensAfter)
  // Lazy: they look at every proposal and every rewritten message.
  const waiting = once(() => measureEdits(stagesWith(plan.stages, decision.waiting), createEditsInForce(inForce)))
  const rewrite = once(() => rewriteOf(measured, withdrawn, { messages, view, facts: given, decision, moment, timing }))
  const report: Report = {
    tokensBefore,
    tokensAfter,
    edits: measured,
    get waiting() {
      return waiting()
    },
    withdrawn,
    get rewrite() {
      return rewrite()
    },
    // A legal replacement keeps calls, results and their order, so checks of the base hold for the view.
    problems: checkView(structuralIn(edits).length === 0 ? base : view),
    rules,
    truncationRate: truncationRate(rules, toolResults(base, facts).length),
    timing: decision.account ?? null,
    load,
    overflow: lastResort.length === 0 ? null : overflowOf(view, load, facts),
  }
  const tokensIn = (list: readonly Message[]) => countMessages(list, facts.tokens ?? estimator)
  const ifExpired = once(() => {
    const cold: Facts = { ...facts, cold: true }
    const { stages } = planStages(
      base,
      policies.filter((policy) => !lastResort.includes(policy)),
      cold,
    )
    const expired = { ...moment, coldFrom: 0, reason: 'idle' } as const
    const asExpired = economic({ ...asked, proposals: stages.flatMap((stage) => stage.edits), facts: cold, moment: expired })
    return { ledger: asExpired.ledger, tokens: tokensIn(editedMessages(base, asExpired.apply)) }
  })
  return {
    // A copy: what is remembered must not change with what the caller does to its list.
    view: view === messages ? input.messages : view.slice(),
    edits,
    decided: apply === decision.apply && settled === planned ? edits : decision.apply,
    report,
    ledger: withNewSummaries(accounted(decision.ledger), edits),
    released: () => (timing === economic ? Math.max(0, tokensIn(view) - ifExpired().tokens) : 0),
  }

  /** The ledger with the account of prompts that were kept alive. */
  function accounted(after: Ledger): Ledger {
    if (timing !== economic || ledger.kept === undefined) return after
    const price = decision.account?.decision === 'pays' ? decision.account.price : 0
    const expired = wasHeld(ledger, moment, facts.now) ? ifExpired() : null
    return settleKept(ledger, { ledger: after, tokens: tokensIn(view) }, moment, price, expired)
  }
}

/** Adds the summaries of this view: the next request has them too, and they are not new to the provider then. */
function withNewSummaries(ledger: Ledger, edits: readonly Edit[]): Ledger {
  const { summaries } = ledger
  if (summaries === undefined) return ledger
  const known = new Set(summaries)
  const added = structuralIn(edits).flatMap((edit) =>
    edit.kind === 'fold' && edit.into?.summary === true && !known.has(edit.into.id) ? [edit.into.id] : [],
  )
  return added.length === 0 ? ledger : { ...ledger, summaries: [...summaries, ...added] }
}

function decide(
  timing: Timing,
  input: TimingInput,
  planned: readonly Message[],
  lastResort: readonly Policy[],
): { readonly decision: TimingDecision; readonly chosen: readonly Message[] } {
  const { proposals, messages, facts, moment } = input
  const show = (decision: TimingDecision) => ({
    decision,
    chosen: decision.apply === proposals ? planned : editedMessages(messages, decision.apply),
  })
  const decided = show(timing(input))
  const { decision, chosen } = decided
  if (decision.apply === proposals || decision.waiting.length === 0 || lastResort.length === 0) return decided
  if (excessOf(requestSize(chosen, facts), budgetOf(facts)).length === 0) return decided
  const open = moment.lockedTo === -1 ? -1 : lockedTo(messages, input.inForce, facts.pins, true)
  const released = timing({ ...input, moment: { ...moment, coldFrom: 0, reason: 'full', lockedTo: open } })
  // A custom timing may not know of this.
  return show(released.waiting.length === 0 ? released : { apply: proposals, waiting: [], ledger: released.ledger })
}

interface Settled {
  readonly decision: TimingDecision
  readonly decided: readonly Message[]
  readonly apply: readonly Edit[]
}

type Settle = (decided: ReturnType<typeof decide>) => Settled

/**
 * Counts what is shown in the end: lines that refer to others may have to be shown in full, and then less is saved than the timing reckoned with. A rewrite that the
 * savings do not cover after all does not take place.
 */
function asCounted(timing: Timing, asked: TimingInput, settled: (ledger: Ledger) => Settled): Settled {
  const first = settled(asked.ledger)
  if (timing !== economic || first.apply === first.decision.apply || structuralIn(first.apply).length > 0) return first
  const found = counted(asked, first)
  const { account, ledger } = found.decision
  if (account?.decision !== 'pays' || affordable(ledger) >= 0) return found
  return counted(asked, settled({ ...asked.ledger, bank: Number.NEGATIVE_INFINITY }))
}

function counted(asked: TimingInput, found: Settled): Settled {
  const { decision, apply } = found
  const { ledger } = showing(apply, decision.ledger.debts)(asked)
  const account = decision.account === undefined ? {} : { account: { ...decision.account, bank: ledger.bank } }
  return { ...found, decision: { ...decision, ledger, ...account } }
}

/**
 * Folds written between two requests, such as summaries, and those that made an earlier request fit, if this branch still has their messages.
 * Proposals of running policies are planned again instead.
 */
function standingFolds(inForce: readonly Edit[], policies: readonly Policy[], messages: readonly Message[]): readonly Edit[] {
  const folds = structuralIn(inForce).filter(
    (edit) =>
      edit.kind === 'fold' &&
      edit.into !== null &&
      (edit.policy === fitWindowName || !policies.some(({ name }) => name === edit.policy)),
  )
  if (folds.length === 0) return folds
  const places = placesOf(messages)
  const made = new Set<string>()
  const stands = (id: string) => places.get(id) !== undefined || made.has(id)
  return folds.filter((edit) => {
    if (edit.kind !== 'fold' || edit.into === null || !stands(edit.first) || !stands(edit.last)) return false
    if (edit.policy === fitWindowName && !foldStillHolds(edit, messages, places)) return false
    // A later fold may start or end at an earlier summary.
    made.add(edit.into.id)
    return true
  })
}

function withoutStanding(inForce: readonly Edit[], standing: readonly Edit[]): readonly Edit[] {
  if (standing.length === 0) return inForce
  const stands = new Set(standing)
  return inForce.filter((edit) => !stands.has(edit))
}

/** A message that a policy inserts was seen if it was inserted before. */
function createSeen(messages: readonly Message[], facts: Facts, inForce: readonly Edit[]): (message: string) => boolean {
  let places: Places | null = null
  return (message) => {
    places ??= placesOf(messages)
    const place = places.get(message)
    if (place === undefined) return inForce.some((edit) => edit.kind === 'insert' && edit.message.id === message)
    return place <= lastSeenIndex(messages, facts)
  }
}

/** A missing message proves nothing about what was sent. */
function knownSent(sent: string | null | undefined, messages: readonly Message[]): string | null {
  return sent !== undefined && sent !== null && messages.findLastIndex(({ id }) => id === sent) >= 0 ? sent : null
}

function truncationRate(rules: Report['rules'], results: number): number {
  return results === 0 ? 0 : (rules['limit-tool-output']?.edits ?? 0) / results
}
