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

/** A request about which everything is decided, with all that its answer is compared with. It holds no bytes of the body. */
export interface DecidedRequest {
  readonly request: Omit<RelayedRequest, 'body'>
  readonly tenant: string
  /** The active mode: `observe` for a conversation that is left untouched for comparison. */
  readonly mode: TrimMode
  readonly isHeldOut: boolean
  readonly understood: Omit<UnderstoodRequest, 'body' | 'reading'>
  readonly model: KnownModel
  readonly place: ConversationPlace
  /** The conversation before, with the number of the last message of its last request; null if unknown. */
  readonly before: { readonly branch: Branch; readonly last: number } | null
  readonly state: ConversationState
  readonly inForce: GatewayEdits
  /** The parts decided about with this request, and the time of the latest decision that holds. */
  readonly claimed: { readonly fresh: ReadonlySet<string>; readonly latest: number }
  /** Whether the store did not answer, so that earlier decisions are unknown. */
  readonly isUnavailable: boolean
  readonly settled: Prepared
  /** The parts of which it shows less than was decided, and the level it shows. */
  readonly behind: Readonly<Record<string, number>>
  readonly firstSeen: readonly number[]
  readonly view: readonly Message[]
  /** The edits that took effect with this request, and all active ones. */
  readonly newEdits: readonly ReportedEdit[]
  readonly edits: readonly ReportedEdit[]
  /** Tokens of pending edits. */
  readonly waiting: number
  readonly plan: Plan
  readonly plannedMilliseconds: number
}

/** A request that could not be read; the findings say why. */
export interface UndecidedRequest extends Pick<DecidedRequest, 'request' | 'plannedMilliseconds'> {
  readonly findings: readonly Finding[]
}

interface ConversationPlace {
  readonly conversation: string
  /** The number of earlier requests in the conversation. */
  readonly number: number
  /** The request that it continues. */
  readonly after: string | null
  /** The number of messages of that one, without system prompts. */
  readonly shared: number
}

interface PlaceQuestion {
  readonly id: string
  readonly at: number
  readonly label: string | null
  readonly chains: readonly string[]
  readonly branch: Recognised['branch']
  /** The conversation of an earlier attempt that the upstream did not accept. */
  readonly tried: string | null
}

/** Finds the conversation of a request, or starts one. A client's label tells apart conversations with the same start. */
export function placeRequest({ id, at, label, chains, branch, tried }: PlaceQuestion): ConversationPlace {
  const mark = label === null ? '' : hashText(label).slice(0, 8)
  if (branch !== null && !isOther(branch, mark, chains, at)) {
    const { conversation, requests, state } = branch.branch
    return { conversation, number: requests, after: state.request ?? null, shared: branch.place + 1 }
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

/** What the provider may refuse about a request. A gateway reports it and does not change it. */
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
  // Impossible in messages that were read from a dialect.
  'unique-message-ids': null,
  'calls-in-assistant-messages': null,
  'results-in-tool-messages': null,
}

/** What a gateway knows about a model by its name. */
export interface KnownModel {
  /** The configuration with the model's window. The same object for the same model. */
  readonly config: Config
  readonly limits: WindowLimits
  readonly price: Price | null
  /** The terms of caching for the provider's default lifetime, and for an hour. */
  readonly terms: CacheTerms
  readonly hourTerms: CacheTerms
}

export function createModelBook(
  { config, isWindowSet }: Pick<PlannerSettings, 'config' | 'isWindowSet'>,
  day: string,
): (model: string | null) => KnownModel {
  const known = new Map<string, KnownModel>()
  return (model) => {
    const name = (model ?? '').slice(0, maxName)
    let found = known.get(name)
    if (found === undefined) {
      found = lookUp(name)
      // Clients name models as they like.
      if (known.size < maxModels) known.set(name, found)
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

const maxModels = 1000
const maxName = 200
