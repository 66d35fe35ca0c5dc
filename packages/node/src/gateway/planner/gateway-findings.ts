import type { Load } from '@plimsoll/core/bill'
import type { Problem, RuleName } from '@plimsoll/core/policies'
import { type Config, outputReserve } from '@plimsoll/core/policies'
import type { Finding, FindingCode } from '../../store/finding.ts'

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
