import type { TimingName } from '../config.ts'
import { once } from '../derive.ts'
import { type Edit, partKey } from '../edit.ts'
import type { Facts, Measurement } from '../facts.ts'
import type { Message } from '../message.ts'
import { type HostRule, signsThoughts, thinkingModel, timingUnder, underRules, withSigningModel } from '../policies/host-rules.ts'
import type { Policy } from '../policy.ts'
import type { Report } from '../report.ts'
import { readReferences } from '../results/references.ts'
import type { StringsName } from '../strings/strings-for.ts'
import { showing } from '../timing/economic.ts'
import { type Ledger, ledgerFor, settleLedger } from '../timing/ledger.ts'
import type { Timing } from '../timing/timing.ts'
import { normaliseUsage, promptTotal } from '../tokens/usage.ts'
import { type BuiltView, buildView } from './build-view.ts'
import { createEditsInForce } from './edits-in-force.ts'
import type { LogInput } from './log-records.ts'
import { compactedAt, sentPlaces } from './seen.ts'

/** The state of a conversation between two requests. Plain JSON. */
export interface ConversationState {
  /** The model of the last accepted request: another model has another cache. */
  readonly model: string | null
  /** The last message of that request, for any model. Null: nothing was sent yet. */
  readonly sent: string | null
  readonly edits: readonly Edit[]
  readonly ledger: Ledger
  /** Estimates of the last requests and what the provider counted, oldest first. Default: none. */
  readonly measurements?: readonly Measurement[]
  /** When each message of the last request was first seen, in milliseconds. Only with a codec. */
  readonly firstSeen?: Readonly<Record<string, number>>
  /** All messages of the last request. Only without a codec; `firstSeen` has them otherwise. Default: unknown. */
  readonly messages?: readonly string[]
  /** The language of model-facing text. Default: that of the options. */
  readonly strings?: StringsName
}

export interface PrepareOptions {
  readonly policies: readonly Policy[]
  readonly timing: TimingName | Timing
  readonly rules: readonly HostRule[]
  /** Counts the requests of a conversation, so that a late answer does not undo a later request. */
  readonly number: number
}

/** The facts of a request that count once the provider has accepted it. Plain JSON. */
export interface Sent {
  readonly number: number
  readonly model: string | null
  readonly last: string | null
  readonly edits: readonly Edit[]
  readonly ledger: Ledger
  readonly estimate: number
  readonly firstSeen?: Readonly<Record<string, number>>
  readonly messages?: readonly string[]
}

/** A request that is ready to be sent. A value: nothing has happened yet. */
export interface Prepared {
  /** The messages for the model. */
  readonly messages: readonly Message[]
  /** Names messages by their id. */
  readonly report: Report
  /** The edits that are active once the request is accepted: applied to the messages they give the view. */
  readonly edits: readonly Edit[]
  /** Those of them that were decided with this request. */
  readonly fresh: readonly Edit[]
  readonly ledger: Ledger
  readonly sent: Sent
  /** For `logRecords(...prepared.logged())`: what was decided with this request. A bundle without a log need not hold its sentences. */
  readonly logged: () => LogInput
  /** How many tokens fewer the request would have if the provider had nothing of it cached: what a pause may trim for free. */
  readonly released: () => number
  /** The same request with the decisions `held` about their parts; all other decisions are dropped. */
  readonly adopt: (held: readonly Edit[]) => Prepared
  /** The same request unchanged: for when the original bytes were sent after all. */
  readonly untouched: () => Prepared
}

/** Prepares one request of a conversation. Pure. This and `viewOnce` are the only callers of `buildView` that prepare requests. */
export function prepare(
  messages: readonly Message[],
  state: ConversationState,
  model: string | null,
  facts: Facts,
  { policies, timing, rules, number }: PrepareOptions,
): Prepared {
  const inForce = readReferences(state.edits, messages)
  const ids = once(() => state.messages ?? Object.keys(state.firstSeen ?? {}))
  const places = sentPlaces(messages, state.sent, ids)
  const ledger = withSigningModel(ledgerFor(state.ledger, state.model, model), model)
  const known: Facts = {
    measurements: recentMeasurements(state.measurements ?? [], model),
    compactedAt: compactedAt(messages, ids()),
    ...(model === null ? {} : { model }),
    ...facts,
  }
  const isSigned = signsThoughts(rules, thinkingModel(model, ledger), messages)
  const input = { messages, edits: inForce, ...places, facts: known, ledger }
  const built = buildView({
    ...input,
    policies: underRules(policies, rules),
    timing: timingUnder(timing, rules, isSigned),
    isSigned,
  })
  return preparedOf(built)

  function preparedOf(view: BuiltView): Prepared {
    const { edits, report } = view
    const last = messages.at(-1)?.id ?? null
    return {
      messages: view.view,
      report,
      edits,
      get fresh() {
        return freshEdits(view, inForce)
      },
      ledger: view.ledger,
      sent: { number, model, last, edits, ledger: view.ledger, estimate: report.load.estimate },
      logged: () => [messages, { ...view, fresh: freshEdits(view, inForce), sent: state.sent }, known],
      released: view.released,
      adopt: (held) => adopt(view, held),
      untouched: () => preparedOf(shownAs([], view, false)),
    }
  }

  function adopt(view: BuiltView, held: readonly Edit[]): Prepared {
    const fresh = freshEdits(view, inForce)
    const isFresh = new Set(fresh)
    const decided = new Set([...fresh, ...held].flatMap((edit) => (edit.kind === 'replace' ? [partKey(edit)] : [])))
    const asked = new Set(held.flatMap((edit) => (edit.kind === 'replace' ? [partKey(edit)] : [])))
    const isAbout = (edit: Edit, parts: ReadonlySet<string>) => edit.kind === 'replace' && parts.has(partKey(edit))
    // The earlier edits that a dropped decision would have replaced are shown again.
    const before = inForce.filter((edit) => isAbout(edit, decided) && !isAbout(edit, asked))
    const kept = view.edits.filter((edit) => !isFresh.has(edit) && !isAbout(edit, decided))
    return preparedOf(shownAs([...kept, ...before, ...held], view, isSigned))
  }

  function shownAs(edits: readonly Edit[], view: BuiltView, dropsStale: boolean): BuiltView {
    const { waiting, timing: account, overflow } = view.report
    const books =
      account === null ? () => ({ apply: edits, waiting: [], ledger: view.ledger }) : showing(edits, view.ledger.debts)
    const shown = buildView({ ...input, policies: [], timing: books, isSigned: dropsStale })
    return { ...shown, report: { ...shown.report, waiting, timing: account, overflow } }
  }
}

/** The view of messages without a conversation: nothing was sent, everything counts as seen, and all edits apply at once. */
export function viewOnce(messages: readonly Message[], policies: readonly Policy[], facts: Facts): BuiltView {
  return buildView({ messages, policies, facts, timing: 'immediate' })
}

/** The state after a request was accepted. `reported` is the provider's usage, in any vendor's shape. */
export function stateAfter(state: ConversationState, sent: Sent, reported?: unknown): ConversationState {
  const usage = normaliseUsage(reported)
  const { model, last, edits, ledger, estimate, firstSeen, messages } = sent
  const earlier = state.model !== null && model !== null && state.model !== model ? undefined : state.measurements
  const measurements =
    usage === null ? earlier : [...(earlier ?? []), { model: model ?? '', estimate, last, usage }].slice(-maxMeasurements)
  return {
    model: model ?? state.model,
    sent: last,
    edits,
    ledger: settleLedger(ledger, usage),
    ...(measurements === undefined ? {} : { measurements }),
    ...(firstSeen === undefined ? {} : { firstSeen }),
    ...(messages === undefined ? {} : { messages }),
    ...(state.strings === undefined ? {} : { strings: state.strings }),
  }
}

const maxMeasurements = 20

/** The measurements since the model changed. A session remembers more of them, with zeros for those that were not counted. */
function recentMeasurements(measurements: readonly Measurement[], model: string | null): readonly Measurement[] {
  const isOther = ({ model: asked }: Measurement) =>
    model !== null && typeof asked === 'string' && asked !== '' && asked !== model
  const isCounted = ({ usage: reported }: Measurement) => {
    const usage = normaliseUsage(reported)
    return usage !== null && promptTotal(usage) > 0
  }
  return measurements
    .slice(measurements.findLastIndex(isOther) + 1)
    .filter(isCounted)
    .slice(-maxMeasurements)
}

/** A corrected reference is not a new decision. */
function freshEdits({ edits, decided }: BuiltView, inForce: readonly Edit[]): readonly Edit[] {
  const known = createEditsInForce(inForce)
  if (decided === edits) return edits.filter((edit) => !known.has(edit))
  const asDecided = new Map(decided.map((edit) => [edit.id, edit]))
  return edits.filter((edit) => !known.has(edit) && !known.has(asDecided.get(edit.id) ?? edit))
}
