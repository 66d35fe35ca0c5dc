import { completeConfig } from '@plimsoll/core/policies'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GatewayStore } from '../../store/gateway-store.ts'
import type { Measured } from '../planner.ts'
import { asking, bodyOf, long, resultsOf, stored, turn } from '../testing/anthropic-turns.ts'
import { accepted, openPlanningBench, type PlanningBench, plainSettings, relayed } from '../testing/planning.ts'
import { createPlanner } from './create-planner.ts'

let bench: PlanningBench

beforeEach(async () => {
  bench = await openPlanningBench()
})

afterEach(() => bench.close())

describe('any doubt', () => {
  const messages = [asking, ...turn('one', long('a'))]
  const text = JSON.stringify(bodyOf(messages))

  test.each([
    ['no JSON', '{"messages":', 'unreadable'],
    ['a mark of byte order', `\ufeff${text}`, 'unreadable'],
    ['an unknown role', JSON.stringify(bodyOf([{ role: 'oracle', content: 'x' }])), 'unsupported'],
    ['no messages', '{"model":"m"}', 'unsupported'],
    ['the messages twice', text.replace('{', '{"messages":[],'), 'unsupported'],
    ['a content twice', text.replace('"tool_use_id"', '"content":"","tool_use_id"'), 'not-applied'],
  ])('leaves the bytes unchanged: %s', async (_name, body, code) => {
    const plan = await bench.planner().plan(relayed('anthropic', body, 'safe'))
    expect({ splices: plan.splices, found: plan.findings.map((finding) => finding.code) }).toEqual({ splices: [], found: [code] })
  })

  test('leaves a request unchanged whose history is elsewhere', async () => {
    const body = {
      model: 'gpt-5',
      previous_response_id: 'resp_1',
      input: [{ type: 'function_call_output', call_id: 'one', output: long('a') }],
    }
    const plan = await bench.planner().plan(relayed('openai-responses', body, 'economy'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'history-elsewhere', count: 1 }] })
  })

  test('leaves everything unchanged if the store does not answer', async () => {
    const other = await openPlanningBench()
    const planner = other.planner()
    await planner.plan(relayed('anthropic', bodyOf([asking]), 'safe'))
    await other.store.close()
    const plan = await planner.plan(relayed('anthropic', bodyOf(messages), 'safe'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'store-unavailable', count: 1 }] })
    await other.close().catch(() => undefined)
  })

  test('reports what a provider may refuse, and changes nothing', async () => {
    const orphan = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }] }
    const plan = await bench
      .planner()
      .plan(relayed('anthropic', bodyOf([asking, ...turn('one', 'x').slice(0, 1), orphan]), 'spec'))
    expect(plan).toMatchObject({
      splices: [],
      findings: [
        { code: 'orphan-result', count: 1 },
        { code: 'unanswered-call', count: 1 },
      ],
    })
  })

  test('reports a request over the window, and changes nothing', async () => {
    const planner = bench.planner({ config: completeConfig({ context_window: 2000 }), isWindowSet: true })
    const plan = await planner.plan(relayed('anthropic', bodyOf([{ role: 'user', content: long('a') }]), 'spec'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'over-window', count: 1 }] })
  })

  test('records a late plan as if there had been none', async () => {
    const planner = bench.planner()
    const request = relayed('anthropic', bodyOf(messages), 'safe')
    await planner.plan(request)
    planner.answered({ ...accepted(request), isPlanDropped: true })
    await planner.rest()
    const [written] = (await stored(bench.store)).flatMap((conversation) => conversation?.requests ?? [])
    expect(written).toMatchObject({ edits: [], findings: [{ code: 'too-late', count: 1 }] })
    expect(written?.tokensAfter).toBe(written?.tokensBefore)
  })
})

describe('a store that takes longer than the relay waits', () => {
  const messages = [asking, ...turn('one', long('a'))]
  const sentAt = 1_700_000_000_000

  test('does not cut later what was already sent in full', async () => {
    let now = sentAt
    const slow: GatewayStore = {
      ...bench.store,
      recognise: async (...question) => {
        const answer = await bench.store.recognise(...question)
        now += 3000
        return answer
      },
    }
    const planner = createPlanner({ store: slow, settings: plainSettings, now: () => now })
    const request = relayed('anthropic', bodyOf(messages), 'safe', { at: sentAt, until: sentAt + 2000 })
    expect(await planner.plan(request)).toMatchObject({ splices: [], findings: [{ code: 'too-late', count: 1 }] })
    planner.answered({ ...accepted(request), isPlanDropped: true })
    await planner.rest()
    const next = relayed('anthropic', bodyOf([...messages, ...turn('two', long('b'))]), 'safe', { at: sentAt + 9000 })
    const results = await resultsOf(bench.planner(), next)
    expect(results['one']).toBe(long('a'))
    expect(results['two']?.length).toBeLessThan(9000)
  })

  test('skips work that no one waits for', async () => {
    const planner = createPlanner({ store: bench.store, settings: plainSettings, now: () => sentAt + 2000 })
    const request = relayed('anthropic', bodyOf(messages), 'safe', { at: sentAt, until: sentAt + 2000 })
    const reported: Measured[] = []
    planner.onMeasured((measured) => void reported.push(measured))
    expect(await planner.plan(request)).toMatchObject({ tokensBefore: null, findings: [{ code: 'too-late', count: 1 }] })
    planner.answered({ ...accepted(request), isPlanDropped: true })
    await planner.rest()
    expect(reported.map(({ usage, findings }) => ({ input: usage?.input, findings }))).toEqual([
      { input: 5000, findings: [{ code: 'too-late', count: 1 }] },
    ])
  })
})
