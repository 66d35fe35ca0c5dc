import { completeConfig } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import type { ReadLog } from '../logs/log-reader.ts'
import { readLogText } from '../logs/read-log.ts'
import { preservedLines } from '../logs/testing/preserved-log.ts'
import { linesOf } from '../logs/testing/recordings.ts'
import { openInspectedLog } from './inspect-log.ts'

const settings = { config: completeConfig({}), isWindowSet: false, day: '2026-01-05' }

async function troublesOf(change: (log: ReadLog) => ReadLog, locale: string | null = null): Promise<readonly string[]> {
  const log = change((await readLogText(linesOf(preservedLines))).value as ReadLog)
  const { texts } = await openInspectedLog({ path: 'not-there.jsonl', number: 0, id: 'x', log }, settings)
  return (await texts.inspection(locale)).troubles
}

/** The log as a reader gives it that misses compactions. */
function withoutSummaries(log: ReadLog): ReadLog {
  const sessions = log.sessions.map((session) => ({
    ...session,
    messages: session.messages.filter(({ summary }) => summary !== true),
  }))
  return { ...log, sessions }
}

/** The log as a reader gives it that misses nearly all results and prompts. */
function withoutMost(log: ReadLog): ReadLog {
  const sessions = log.sessions.map((session) => ({
    ...session,
    usages: session.usages.map((one, index) => ({ ...one, usage: { ...one.usage, cacheWrite: index === 0 ? 10 : 90_000 } })),
  }))
  return { ...log, sessions }
}

describe('the problems of an inspected log', () => {
  it('are none if the provider reported about what was read', async () => expect(await troublesOf((log) => log)).toEqual([]))

  it('include messages that were probably not sent', async () => {
    const [text, ...more] = await troublesOf(withoutSummaries)
    expect(more).toEqual([])
    expect(text).toMatch(/^In 4 requests in a row, the messages read from this log have [23]\.\d times the tokens/)
    expect(await troublesOf(withoutSummaries, 'zh')).toEqual([expect.stringContaining('连续 4 个请求')])
  })

  it('include messages that are probably missing', async () =>
    expect(await troublesOf(withoutMost)).toEqual([
      expect.stringMatching(/^In \d requests in a row, the provider reported \d+\.\d times/),
    ]))
})
