import { foldStillHolds } from '../compaction/summary-template.ts'
import type { TimingName } from '../config.ts'
import { applyEdits, type Edit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import { budgetOf, excessOf, overflowOf, requestSize } from '../fit/request-size.ts'
import { isRecord, type Message } from '../message.ts'
import { fitWindowName, type Policy } from '../policy.ts'
import { type Report, type ReportedEdit, sumRules } from '../report.ts'
import { checkView } from '../results/invariants.ts'
import { lastSeenIndex, withSurvivingSent } from '../results/protect.ts'
import { carryReferences, noReferences, type Settling, settleReferences } from '../results/references.ts'
import { toolResults } from '../results/tool-results.ts'
import { describeValue } from '../text/json.ts'
import { emptyLedger, type Ledger } from '../timing/ledger.ts'
import { isCold, momentOf } from '../timing/moment.ts'
import { immediate, type Timing, type TimingDecision, type TimingInput, timingNamed } from '../timing/timing.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import { createGauge } from '../tokens/load.ts'
import { checkMessages, checkPolicies, UsageError } from './check-use.ts'
import { createEditsInForce } from './edits-in-force.ts'
import { measureEdits } from './measure-edits.ts'
import { planStages, stagesOf, stagesWith } from './plan-stages.ts'
import { rewriteOf, withdrawnEdits } from './rewrite.ts'

/** What a view is built from. */
export interface BuildViewInput {
  /** The conversation as the log holds it. May be frozen; is never changed. */
  readonly messages: readonly Message[]
  /** The edits that took effect in the last accepted request. Default: none. */
  readonly edits?: readonly Edit[]
  /** The last message of the last request the provider accepted. Default: nothing was sent. */
  readonly sent?: string | null
  /** The last message a model has seen; null if none. Default: `sent`, and everything if there is no such message. */
  readonly seen?: string | null
  /** Default: `immediate`. */
  readonly timing?: TimingName | Timing
  readonly policies: readonly Policy[]
  readonly facts: Facts
  readonly ledger?: Ledger
}

/** A view, how it came to be, and what the next request has to know. */
export interface BuiltView {
  /** What the model should see. */
  readonly view: readonly Message[]
  /** The edits in force: applied to the messages they give the view. */
  readonly edits: readonly Edit[]
  /** The same as they were decided, before references to lines that are not shown any more were set right. */
  readonly decided: readonly Edit[]
  readonly report: Report
  readonly ledger: Ledger
}

/**
 * Turns a conversation into what the model should see, and says why. Start reading here.
 *
 * Policies plan one after the other, each on what those before it would leave, from the originals: never from the edits in
 * force, so the answer does not depend on the path that led here. `timing` then decides which proposals take effect now. The
 * last resort, `fit-window`, runs on what is then to be sent, wherever it stands in the list.
 */
export function buildView(input: BuildViewInput): BuiltView {
  if (!isRecord(input)) throw new UsageError(`buildView: expected { messages, policies, facts }, got ${describeValue(input)}`)
  const { messages, policies, ledger = emptyLedger } = input
  checkMessages('buildView', messages)
  checkPolicies('buildView', policies)
  const inForce = input.edits ?? []
  const timing = typeof input.timing === 'function' ? input.timing : timingNamed(input.timing ?? 'immediate')

  const standing = standingFolds(inForce, policies, messages)
  const base = applyEdits(messages, standing)
  const given: Facts = {
    ...input.facts,
    sent: knownSent(input.sent, messages),
    ...(input.seen === undefined ? {} : { seen: knownSent(input.seen, messages) }),
    policies: policies.map(({ name }) => name),
    inForce,
    originals: messages,
  }
  const surviving = withSurvivingSent(given, messages, standing, base)
  const moment = momentOf(base, surviving, ledger)
  const facts: Facts =
    timing === immediate ? { ...surviving, cold: true } : { ...surviving, cold: isCold(moment, base), kept: inForce }
  const lastResort = policies.filter(({ name }) => name === fitWindowName)
  const plan = planStages(
    base,
    policies.filter((policy) => !lastResort.includes(policy)),
    facts,
  )
  const proposals = plan.stages.flatMap((stage) => stage.edits)

  const asked: TimingInput = { proposals, inForce, messages: base, facts, ledger, moment }
  const { decision, chosen: decided } = decide(timing, asked, plan.planned, lastResort)
  const isSeen = createSeen(base, facts, inForce)
  // What no model has seen yet is shown whole rather than named.
  const why = reasonsOf(facts).economy.notShown
  const onFalse: Settling['onFalse'] = ({ message }) => (isSeen(message) ? 'restate' : 'drop')
  const apply = settleReferences(decision.apply, decided, base, { onFalse, why })
  const chosen = apply === decision.apply ? decided : applyEdits(base, apply)
  const isAsPlanned = apply === proposals
  const chosenFacts = isAsPlanned
    ? plan.facts
    : { ...withSurvivingSent(facts, base, apply, chosen), references: carryReferences(apply, base, noReferences).references }
  const inserted = apply.filter((edit) => edit.kind === 'insert').map(({ message }) => message)
  const fitted = planStages(chosen, lastResort, inserted.length === 0 ? chosenFacts : { ...chosenFacts, inserted })
  const planned = fitted.stages.length === 0 ? apply : [...apply, ...fitted.stages.flatMap((stage) => stage.edits)]
  // The last resort may have taken away what others name.
  const settled =
    fitted.stages.length === 0 ? planned : settleReferences(planned, fitted.planned, base, { onFalse: () => 'restate', why })
  const view = settled === planned ? fitted.planned : applyEdits(base, settled)
  const edits = standing.length === 0 ? settled : [...standing, ...settled]
  const applied = [
    ...stagesOf(messages, standing, given),
    ...(settled !== planned
      ? stagesOf(base, settled, facts)
      : [...(isAsPlanned ? plan.stages : stagesOf(base, apply, facts)), ...fitted.stages]),
  ]

  const known = createEditsInForce(inForce)
  const measured = measureEdits(applied, known)
  const withdrawn = withdrawnEdits(inForce, edits, messages, given)
  const tokensBefore = countMessages(messages, facts.tokens ?? estimator)
  const tokensAfter = measured.reduce((tokens, edit) => tokens + edit.tokensAfter - edit.tokensBefore, tokensBefore)
  const load = createGauge(view, facts)(tokensAfter)
  // Worked out when they are asked for: they look at every proposal, and at every message that is written again.
  const waiting = once(() => measureEdits(stagesWith(plan.stages, decision.waiting), known))
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
    // A legal replacement leaves calls, results and their order as they are, so what holds before it holds after it.
    problems: checkView(edits.every((edit) => edit.kind === 'replace') ? base : view),
    rules: sumRules(measured),
    truncationRate: truncationRate(measured, toolResults(base, facts).length),
    timing: decision.account ?? null,
    load,
    overflow: lastResort.length === 0 ? null : overflowOf(view, load, facts),
  }
  return {
    view,
    edits,
    decided: apply === decision.apply && settled === planned ? edits : decision.apply,
    report,
    ledger: withNewSummaries(decision.ledger, edits),
  }
}

/** The ledger with the summaries that only this view has: the next request has them too, and they are not new to the provider then. */
function withNewSummaries(ledger: Ledger, edits: readonly Edit[]): Ledger {
  const { summaries } = ledger
  if (summaries === undefined) return ledger
  const known = new Set(summaries)
  const added = edits.flatMap((edit) =>
    edit.kind === 'fold' && edit.into?.summary === true && !known.has(edit.into.id) ? [edit.into.id] : [],
  )
  return added.length === 0 ? ledger : { ...ledger, summaries: [...summaries, ...added] }
}

/** Asks the timing, and shows what comes of it. What waits is let go before the last resort takes anything else away. */
function decide(
  timing: Timing,
  input: TimingInput,
  planned: readonly Message[],
  lastResort: readonly Policy[],
): { readonly decision: TimingDecision; readonly chosen: readonly Message[] } {
  const { proposals, messages, facts, moment } = input
  const show = (decision: TimingDecision) => ({
    decision,
    chosen: decision.apply === proposals ? planned : applyEdits(messages, decision.apply),
  })
  const decided = show(timing(input))
  const { decision, chosen } = decided
  if (decision.apply === proposals || decision.waiting.length === 0 || lastResort.length === 0) return decided
  if (excessOf(requestSize(chosen, facts), budgetOf(facts)).length === 0) return decided
  const released = timing({ ...input, moment: { ...moment, coldFrom: 0, reason: 'full' } })
  // A timing of somebody's own may not know of this.
  return show(released.waiting.length === 0 ? released : { apply: proposals, waiting: [], ledger: released.ledger })
}

/**
 * Folds that were written between two requests, such as summaries, and those that made an earlier request fit, as far as this
 * branch still has their messages. What a running policy proposes is planned anew instead.
 */
function standingFolds(inForce: readonly Edit[], policies: readonly Policy[], messages: readonly Message[]): readonly Edit[] {
  const folds = inForce.filter(
    (edit) =>
      edit.kind === 'fold' &&
      edit.into !== null &&
      (edit.policy === fitWindowName || !policies.some(({ name }) => name === edit.policy)),
  )
  if (folds.length === 0) return folds
  const places = new Map(messages.map((message, index) => [message.id, index]))
  const made = new Set<string>()
  const stands = (id: string) => places.has(id) || made.has(id)
  return folds.filter((edit) => {
    if (edit.kind !== 'fold' || edit.into === null || !stands(edit.first) || !stands(edit.last)) return false
    if (edit.policy === fitWindowName && !foldStillHolds(edit, messages, places)) return false
    // A later fold may begin or end at an earlier summary.
    made.add(edit.into.id)
    return true
  })
}

/** Tells whether a model has seen a message. One that a policy puts in was seen if it was put in before. */
function createSeen(messages: readonly Message[], facts: Facts, inForce: readonly Edit[]): (message: string) => boolean {
  let places: ReadonlyMap<string, number> | null = null
  return (message) => {
    places ??= new Map(messages.map(({ id }, index) => [id, index]))
    const place = places.get(message)
    if (place === undefined) return inForce.some((edit) => edit.kind === 'insert' && edit.message.id === message)
    return place <= lastSeenIndex(messages, facts)
  }
}

/** A message that is not there says nothing about what was sent. */
function knownSent(sent: string | null | undefined, messages: readonly Message[]): string | null {
  return sent !== undefined && sent !== null && messages.findLastIndex(({ id }) => id === sent) >= 0 ? sent : null
}

function truncationRate(edits: readonly ReportedEdit[], results: number): number {
  const cut = edits.filter((edit) => edit.policy === 'limit-tool-output').length
  return results === 0 ? 0 : cut / results
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
