import type { Config } from '../config.ts'
import type { Policy } from '../policy.ts'
import { digestPolicies } from './digest-policies.ts'
import { economyPolicies } from './economy-policies.ts'
import { specPolicies } from './spec-policies.ts'

/** The policies that the setting `policies` names: `spec`, `economy`, or a list of `policyNames`. Throws on an unknown name and lists the known ones. */
export function policiesNamed(choice: Config['policies']): readonly Policy[] {
  if (choice === 'spec') return specPolicies
  if (choice === 'economy') return economyPolicies
  if (choice === 'digests') return digestPolicies
  return choice.map((name) => {
    const policy = everyPolicy.find((candidate) => candidate.name === name)
    if (policy !== undefined) return policy
    throw new Error(`policies: expected names out of ${policyNames.join(', ')}, got ${JSON.stringify(name)}`)
  })
}

// By its name a policy does all it can, as in `economy`.
const everyPolicy: readonly Policy[] = [
  ...new Map([...specPolicies, ...economyPolicies].map((policy) => [policy.name, policy])).values(),
]

/** The names of all built-in policies. */
export const policyNames: readonly string[] = everyPolicy.map(({ name }) => name)
