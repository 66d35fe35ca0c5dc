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
 * The policies, timing and rules of a mode. A gateway changes the content of tool results; `economy` also shortens arguments and omits reasoning of
 * finished turns, in dialects without signatures over them. It reports broken pairs and full windows but repairs neither. `safe` also keeps file reads
 * and never changes what was sent. With `immediate`, edits do not wait for the cache; a decision stays in any case.
 */
export function gatewayMode(mode: TrimMode, dialect: string, timing: TimingName | null = null): GatewayMode {
  const made = mode === 'economy' ? (economyIn[dialect] ?? modes.economy) : modes[mode]
  return timing === 'immediate' ? { ...made, timing: atOnce } : made
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

/**
 * OpenAI's responses bind reasoning items to the calls after them, and Gemini signs calls. Chat completions have no rule for reasoning, and some models
 * want it back.
 */
const economyIn: Readonly<Record<string, GatewayMode>> = {
  anthropic: { ...modes.economy, rules: ['parts-only'] },
  'openai-chat': { ...modes.economy, rules: ['parts-only', 'whole-thoughts'] },
}

/** The gentler of the configured and the requested mode. An unknown word requests nothing. */
export function gentlerMode(configured: TrimMode, asked: string | null): TrimMode {
  const wanted = trimModes.indexOf(asked as TrimMode)
  return wanted < 0 ? configured : (trimModes[Math.min(wanted, trimModes.indexOf(configured))] as TrimMode)
}
