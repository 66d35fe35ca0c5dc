import { compressOldResults } from './policies/compress-old-results.ts'
import { filterBinary } from './policies/filter-binary.ts'
import { fitWindow } from './policies/fit-window.ts'
import { limitToolOutput } from './policies/limit-tool-output.ts'
import { pairToolCalls } from './policies/pair-tool-calls.ts'
import { trimOutdatedCommands } from './policies/trim-outdated-commands.ts'
import { trimRepeatedReads } from './policies/trim-repeated-reads.ts'
import type { Policy } from './policy.ts'

/**
 * The specification's policies in their order: pairs first, binary before anything reads text, the output limit after all that
 * look for something, and the last resort on what is then left.
 */
export const specPolicies: readonly Policy[] = [
  pairToolCalls,
  filterBinary,
  trimOutdatedCommands,
  trimRepeatedReads,
  compressOldResults,
  limitToolOutput,
  fitWindow,
]
