import { afterEach, beforeEach, expect, test } from 'vitest'
import { accepted, openPlanningBench, type PlanningBench, planned, relayed } from './testing/planning.ts'

let bench: PlanningBench

beforeEach(async () => {
  bench = await openPlanningBench()
})

afterEach(() => bench.close())

const long = (name: string) => Array.from({ length: 2000 }, (_, line) => `${name} line ${line}`).join('\n')

function turn(call: string, text: string, tool = 'Bash', input: object = { command: `run ${call}` }): readonly object[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: call, name: tool, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: text }] },
  ]
}

const asking = { role: 'user', content: 'look at it' }
const requestOf = (...messages: readonly object[]) => ({ model: 'claude-opus-5', max_tokens: 100, system: 'be brief', tools: [{ name: 'Bash' }], messages })

test('R-safe: what a tool has just answered is cut when it is first sent, and the same way ever after', async () => {
  const planner = bench.planner()
  const first = relayed('anthropic', requestOf(asking), 'safe')
  expect((await planner.plan(first)).splices).toEqual([])
  planner.answered(accepted(first))
  const second = relayed('anthropic', requestOf(asking, ...turn('call-1', long('a'))), 'safe')
  const sent = await planned(planner, second)
  planner.answered(accepted(second))
  const third = relayed('anthropic', requestOf(asking, ...turn('call-1', long('a')), ...turn('call-2', 'short')), 'safe')
  const again = await planned(planner, third)
  const texts = [sent, again].map((bytes) => JSON.parse(bytes.toString()).messages[2].content[0].content as string)
  expect(texts[0]?.length).toBeLessThan(9000)
  expect(texts[1]).toBe(texts[0])
})
