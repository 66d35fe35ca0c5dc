import { redactAssignments } from './redact-assignments.ts'
import { redactPrivateKeys } from './redact-private-keys.ts'
import { redactTokens } from './redact-tokens.ts'

/**
 * A text with keys, tokens and passwords blanked, each as `[REDACTED:kind]`; the very same text where there are none. Knows
 * secrets by their form or by the name they are assigned to; what is known by neither stays. Done twice it changes nothing more,
 * and the time grows with the length alone.
 */
export function redactSecrets(text: string): string {
  let current = text
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const next = redactAssignments(redactTokens(redactPrivateKeys(current)))
    if (next === current) return current
    current = next
  }
  return current
}

/** What was blanked may have hidden the form of what stands around it; nothing but a game is nested deeper. */
const mostPasses = 10
