import { createConversation, type Edit, type Facts, handleOf, type Message, type Policy, type Report } from '@plimsoll/core'
import { compactionDue, hideOldSummaries } from '@plimsoll/core/compaction'
import { type Config, fitWindow, isCold, type Ledger, momentOf, type TimingName } from '@plimsoll/core/policies'
import type { SessionState } from '@plimsoll/core/session'
import { countMessages, estimator } from '@plimsoll/core/text'
import { assembleLayers, placeRules } from '../../layers/assemble-layers.ts'
import { todoRecap } from '../../layers/todo-recap.ts'
import { inPolicyOrder } from './record-request.ts'

/** What the next request of a session is made of. */
export interface NextRequestInput {
  readonly state: SessionState
  readonly config: Config
  readonly policies: readonly Policy[]
  /** The time, the project's folder and whatever else the policies may know; what the session knows is added. */
  readonly facts: Facts
  /** Default: the model of the last request. */
  readonly model?: string | null
  /** The agent's own prompt. Default: none besides what the conversation begins with. */
  readonly system?: string
  /** The project's rules as they are now. Default: none. */
  readonly rules?: string | null
  /** The rules that stood in the last request. Default: there was no request. */
  readonly shownRules?: string | null
  /** The handle of the tool definitions that go with it. Default: nobody knows them, and so whether they have changed. */
  readonly tools?: string
  /** Messages of folded rounds whose notes of what is to be done still count. Default: none. */
  readonly todos?: readonly Message[]
}

/** A request that is ready to be sent, and how it came to be. */
export interface NextRequest {
  /** Everything the model should see, layers included. */
  readonly messages: readonly Message[]
  /** The layers that stand around the conversation, by name. */
  readonly layers: Readonly<Record<string, string>>
  readonly report: Report
  /** The edits in force, folds of the session not among them. */
  readonly edits: readonly Edit[]
  readonly ledger: Ledger
  readonly policies: readonly string[]
  /** The last message of the conversation it was made of. */
  readonly last: string | null
  /** Whether older rounds should be folded before it is sent. */
  readonly compactionDue: boolean
}

/** Builds the next request of a session: the view, with the layers around it, measured as a whole. Changes nothing. */
export function nextRequest(input: NextRequestInput): NextRequest {
  const { state, config, system = '' } = input
  const policies = withSummaryLimit(input.policies, config)
  const given: Facts = { ...input.facts, config, pins: state.pins }
  const timing = agentTiming(config)
  const model = input.model ?? state.model
  const placed = placeRules({
    timing,
    shown: input.shownRules,
    current: input.rules ?? null,
    cold: isColdBefore(input, given, model),
  })
  const around = { system, ...placed, recap: todoRecap([...(input.todos ?? []), ...state.messages], given) }
  const facts: Facts = {
    ...given,
    ...prefixOf(input, model, placed.rules),
    overhead: countMessages(assembleLayers({ ...around, messages: [] }), given.tokens ?? estimator) + (given.overhead ?? 0),
  }
  const names = policies.map(({ name }) => name)
  const { sent, ledger: before, measurements } = state
  const conversation = createConversation({
    policies,
    timing,
    ...(model === null ? {} : { model }),
    state: { model: state.model, edits: inPolicyOrder(state.edits, names), sent, ledger: before, measurements },
  })
  const { messages: view, report, edits, ledger } = conversation.next(state.messages, facts)
  return {
    messages: assembleLayers({ ...around, messages: view }),
    layers: Object.fromEntries(Object.entries(around).filter((layer): layer is [string, string] => (layer[1] ?? '') !== '')),
    report,
    edits,
    ledger,
    policies: names,
    last: state.messages.at(-1)?.id ?? null,
    compactionDue: compactionDue({ messages: state.messages, load: report.load.tokens, config }) || isLastResort(state, edits),
  }
}

/** The name of everything that stands before the messages: what the provider has cached of them holds as long as that does. */
function prefixOf({ system = '', tools }: NextRequestInput, model: string | null, rules: string | null): Pick<Facts, 'prefix'> {
  return tools === undefined ? {} : { prefix: handleOf(JSON.stringify([model, system, rules ?? '', tools])) }
}

/** Whether the provider has nothing of the conversation that other rules before it would spoil. */
function isColdBefore(input: NextRequestInput, given: Facts, model: string | null): boolean {
  const { state, shownRules = null } = input
  if (state.sent === null || (state.model !== null && model !== state.model)) return true
  const facts: Facts = { ...given, ...prefixOf(input, model, shownRules), sent: state.sent }
  const moment = momentOf(state.messages, facts, state.ledger)
  return isCold(moment, state.messages) || moment.terms.write <= moment.terms.read
}

/** Where the configuration limits the summaries, the oldest are hidden before the request is measured for the last time. */
function withSummaryLimit(policies: readonly Policy[], { compaction }: Config): readonly Policy[] {
  if (compaction.max_summary_tokens === null) return policies
  const isLast = ({ name }: Policy) => name === fitWindow.name
  return [...policies.filter((policy) => !isLast(policy)), hideOldSummaries, ...policies.filter(isLast)]
}

/** Whether the request only fits because it was shrunk just now. A summary of older rounds loses less than that. */
function isLastResort(state: SessionState, edits: readonly Edit[]): boolean {
  const inForce = new Set(state.edits.map(({ id }) => id))
  return edits.some(({ policy, id }) => policy === fitWindow.name && !inForce.has(id))
}

/** When changes of what the provider has cached take effect in the agent: as it is set, else when it pays. */
export function agentTiming({ timing }: Pick<Config, 'timing'>): TimingName {
  return timing ?? 'auto'
}
