import { economyPolicies, type Policy, specPolicies } from '@plimsoll/core'
import { gatewayMode } from '@plimsoll/core/policies'
import { capHeadTail8k } from './baselines/cap-head-tail-8k.ts'
import { clearToolUses } from './baselines/clear-tool-uses.ts'
import { coldGapClearing } from './baselines/cold-gap-clearing.ts'
import { maskBatches25 } from './baselines/mask-batches-25.ts'
import { noToolOutput } from './baselines/no-tool-output.ts'
import { opencodePrune } from './baselines/opencode-prune.ts'
import { oracle } from './baselines/oracle.ts'
import { rollingMask10 } from './baselines/rolling-mask-10.ts'
import type { PolicySet } from './policy-set.ts'

/** A result that was made again is masked like any other: of ten after ten requests, in batches of 25 after 10 to 35. */
const recallLasts = new Map<Policy, Pick<PolicySet, 'recallLasts'>>([
  [rollingMask10, { recallLasts: 10 }],
  [maskBatches25, { recallLasts: 22 }],
])

/** What others do, each a policy by itself, applied at once and without a way back to what it cut. */
const baselines: readonly PolicySet[] = [
  rollingMask10,
  maskBatches25,
  clearToolUses,
  capHeadTail8k,
  coldGapClearing,
  opencodePrune,
].map((policy) => ({
  name: policy.name,
  policies: [policy],
  timing: 'immediate',
  // How long the cache lasts goes with the prices.
  dependsOnPrices: policy === coldGapClearing,
  ...recallLasts.get(policy),
}))

const economy: PolicySet = {
  name: 'economy',
  policies: economyPolicies,
  timing: 'economic',
  dependsOnPrices: true,
  canRecall: true,
}

/** What a mode of the gateway gives: its policies, timing and rules, as the gateway itself passes them on. */
function gateway(mode: 'safe' | 'spec' | 'economy'): PolicySet {
  return { name: `gateway-${mode}`, ...gatewayMode(mode), dependsOnPrices: mode !== 'safe', canRecall: true }
}

/** The same for models whose provider refuses a change of anything before a signed thought. */
const gatewaySigned: PolicySet = {
  ...gateway('economy'),
  name: 'gateway-economy-signed',
  rules: [...gatewayMode('economy').rules, 'signed-thoughts'],
}

/** Everything that is replayed side by side, in the order of the tables: nothing done, ours, what others do, and the bounds. */
export const policySets: readonly PolicySet[] = [
  { name: 'raw', policies: [], timing: 'immediate', dependsOnPrices: false },
  { name: 'spec-immediate', policies: specPolicies, timing: 'immediate', dependsOnPrices: false, canRecall: true },
  { name: 'spec', policies: specPolicies, timing: 'economic', dependsOnPrices: true, canRecall: true },
  economy,
  { ...economy, name: 'economy-keep-alive', keepAlive: true },
  gateway('safe'),
  gateway('spec'),
  gateway('economy'),
  gatewaySigned,
  ...baselines,
  { name: 'oracle', policies: [], timing: 'immediate', dependsOnPrices: false, show: oracle },
  { name: 'no-tool-output', policies: [], timing: 'immediate', dependsOnPrices: false, show: noToolOutput },
]
