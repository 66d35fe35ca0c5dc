import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildView, checkView, specPolicies } from '@plimsoll/core'
import { usageTotal } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import { type LogOutcome, readLogs } from '../read-logs.ts'

// Optional: recorded sessions next to the repository, with a table of counts made by other tools.
const folder = fileURLToPath(new URL('../../../../../../shared/sessions', import.meta.url))
const found: LogOutcome[] = []
if (existsSync(folder)) for await (const one of readLogs([folder])) found.push(one)
const logs = found.flatMap(({ path, log }) =>
  log === undefined ? [] : [{ file: `${basename(dirname(path))}/${basename(path)}`, log }],
)

describe.skipIf(found.length === 0)('a folder of recorded sessions', () => {
  it('is read in full: only files that are not logs give none', () => {
    const troubles = found.flatMap(({ path, problem }) => (problem === undefined ? [] : [[basename(path), problem.kind]]))
    expect(troubles.filter(([, kind]) => kind !== 'not-a-log')).toEqual([])
    expect(new Set(troubles.map(([name]) => name))).toEqual(new Set(['SOURCE.json']))
  })

  it('has logs of many agents', () =>
    expect([...new Set(logs.map(({ log }) => log.format))].sort()).toEqual([
      'claude-code',
      'cline',
      'codex',
      'gemini',
      'mini-swe-agent',
      'openhands',
      'pi',
      'swe-agent',
      'swe-smith',
      'tau-bench',
    ]))

  it.each(logs)('$file has ids, times, usage and pairs in order', ({ log }) => {
    expect(log.skipped).toEqual([])
    for (const { messages, usages } of log.sessions) {
      expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
      const answers = messages.filter(({ role }) => role === 'assistant').map(({ id }) => id)
      const counted = usages.map(({ after }) => after)
      expect(new Set(counted).size).toBe(counted.length)
      const places = new Map(answers.map((id, index) => [id, index]))
      const order = counted.map((id) => places.get(id) ?? -1)
      expect(order).toEqual(order.toSorted((one, other) => one - other))
      expect(order).not.toContain(-1)
      const timed = messages.filter(({ at }) => at !== undefined).length
      expect([0, messages.length]).toContain(timed)
      const { view } = buildView({ messages, policies: specPolicies, facts: {}, timing: 'immediate' })
      expect(checkView(view)).toEqual([])
    }
  })

  it('has the largest requests that its table names', () => {
    const rows = readFileSync(join(folder, 'README.md'), 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
    const peaks = rows.filter(
      (cells) => /^(?:mini-swe-agent|cline|OpenHands)/.test(cells[1] ?? '') && (cells[11] ?? '').endsWith('k'),
    )
    expect(peaks.length).toBeGreaterThan(10)
    const counted = logs.flatMap(({ file, log }) =>
      log.sessions.map(({ usages }) => [file, Math.max(0, ...usages.map(({ usage }) => usageTotal(usage)))] as const),
    )
    for (const cells of peaks) {
      const name = `${cells[1]}/${cells[2]?.split('#')[0]}`
      const peak = Number(cells[11]?.replace('k', '')) * 1000
      const near = counted.filter(([file, largest]) => file === name && Math.abs(largest / peak - 1) < 0.05)
      expect({ name, peak, isNear: near.length > 0 }).toEqual({ name, peak, isNear: true })
    }
  })
})
