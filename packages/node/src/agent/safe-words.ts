import type { Environment } from '../model/server-access.ts'
import { redactSecrets } from '../shared/redact/redact.ts'

/** What a server said, as one line of at most 300 characters, without any key that it repeats. */
export function safeWords(text: string, environment: Environment): string {
  let words = text.slice(0, 8000)
  for (const key of secretsIn(environment)) words = words.replaceAll(key, '***')
  // Half of what was read is more than is shown: a key that the first cut went through is in the other half.
  const line = redactSecrets(words).slice(0, 4000).replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Whatever a variable calls a key. A short one is a word that may stand anywhere. */
function secretsIn(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const secret = value?.trim() ?? ''
    return secret.length >= 6 && /(?:KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) ? [secret] : []
  })
}
