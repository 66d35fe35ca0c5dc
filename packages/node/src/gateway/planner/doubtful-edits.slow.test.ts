import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accepted, openPlanningBench, type PlanningBench, planned, relayed } from '../testing/planning.ts'

let bench: PlanningBench

beforeEach(async () => {
  bench = await openPlanningBench()
})

afterEach(() => bench.close())

const long = Array.from({ length: 2000 }, (_, line) => `line ${line} of what the command printed`).join('\n')
const asking = { role: 'user', content: 'look at it' }
const hour = 3_600_000
const start = 1_700_000_000_000

/** A command that succeeded, with the reasoning before it. */
function turn(call: string, text: string): readonly object[] {
  return [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' },
        { type: 'tool_use', id: call, name: 'Bash', input: { command: `run ${call}` } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: text }] },
  ]
}

describe('a model that signs its reasoning together with the content before it', () => {
  const turns = Array.from({ length: 8 }, (_, index) => turn(`call_${index}`, `${index} ${'was printed '.repeat(200)}`)).flat()
  const bodyOf = (model: string) => ({ model, max_tokens: 100, tools: [{ name: 'Bash' }], messages: [asking, ...turns] })

  /** Sends the same conversation twice, hours apart: everything in it is old then, and nothing of it is cached. */
  async function sentLater(model: string) {
    const planner = bench.planner()
    const first = relayed('anthropic', bodyOf(model), 'spec', { at: start })
    await planned(planner, first)
    planner.answered(accepted(first))
    await planner.rest()
    const later = { ...bodyOf(model), messages: [asking, ...turns, ...turn('last', long)] }
    const plan = await planner.plan(relayed('anthropic', later, 'spec', { at: start + 5 * hour }))
    return { rules: plan.rules, findings: plan.findings }
  }

  it('keeps sent content, and has only new content cut', async () => {
    expect(await sentLater('claude-fable-5.2')).toEqual({
      rules: ['limit-tool-output'],
      findings: [{ code: 'bound-thinking', count: 1 }],
    })
  })

  it('is an exception: other models have old content trimmed', async () => {
    const { rules, findings } = await sentLater('claude-opus-5')
    expect(rules).toContain('trim-outdated-commands')
    expect(findings).toEqual([])
  })
})

describe('an edit that cannot be placed', () => {
  it('is skipped, and all others apply', async () => {
    const planner = bench.planner()
    const result = (call: string, twice = '') =>
      `{"role":"tool","tool_call_id":"${call}",${twice}"content":${JSON.stringify(`${call} ${long}`)}}`
    const calls = ['one', 'two'].map((id) => ({ id, type: 'function', function: { name: 'Bash', arguments: '{"command":"x"}' } }))
    const said = JSON.stringify({ role: 'assistant', content: null, tool_calls: calls })
    const list = [JSON.stringify(asking), said, result('one'), result('two', '"content":"short",')]
    const request = relayed('openai-chat', `{"model":"gpt-4o","messages":[${list.join(',')}]}`, 'safe')
    const plan = await planner.plan(request)
    expect(plan.findings).toEqual([{ code: 'not-applied', count: 1 }])
    expect(plan.splices).toHaveLength(1)
    const sent = (await planned(planner, request)).toString()
    expect(sent).toContain(result('two', '"content":"short",'))
    expect(sent).not.toContain(result('one'))
  })
})
