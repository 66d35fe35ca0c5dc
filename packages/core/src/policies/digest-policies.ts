import { opensRound } from '../compaction/rounds.ts'
import type { Policy } from '../policy.ts'
import { compressEveryResult, compressOldResults } from './compress-old-results.ts'
import { specPolicies } from './spec-policies.ts'
import { trimOutdatedCommands } from './trim-outdated-commands.ts'
import { trimRepeatedReads } from './trim-repeated-reads.ts'

/** The specification's policies, but completed rounds show digests for every tool: commands and repeated reads are trimmed in the running round only. */
export const digestPolicies: readonly Policy[] = specPolicies.map((policy) => {
  if (policy === compressOldResults) return compressEveryResult
  return policy === trimOutdatedCommands || policy === trimRepeatedReads ? inRunningRound(policy) : policy
})

function inRunningRound(policy: Policy): Policy {
  return {
    ...policy,
    plan(messages, facts) {
      const proposed = policy.plan(messages, facts)
      if (proposed.length === 0) return proposed
      const running = new Set(messages.slice(messages.findLastIndex(opensRound) + 1).map(({ id }) => id))
      return proposed.filter((edit) => edit.kind === 'replace' && running.has(edit.message))
    },
  }
}
