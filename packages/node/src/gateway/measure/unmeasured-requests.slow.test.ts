import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Measured } from '../planner.ts'
import { accepted, openPlanningBench, type PlanningBench, relayed } from '../testing/planning.ts'

let bench: PlanningBench

beforeEach(async () => {
  bench = await openPlanningBench()
})

afterEach(() => bench.close())

const call = (id: string) => ({ id, type: 'function', function: { name: 'bash', arguments: '{}' } })
const turn = (id: string, content: string) => [
  { role: 'assistant', content: null, tool_calls: [call(id)] },
  { role: 'tool', tool_call_id: id, content },
]
const long = Array.from({ length: 2000 }, (_, line) => `line ${line}`).join('\n')

describe('a request that need not be measured', () => {
  test('is not measured if nothing in it changes, and later requests are still trimmed', async () => {
    const planner = bench.planner()
    const measured: Measured[] = []
    planner.onMeasured((each) => measured.push(each))
    const messages = [{ role: 'user', content: 'go on' }, ...turn('call_1', 'fine')]
    const first = relayed('openai-chat', { model: 'm', messages }, 'safe', { isMeasured: false })
    expect(await planner.plan(first)).toMatchObject({ splices: [], isForgotten: true })
    planner.answered(accepted(first))
    await planner.rest()
    expect(measured).toEqual([])

    const next = relayed('openai-chat', { model: 'm', messages: [...messages, ...turn('call_2', long)] }, 'safe', {
      isMeasured: false,
    })
    const plan = await planner.plan(next)
    expect([plan.rules, plan.isForgotten]).toEqual([['limit-tool-output'], undefined])
    planner.answered(accepted(next))
    await planner.rest()
    expect(measured.map(({ id }) => id)).toEqual([next.id])
  })

  test('keeps earlier decisions', async () => {
    const planner = bench.planner()
    const messages = [{ role: 'user', content: 'go on' }, ...turn('call_1', long)]
    const first = relayed('openai-chat', { model: 'm', messages }, 'safe')
    const { splices } = await planner.plan(first)
    planner.answered(accepted(first))
    const again = relayed('openai-chat', { model: 'm', messages: [...messages, ...turn('call_2', 'fine')] }, 'safe', {
      isMeasured: false,
    })
    const plan = await planner.plan(again)
    expect(plan.splices).toEqual(splices)
    expect(plan.isForgotten).toBeUndefined()
  })
})
