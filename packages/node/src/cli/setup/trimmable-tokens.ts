import { buildView, specPolicies } from '@plimsoll/core'
import { defaultConfig } from '@plimsoll/core/policies'
import { contextAtEnd } from '../../logs/log-reader.ts'
import { readLogText } from '../../logs/read-log.ts'

/** Counts the tokens that the policies would trim from the end of a log now; null if that is unknown. */
export async function trimmableTokens(lines: readonly string[], now: number): Promise<number | null> {
  const { value } = await readLogText(lines.join('\n'))
  const session = value?.sessions.at(-1)
  const held = session === undefined ? [] : contextAtEnd(session)
  if (held.length === 0) return null
  const { report } = buildView({ messages: held, policies: specPolicies, facts: { now, config: defaultConfig } })
  return report.tokensBefore - report.tokensAfter
}
