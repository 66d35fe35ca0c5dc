import type { ConversationState, Message, Prepared } from '@plimsoll/core'
import {
  type CacheTerms,
  cacheTermsOf,
  type Load,
  type Price,
  type WindowLimits,
  withModelWindow,
  withOutputLimit,
} from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { type Config, outputReserve, type Problem, type RuleName, type TrimMode } from '@plimsoll/core/policies'
import { modelKnowledge } from '../../model/model-knowledge.ts'
import type { Finding, FindingCode } from '../../store/gateway-record.ts'
import type { Branch, Recognised } from '../../store/gateway-store.ts'
import type { Plan, PlannerSettings, RelayedRequest } from '../planner.ts'
import type { GatewayEdits } from './gateway-edits.ts'
import { hashText, type UnderstoodRequest } from './understand-request.ts'

/** A request about which everything is decided, with all that its answer will be held against. It holds no bytes of the body. */
export interface DecidedRequest {
  readonly request: Omit<RelayedRequest, 'body'>
  readonly tenant: string
  /** The mode in force: a conversation that is left untouched for comparison has the gentlest. */
  readonly mode: TrimMode
  readonly isHeldOut: boolean
  readonly understood: Omit<UnderstoodRequest, 'body' | 'reading'>
  readonly model: KnownModel
  readonly place: ConversationPlace
  /** Where the conversation stood, with the number of the last message of its last request; null where nobody knows it. */
  readonly before: { readonly branch: Branch; readonly last: number } | null
  /** What the engine knew of earlier requests. */
  readonly state: ConversationState
  readonly inForce: GatewayEdits
  /** The parts that were decided about with this request, and when the latest decision that holds was made. */
  readonly claimed: { readonly fresh: ReadonlySet<string>; readonly latest: number }
  /** Whether the store did not answer, so that nothing is known of earlier decisions. */
  readonly isUnavailable: boolean
  /** The request as it goes out. */
  readonly settled: Prepared
  /** The parts of which it shows less than was decided, and which level of it. */
  readonly behind: Readonly<Record<string, number>>
  /** When each message was first seen. */
  readonly firstSeen: readonly number[]
  /** What goes out, message for message. */
  readonly view: readonly Message[]
  /** What took effect with this request, and everything that is in force. */
  readonly newEdits: readonly ReportedEdit[]
  readonly edits: readonly ReportedEdit[]
  /** Tokens of edits that wait. */
  readonly waiting: number
  readonly plan: Plan
  readonly plannedMilliseconds: number
}

/** A request of which nothing is known but why. */
export interface UndecidedRequest {
  readonly request: Omit<RelayedRequest, 'body'>
  readonly findings: readonly Finding[]
  readonly plannedMilliseconds: number
}

/** Where a request belongs. */
interface ConversationPlace {
  readonly conversation: string
  /** How many requests the conversation had before it. */
  readonly number: number
  /** The request that it goes on from. */
  readonly after: string | null
  /** How many messages, from the first after the system prompts on, that one had. */
  readonly shared: number
}

/** What is asked about. */
interface PlaceQuestion {
  readonly id: string
  readonly at: number
  readonly label: string | null
  readonly chains: readonly string[]
  readonly branch: Recognised['branch']
  /** The conversation of an earlier try that the upstream did not accept. */
  readonly tried: string | null
}

/** Finds the conversation of a request, or begins one. A label that a client gave tells conversations apart that begin alike. */
export function placeRequest({ id, at, label, chains, branch, tried }: PlaceQuestion): ConversationPlace {
  const mark = label === null ? '' : hashText(label).slice(0, 8)
  if (branch !== null && !isOther(branch, mark, chains, at)) {
    const { conversation, requests, state } = branch.branch
    return { conversation, number: requests, after: state.request ?? null, shared: branch.place + 1 }
  }
  const fresh = tried ?? `${hashText(`${id} ${at} ${chains.at(-1) ?? ''}`).slice(0, 24)}${mark === '' ? '' : `-${mark}`}`
  return { conversation: fresh, number: 0, after: null, shared: 0 }
}

/** A request that is said again all the same is tried again; later than this it is another conversation that begins alike. */
const longestRetry = 600_000

function isOther(
  { place, branch }: NonNullable<Recognised['branch']>,
  mark: string,
  chains: readonly string[],
  at: number,
): boolean {
  const known = branch.conversation.split('-')[1] ?? ''
  if (mark !== '' && known !== '' && mark !== known) return true
  return place === chains.length - 1 && branch.requests === 1 && at - branch.at > longestRetry
}

/** What the provider may refuse about a request. A gateway says so and changes nothing about it. */
export function gatewayFindings(problems: readonly Problem[], load: Load, config: Config): readonly Finding[] {
  const counts = new Map<FindingCode, number>()
  for (const { rule } of problems) {
    const code = codes[rule]
    if (code !== null) counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  if (load.tokens > config.context_window - outputReserve(config)) counts.set('over-window', 1)
  return [...counts].map(([code, count]) => ({ code, count }))
}

const codes: Readonly<Record<RuleName, FindingCode | null>> = {
  'result-has-call': 'orphan-result',
  'one-result-per-call': 'orphan-result',
  'call-has-result': 'unanswered-call',
  // What a dialect reads cannot be so.
  'unique-message-ids': null,
  'calls-in-assistant-messages': null,
  'results-in-tool-messages': null,
}

/** What a gateway knows of a model by nothing but its name. */
export interface KnownModel {
  /** The configuration with the model's window. The same object for the same model. */
  readonly config: Config
  readonly limits: WindowLimits
  readonly price: Price | null
  /** What caching costs, where prompts are kept for as long as the provider does by itself, and for an hour. */
  readonly terms: CacheTerms
  readonly hourTerms: CacheTerms
}

/** Looks models up, each once. */
export function createModelBook(
  { config, isWindowSet }: Pick<PlannerSettings, 'config' | 'isWindowSet'>,
  day: string,
): (model: string | null) => KnownModel {
  const known = new Map<string, KnownModel>()
  return (model) => {
    const name = (model ?? '').slice(0, mostName)
    let found = known.get(name)
    if (found === undefined) {
      found = lookUp(name)
      // Clients name models as they like.
      if (known.size < mostModels) known.set(name, found)
    }
    return found
  }

  function lookUp(name: string): KnownModel {
    const model = name.slice(name.indexOf('/') + 1)
    const knowledge = modelKnowledge(name, { provider: '', model, server: null }, config, day)
    const fitted =
      isWindowSet && !knowledge.isWindowSet ? withOutputLimit(config, knowledge.facts) : withModelWindow(config, knowledge.facts)
    const { price, cacheTerms: terms } = knowledge
    return {
      config: fitted,
      limits: { window: fitted.context_window, reserve: outputReserve(fitted) },
      price,
      terms,
      hourTerms: price === null || terms.write <= terms.read ? terms : cacheTermsOf(price, 'hour'),
    }
  }
}

const mostModels = 1000
const mostName = 200
