import { filterBinary } from '../binary/filter-binary.ts'
import type { Policy } from '../policy.ts'
import { compressOldResults } from './compress-old-results.ts'
import { fitWindow } from './fit-window.ts'
import { limitToolOutput } from './limit-tool-output.ts'
import { pairToolCalls } from './pair-tool-calls.ts'
import { showAsTerminal } from './shorten-losslessly.ts'
import { trimOutdatedCommands } from './trim-outdated-commands.ts'
import { trimRepeatedReads } from './trim-repeated-reads.ts'

/** The specification's policies in order: pairs first, binary and escape sequences before anything reads text, the output limit after all that search text, `fit-window` last. */
export const specPolicies: readonly Policy[] = [
  pairToolCalls,
  filterBinary,
  showAsTerminal,
  trimOutdatedCommands,
  trimRepeatedReads,
  compressOldResults,
  limitToolOutput,
  fitWindow,
]
