import type { Config } from './config.ts'
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

/** The policies a configuration names. Throws on a name that this version does not have, saying which it has. */
export function policiesNamed(choice: Config['policies']): readonly Policy[] {
  if (choice === 'spec') return specPolicies
  if (choice === 'economy')
    throw new Error('policies "economy" is not part of this version: expected "spec" or a list of policy names')
  return choice.map((name) => {
    const policy = specPolicies.find((candidate) => candidate.name === name)
    if (policy !== undefined) return policy
    throw new Error(
      `policies: expected names out of ${specPolicies.map((known) => known.name).join(', ')}, got ${JSON.stringify(name)}`,
    )
  })
}
