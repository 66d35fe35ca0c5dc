import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { completeConfig } from '@plimsoll/core/policies'
import { expect, it } from 'vitest'
import { rebuildRequest } from '../../agent/request/record-request.ts'
import { startAgent } from '../../agent/testing/start-agent.ts'
import { inspectSession } from '../../inspect/inspect-session.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { categorise } from './window-section.ts'

it('divides a request into the same categories as the inspector', async () => {
  const { agent, root } = await startAgent({ files: { 'a.txt': 'one line of many\n'.repeat(400) } })
  for (const task of ['read a.txt', 'run cat a.txt', 'search many']) await agent.turn(task, new AbortController().signal)
  const { size } = await stat(join(agent.session.folder, 'log.jsonl'))
  const config = completeConfig({})
  const { requests, fill } = inspectSession(agent.session, { config, isWindowSet: false, day: '2026-01-05', bytes: size })
  const last = rebuildRequest(agent.session, requests.at(-1)?.id ?? '')
  const rows = categorise([], last?.messages ?? [], { config, root }, stringsFor('en').view)
  const { system = 0, rules = 0, summaries = 0, tools = 0, user, assistant, reasoning, calls } = fill.categories
  const shown = new Map<string, number | undefined>([
    ...Object.entries({ S: system + rules + summaries, U: user, A: assistant, R: reasoning, C: calls }),
    ...fill.results.map(({ tool, tokens }): [string, number] => [tool, tokens]),
  ])
  expect(rows.map(({ name, symbol, isResult }) => (isResult === true ? name : symbol)).toSorted()).toEqual(
    [...shown.keys()].toSorted(),
  )
  // The inspector shows the same shares of the provider's count.
  const whole = rows.reduce((sum, { after }) => sum + after, 0) * (fill.tokens / (fill.tokens - tools))
  for (const { name, symbol, isResult, after } of rows) {
    const tokens = shown.get(isResult === true ? name : symbol) ?? 0
    expect(Math.abs(tokens - (after * fill.tokens) / whole)).toBeLessThanOrEqual(rows.length)
  }
})
