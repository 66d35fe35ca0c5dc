import { filterBinary } from '../binary/filter-binary.ts'
import { type TimingName, type TrimMode, trimModes } from '../config.ts'
import type { Policy } from '../policy.ts'
import { atOnce, type Timing } from '../timing/timing.ts'
import { economyPolicies } from './economy-policies.ts'
import { type HostRule, underRules } from './host-rules.ts'
import { limitToolOutput } from './limit-tool-output.ts'
import { shortenWithBlocks } from './shorten-losslessly.ts'
import { specPolicies } from './spec-policies.ts'

export interface GatewayMode {
  readonly policies: readonly Policy[]
  readonly timing: TimingName | Timing
  readonly rules: readonly HostRule[]
}

/**
 * The policies, timing and rules of a mode. A gateway only changes the content of tool results; it reports broken pairs and full windows but repairs
 * neither. `safe` also keeps file reads and never changes what was sent. With `immediate`, edits do not wait for the cache; a decision stays in any case.
 */
export function gatewayMode(mode: TrimMode, timing: TimingName | null = null): GatewayMode {
  return timing === 'immediate' ? { ...modes[mode], timing: atOnce } : modes[mode]
}

export function gatewayPolicies(mode: TrimMode): readonly Policy[] {
  const { policies, rules } = modes[mode]
  return underRules(policies, rules)
}

const modes: Readonly<Record<TrimMode, GatewayMode>> = {
  observe: { policies: [], timing: 'economic', rules: ['results-only', 'sent-stays'] },
  safe: {
    policies: [filterBinary, shortenWithBlocks, limitToolOutput],
    timing: 'economic',
    rules: ['results-only', 'whole-file-reads', 'sent-stays'],
  },
  spec: { policies: specPolicies, timing: 'economic', rules: ['results-only'] },
  economy: { policies: economyPolicies, timing: 'economic', rules: ['results-only'] },
}

/** The gentler of the configured and the requested mode. An unknown word requests nothing. */
export function gentlerMode(configured: TrimMode, asked: string | null): TrimMode {
  const wanted = trimModes.indexOf(asked as TrimMode)
  return wanted < 0 ? configured : (trimModes[Math.min(wanted, trimModes.indexOf(configured))] as TrimMode)
}
