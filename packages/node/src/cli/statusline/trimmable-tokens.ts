import { buildView, defaultConfig, specPolicies } from '@plimsoll/core'
import type { LogTail } from './log-tail.ts'

/** How many tokens the policies would leave out of what the end of a log holds now; null where that cannot be told. */
export async function trimmableTokens({ lines }: LogTail, now: number): Promise<number | null> {
  const { readLogText } = await import('../../logs/read-log.ts')
  const { value } = await readLogText(lines.join('\n'))
  const messages = value?.sessions.at(-1)?.messages ?? []
  const summary = messages.findLastIndex((message) => message.summary === true)
  const held = messages.slice(Math.max(0, summary))
  if (held.length === 0) return null
  const { report } = buildView({ messages: held, policies: specPolicies, facts: { now, config: defaultConfig } })
  return report.tokensBefore - report.tokensAfter
}
