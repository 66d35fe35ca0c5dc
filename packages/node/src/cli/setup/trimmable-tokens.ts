import { buildView, specPolicies } from '@plimsoll/core'
import { defaultConfig } from '@plimsoll/core/policies'
import type { LogTail } from './log-tail.ts'

/** How many tokens the policies would leave out of what the end of a log holds now; null where that cannot be told. */
export async function trimmableTokens({ lines }: LogTail, now: number): Promise<number | null> {
  const [{ readLogText }, { contextAtEnd }] = await Promise.all([
    import('../../logs/read-log.ts'),
    import('../../logs/kept-messages.ts'),
  ])
  const { value } = await readLogText(lines.join('\n'))
  const session = value?.sessions.at(-1)
  const held = session === undefined ? [] : contextAtEnd(session)
  if (held.length === 0) return null
  const { report } = buildView({ messages: held, policies: specPolicies, facts: { now, config: defaultConfig } })
  return report.tokensBefore - report.tokensAfter
}
