import { economyPolicies, type Message, type Policy, specPolicies, type Timing } from '@plimsoll/core'
import { gatewayMode, type HostRule, type TimingName } from '@plimsoll/core/policies'
import { nearest } from '../config/nearest.ts'
import { capHeadTail8k } from './baselines/cap-head-tail-8k.ts'
import {
  clearToolUses,
  coldGapClearing,
  maskBatches25,
  maskBatches25Keep30,
  rollingMask10,
} from './baselines/mask-old-results.ts'
import { opencodePrune } from './baselines/opencode-prune.ts'
import { noToolOutput, oracle } from './baselines/oracle.ts'
import type { RecallLasts } from './bill/recall-charges.ts'
import type { Need } from './needs/need.ts'
import { type RecordedSession, withThoughts } from './record-session.ts'

/** A way of trimming to replay: policies with a timing, or a fixed view of each message. */
export interface PolicySet extends RecallLasts {
  readonly name: string
  readonly policies: readonly Policy[]
  readonly timing: TimingName | Timing
  /** Rules of the host, as for `createConversation`. Default: none. */
  readonly rules?: readonly HostRule[]
  /** The rules instead of those, if the session's requests are in another dialect than Anthropic's. Default: the same. */
  readonly rulesIn?: (dialect: string) => readonly HostRule[]
  /** Whether its views depend on prices, so that it must be run for each row. */
  readonly dependsOnPrices: boolean
  /** Whether the cache is kept alive while the agent waits for the user. */
  readonly keepAlive?: true
  /** Whether cut text can be recalled by handle or search. Default: no, the tool must run again. */
  readonly canRecall?: true
  /** Instead of policies: a view with hindsight, for bounds. */
  readonly show?: (session: RecordedSession, needs: readonly Need[]) => (message: Message) => Message
  /** Instead of policies: a transformation of the list at each request, with its own state for one session. */
  readonly transform?: () => (messages: readonly Message[], facts: { readonly now: number }) => readonly Message[]
}

/** A recalled result is masked like any other: after ten requests, or in batches of 25 after 10 to 35, or 30 to 55. */
const recallLasts = new Map<Policy, RecallLasts>([
  [rollingMask10, { recallLasts: 10 }],
  [maskBatches25, { recallLasts: 22 }],
  [maskBatches25Keep30, { recallLasts: 42 }],
])

/** Methods of others: each is one policy, applied at once and without recall. */
const baselines: readonly PolicySet[] = [
  rollingMask10,
  maskBatches25,
  maskBatches25Keep30,
  clearToolUses,
  capHeadTail8k,
  coldGapClearing,
  opencodePrune,
].map((policy) => ({
  name: policy.name,
  policies: [policy],
  timing: 'immediate',
  dependsOnPrices: policy === coldGapClearing,
  ...recallLasts.get(policy),
}))

/** `stub-old-results` shortens recalled results as well, once they are not among the newest eight. */
const stubsRecalled: RecallLasts = { recallStays: 8 }

const economy: PolicySet = {
  ...stubsRecalled,
  name: 'economy',
  policies: economyPolicies,
  timing: 'economic',
  dependsOnPrices: true,
  canRecall: true,
}

/** A mode of the gateway: policies, timing and rules as the gateway itself uses them. */
function gateway(mode: 'safe' | 'spec' | 'economy'): PolicySet {
  return {
    name: `gateway-${mode}`,
    ...gatewayMode(mode, 'anthropic'),
    rulesIn: (dialect) => gatewayMode(mode, dialect).rules,
    dependsOnPrices: mode !== 'safe',
    canRecall: true,
    ...(mode === 'economy' ? stubsRecalled : {}),
  }
}

/** The rules of a set for a session: what a gateway may change depends on the dialect of its requests. */
export function rulesFor(
  { rules = [], rulesIn }: Pick<PolicySet, 'rules' | 'rulesIn'>,
  { format, model }: Pick<RecordedSession, 'format' | 'model'>,
): readonly HostRule[] {
  return rulesIn === undefined
    ? rules
    : [...rulesIn(dialectOf(format, model)), ...rules.filter((rule) => rule === 'signed-thoughts')]
}

/** A session as a set sees it: one for models that sign their thoughts has a thought in every answer. */
export function sessionFor(session: RecordedSession, { rules }: Pick<PolicySet, 'rules'>): RecordedSession {
  return rules?.includes('signed-thoughts') === true ? withThoughts(session) : session
}

function dialectOf(format: string, model: string | null): string {
  const name = (model ?? '').toLowerCase()
  if (name.includes('claude')) return 'anthropic'
  if (name.includes('gemini') || format.startsWith('gemini')) return 'gemini'
  return name.includes('gpt') || format.startsWith('codex') ? 'openai-responses' : 'openai-chat'
}

/** The same for models whose provider rejects changes before signed reasoning. */
const gatewaySigned: PolicySet = {
  ...gateway('economy'),
  name: 'gateway-economy-signed',
  rules: [...gatewayMode('economy', 'anthropic').rules, 'signed-thoughts'],
}

/** All policy sets in the order of the tables: raw, ours, others, and the bounds. */
export const policySets: readonly PolicySet[] = [
  { name: 'raw', policies: [], timing: 'immediate', dependsOnPrices: false },
  { name: 'spec-immediate', policies: specPolicies, timing: 'immediate', dependsOnPrices: false, canRecall: true },
  { name: 'spec', policies: specPolicies, timing: 'economic', dependsOnPrices: true, canRecall: true },
  economy,
  { ...economy, name: 'economy-keep-alive', keepAlive: true },
  gateway('safe'),
  gateway('spec'),
  gateway('economy'),
  { ...gateway('economy'), name: 'gateway-economy-keep-alive', keepAlive: true },
  gatewaySigned,
  ...baselines,
  { name: 'oracle', policies: [], timing: 'immediate', dependsOnPrices: false, show: oracle },
  { name: 'no-tool-output', policies: [], timing: 'immediate', dependsOnPrices: false, show: noToolOutput },
]

type ChosenNames<Named> =
  | { readonly chosen: readonly Named[]; readonly unknown?: never }
  | { readonly unknown: string; readonly known: readonly string[]; readonly near: string | null; readonly chosen?: never }

/** The items of these names, in the order of the list, or the first unknown name. No names give all items. */
export function chooseNamed<Named extends { readonly name: string }>(
  all: readonly Named[],
  names: readonly string[],
): ChosenNames<Named> {
  const known = all.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) return { unknown, known, near: nearest(unknown, known) }
  return { chosen: names.length === 0 ? all : all.filter(({ name }) => names.includes(name)) }
}
