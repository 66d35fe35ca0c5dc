import { createCutLongOutput } from './economy/cut-long-output.ts'
import { createDropOldReasoning } from './economy/drop-old-reasoning.ts'
import { defaultEconomyRules, type EconomyRules } from './economy/economy-rules.ts'
import { createShortenWrittenArguments } from './economy/shorten-written-arguments.ts'
import { createSkipShownLines } from './economy/skip-shown-lines.ts'
import { createStubOldResults } from './economy/stub-old-results.ts'
import { createThinLineNumbers } from './economy/thin-line-numbers.ts'
import { filterBinary } from './policies/filter-binary.ts'
import { fitWindow } from './policies/fit-window.ts'
import { pairToolCalls } from './policies/pair-tool-calls.ts'
import type { Policy } from './policy.ts'

/** The economy policies with some of their numbers changed. */
export function createEconomyPolicies(rules: Partial<EconomyRules> = {}): readonly Policy[] {
  const complete: EconomyRules = { ...defaultEconomyRules, ...rules }
  return [
    pairToolCalls,
    filterBinary,
    createThinLineNumbers(complete),
    createCutLongOutput(complete),
    // On what is left of cut ones: only what is shown need not be shown again.
    createSkipShownLines(complete),
    createStubOldResults(complete),
    createShortenWrittenArguments(complete),
    createDropOldReasoning(complete),
    fitWindow,
  ]
}

/**
 * Policies chosen for the whole bill and for what an agent needs later, on measured evidence. They say what may be shown differently;
 * the timing `economic` says when that pays.
 */
export const economyPolicies: readonly Policy[] = createEconomyPolicies()
