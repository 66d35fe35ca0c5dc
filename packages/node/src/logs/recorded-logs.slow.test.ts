import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildView, checkView, type Message, specPolicies } from '@plimsoll/core'
import { usageTotal } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import type { ReadLog } from './log-reader.ts'
import { readLog } from './read-log.ts'

// Optional: recorded sessions next to the repository, with a table of counts made by other tools.
const folder = fileURLToPath(new URL('../../../../../shared/sessions', import.meta.url))
const table = join(folder, 'README.md')
const formats = new Map([
  ['claude-code-jsonl', 'claude-code'],
  ['pi-jsonl', 'pi'],
  ['codex-rollout-jsonl', 'codex'],
  ['gemini-contents-json', 'gemini'],
])

interface Counted {
  readonly file: string
  readonly format: string
  readonly messages: number
  readonly userTurns: number
  readonly calls: number
  readonly results: number
  readonly peak: number | null
  readonly compactions: number
}

const counted = existsSync(table) ? readTable(readFileSync(table, 'utf8')) : []

describe.skipIf(counted.length === 0)('recorded sessions', () => {
  it('include every format that is read', () =>
    expect(new Set(counted.map(({ format }) => format))).toEqual(new Set(formats.values())))

  it.each(counted)('$file is read whole', async ({ file, ...expected }) => {
    const log = (await readLog(join(folder, file))).value as ReadLog
    const messages = log.sessions.flatMap((session) => session.messages)
    const left = log.sessions.reduce((total, { abandoned, sidechains }) => total + abandoned + sidechains, 0)
    const passed = (type: string) => log.unread[type] ?? 0
    const count = (type: string) =>
      messages.reduce((total, { parts }) => total + parts.filter((part) => part.type === type).length, 0)
    expect({ format: log.format, skipped: log.skipped }).toEqual({ format: expected.format, skipped: [] })

    // The table counts a person's own command as a call with a result, and a search at the provider as a call: neither is one here.
    const commands = messages.filter(
      ({ role, parts }) => role === 'user' && parts[0]?.type === 'text' && parts[0].text.startsWith('$ '),
    ).length
    const searches = messages
      .flatMap(({ parts }) => parts)
      .filter((part) => part.type === 'media' && part.mediaType.endsWith('_call')).length
    const own = expected.format === 'pi' ? commands : 0
    expect({ calls: count('tool-call') + searches + own, results: count('tool-result') + own }).toEqual({
      calls: expected.calls,
      results: expected.results,
    })
    expect(log.sessions.reduce((total, { compactions }) => total + compactions, 0)).toBe(expected.compactions)

    // It takes summaries, what the client added and every branch for turns of the user; Gemini's results are turns for it, too.
    const users = messages.filter(({ role }) => role === 'user').length
    if (expected.format === 'gemini') expect(users).toBe(expected.userTurns - 45)
    else expect(Math.abs(users - own + expected.compactions - expected.userTurns)).toBeLessThanOrEqual(2 + left)

    // It counts items of a response one by one, and messages in which nothing is said.
    const items = messages.reduce((total, { role, parts }) => total + (role === 'assistant' ? parts.length : 1), 0)
    const all = expected.format === 'codex' ? items + passed('reasoning without text') - expected.compactions : messages.length
    const unsaid = expected.format === 'pi' ? passed('message without content') - expected.compactions : 0
    expect(Math.abs(all + left + unsaid - expected.messages)).toBeLessThanOrEqual(Math.max(2, 0.03 * expected.messages, 4))
  })

  it.each(counted)('$file has the usage that was reported', async ({ file, peak }) => {
    const log = (await readLog(join(folder, file))).value as ReadLog
    const totals = log.sessions.flatMap(({ usages }) => usages.map(({ usage }) => usageTotal(usage) - usage.output))
    if (peak === null) return expect(totals).toEqual([])
    // Some peaks are on an abandoned branch, or include the output.
    const largest = totals.reduce((most, total) => Math.max(most, total), 0)
    expect(largest / peak).toBeGreaterThan(0.9)
    expect(largest / peak).toBeLessThan(1.02)
  })

  it.each(counted)('$file becomes a legal view', async ({ file }) => {
    const log = (await readLog(join(folder, file))).value as ReadLog
    for (const { messages } of log.sessions) {
      expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
      const now = messages.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0)
      const { view, report } = buildView({ messages, policies: specPolicies, facts: { now }, timing: 'immediate' })
      expect(checkView(view)).toEqual([])
      expect(report.tokensAfter).toBeLessThanOrEqual(report.tokensBefore)
      expect(timesAreKept(messages)).toBe(true)
    }
  })
})

/** Where a log has times at all, everything has one. */
function timesAreKept(messages: readonly Message[]): boolean {
  return messages.every(({ at }) => at !== undefined) || messages.every(({ at }) => at === undefined)
}

function readTable(text: string): readonly Counted[] {
  return text.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    const format = formats.get(cells[3] ?? '')
    if (format === undefined) return []
    const number = (index: number) => Number(cells[index])
    const peak = cells[11] === '' ? null : Number(cells[11]?.replace('k', '')) * (cells[11]?.endsWith('k') ? 1000 : 1)
    return [
      {
        file: `${cells[1]}/${cells[2]}`,
        format,
        messages: number(5),
        userTurns: number(6),
        calls: number(7),
        results: number(8),
        peak,
        compactions: number(15),
      },
    ]
  })
}
