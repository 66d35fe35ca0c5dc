import { filterBinary } from '../binary/filter-binary.ts'
import type { Policy } from '../policy.ts'
import { createCutLongOutput } from './cut-long-output.ts'
import { createDropOldReasoning } from './drop-old-reasoning.ts'
import { defaultEconomyRules, type EconomyRules } from './economy/economy-rules.ts'
import { fitWindow } from './fit-window.ts'
import { pairToolCalls } from './pair-tool-calls.ts'
import { shortenLosslessly } from './shorten-losslessly.ts'
import { createShortenWrittenArguments } from './shorten-written-arguments.ts'
import { createSkipShownLines } from './skip-shown-lines.ts'
import { createStubOldResults } from './stub-old-results.ts'
import { createThinLineNumbers } from './thin-line-numbers.ts'

/** The economy policies with some of their numbers changed, such as `{ keepRecent: 8 }`. The others keep the defaults of `economyPolicies`. */
export function createEconomyPolicies(rules: Partial<EconomyRules> = {}): readonly Policy[] {
  const complete: EconomyRules = { ...defaultEconomyRules, ...rules }
  return [
    pairToolCalls,
    filterBinary,
    shortenLosslessly,
    createThinLineNumbers(complete),
    createCutLongOutput(complete),
    // After cuts: only lines that are shown need not be shown again.
    createSkipShownLines(complete),
    createStubOldResults(complete),
    createShortenWrittenArguments(complete),
    createDropOldReasoning(complete),
    fitWindow,
  ]
}

/** Policies that lower the total bill and keep what is used later, as measured by replay. Use them with the timing `auto`, which decides when an edit is worth it. */
export const economyPolicies: readonly Policy[] = createEconomyPolicies()
