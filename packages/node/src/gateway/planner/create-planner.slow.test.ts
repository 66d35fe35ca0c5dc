import { handleOf } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { GatewayStore } from '../../store/gateway-store.ts'
import { asking, bodyOf, long, resultsOf, send, stored, tenant, turn } from '../testing/anthropic-turns.ts'
import { accepted, openPlanningBench, type PlanningBench, plainSettings, planned, relayed } from '../testing/planning.ts'
import { createPlanner } from './create-planner.ts'

let bench: PlanningBench

beforeEach(async () => {
  bench = await openPlanningBench()
})

afterEach(() => bench.close())

describe('safe', () => {
  test('cuts a new result when it is first sent, and the same way from then on', async () => {
    const planner = bench.planner()
    await send(planner, [asking], 'safe')
    const first = await send(planner, [asking, ...turn('one', long('a'))], 'safe')
    const second = await send(planner, [asking, ...turn('one', long('a')), ...turn('two', 'short')], 'safe')
    expect(first.results['one']?.length).toBeLessThan(9000)
    expect(second.results).toEqual({ one: first.results['one'], two: 'short' })
  })

  test('never cuts what was read from a file', async () => {
    const planner = bench.planner({ config: completeConfig({ tool_output_limits: { tools: { Read: { max_chars: 100 } } } }) })
    await send(planner, [asking], 'safe')
    const { results } = await send(planner, [asking, ...turn('one', long('a'), 'Read')], 'safe')
    expect(results['one']).toBe(long('a'))
  })

  test('never cuts what was sent in full', async () => {
    const planner = bench.planner()
    await send(planner, [asking, ...turn('one', long('a'))], 'observe')
    const { results } = await send(planner, [asking, ...turn('one', long('a')), ...turn('two', long('b'))], 'safe')
    expect(results['one']).toBe(long('a'))
    expect(results['two']?.length).toBeLessThan(9000)
  })

  test('counts everything before the last answer of an unknown conversation as sent', async () => {
    const planner = bench.planner()
    const { results } = await send(planner, [asking, ...turn('one', long('a')), ...turn('two', long('b'))], 'safe')
    expect(results['one']).toBe(long('a'))
    expect(results['two']?.length).toBeLessThan(9000)
  })

  test('ignores earlier decisions of a bolder mode', async () => {
    const planner = bench.planner()
    const messages = [asking, ...turn('one', long('a'))]
    const bold = await send(planner, messages, 'economy')
    const gentle = await resultsOf(planner, relayed('anthropic', bodyOf([...messages, ...turn('two', 'x')]), 'safe'))
    expect(bold.results['one']).not.toBe(long('a'))
    expect(gentle['one']).toBe(long('a'))
  })
})

describe('spec and economy', () => {
  test('reduce a cut result to one line once it is old and the cache is cold, permanently', async () => {
    const planner = bench.planner()
    const at = 1_700_000_000_000
    const later = ['b', 'c', 'd', 'e', 'f', 'g'].flatMap((call) => turn(call, 'done'))
    await send(planner, [asking], 'spec', { at })
    const cut = await send(planner, [asking, ...turn('a', long('a'))], 'spec', { at: at + 1000 })
    await send(planner, [asking, ...turn('a', long('a')), ...later.slice(0, 10)], 'spec', { at: at + 2000 })
    const old = await send(planner, [asking, ...turn('a', long('a')), ...later], 'spec', { at: at + 3_600_000 })
    const after = await send(bench.planner(), [asking, ...turn('a', long('a')), ...later, ...turn('h', 'x')], 'spec', {
      at: at + 3_601_000,
    })
    expect(cut.results['a']?.length).toBeGreaterThan(1000)
    expect(old.results['a']?.length).toBeLessThan(200)
    expect(after.results['a']).toBe(old.results['a'])
  })
})

describe('conversations', () => {
  test('continue with the same bytes when a refused request is tried again', async () => {
    const planner = bench.planner()
    const body = bodyOf([asking, ...turn('one', long('a'))])
    const first = relayed('anthropic', body, 'safe')
    const once = await planned(planner, first)
    planner.answered({ ...accepted(first), status: 429, answer: null })
    await planner.rest()
    const second = relayed('anthropic', body, 'safe')
    expect((await planned(planner, second)).equals(once)).toBe(true)
    planner.answered(accepted(second))
    await planner.rest()
    const [conversation, ...others] = await stored(bench.store)
    expect(others).toEqual([])
    expect(conversation?.requests.map(({ status, number }) => ({ status, number }))).toEqual([
      { status: 429, number: 0 },
      { status: 200, number: 0 },
    ])
  })

  test('stay the same after a rewind, and continue from the request that was rewound to', async () => {
    const planner = bench.planner()
    const one = await send(planner, [asking], 'safe')
    await send(planner, [asking, ...turn('a', 'x')], 'safe')
    const other = await send(planner, [asking, ...turn('b', 'y')], 'safe')
    const [conversation, ...others] = await stored(bench.store)
    const back = conversation?.requests.find(({ id }) => id === other.request.id)
    expect(others).toEqual([])
    expect({ after: back?.after, shared: back?.sharedMessages, added: back?.messages.length }).toEqual({
      after: one.request.id,
      shared: 2,
      added: 2,
    })
  })

  test('stay separate for sub-agents that start alike: each continues from its own requests', async () => {
    const planner = bench.planner()
    await send(planner, [asking], 'safe')
    const a1 = await send(planner, [asking, ...turn('a', long('a'))], 'safe')
    const b1 = await send(planner, [asking, ...turn('b', long('b'))], 'safe')
    const a2 = await send(planner, [asking, ...turn('a', long('a')), ...turn('a2', 'x')], 'safe')
    const b2 = await send(planner, [asking, ...turn('b', long('b')), ...turn('b2', 'x')], 'safe')
    expect([a2.results['a'], b2.results['b']]).toEqual([a1.results['a'], b1.results['b']])
    const requests = (await stored(bench.store)).flatMap((conversation) => conversation?.requests ?? [])
    const after = new Map(requests.map((request) => [request.id, request.after]))
    expect([after.get(a2.request.id), after.get(b2.request.id)]).toEqual([a1.request.id, b1.request.id])
  })

  test('stay separate under different labels, even if they start alike', async () => {
    const planner = bench.planner()
    await send(planner, [asking], 'safe', { session: 'one' })
    await send(planner, [asking], 'safe', { session: 'two' })
    await send(planner, [asking, ...turn('a', 'x')], 'safe', { session: 'two' })
    const list = await bench.store.conversations(await tenant(bench.store))
    expect(list.map(({ label, requests }) => ({ label, requests })).sort((x, y) => x.requests - y.requests)).toEqual([
      { label: 'one', requests: 1 },
      { label: 'two', requests: 2 },
    ])
  })

  test('stay the same with another system prompt', async () => {
    const planner = bench.planner()
    for (const [system, messages] of [
      ['at ten', [asking]],
      ['at eleven', [asking, ...turn('a', 'x')]],
    ] as const) {
      const request = relayed('anthropic', bodyOf(messages, { system }), 'safe')
      await planner.plan(request)
      planner.answered(accepted(request))
      await planner.rest()
    }
    const [conversation, ...others] = await stored(bench.store)
    expect(others).toEqual([])
    expect(conversation?.requests.map(({ broken }) => broken?.reason ?? null)).toEqual([null, 'layers'])
  })

  test('stay the same wherever clients set their cache marks', async () => {
    const planner = bench.planner()
    const marked = (text: string) => ({ role: 'user', content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] })
    await send(planner, [marked('look at it')], 'safe')
    await send(planner, [asking, ...turn('a', 'x')], 'safe')
    expect((await stored(bench.store)).map((conversation) => conversation?.requests.length)).toEqual([2])
  })

  test('stay hidden from other tenants of the store', async () => {
    const planner = bench.planner()
    const messages = [asking, ...turn('one', long('a'))]
    await send(planner, messages, 'safe')
    const request = relayed('anthropic', bodyOf([...messages, ...turn('two', 'x')]), 'safe', { credential: 'somebody else' })
    expect((await resultsOf(planner, request))['one']).toBe(long('a'))
  })
})

describe('a store that is slow to write', () => {
  test('does not keep the next request from building on the one before', async () => {
    const written: (() => void)[] = []
    const slow: GatewayStore = {
      ...bench.store,
      record: (owner, record) =>
        new Promise((resolve, reject) => {
          written.push(() => void bench.store.record(owner, record).then(resolve, reject))
        }),
    }
    const planner = createPlanner({ store: slow, settings: plainSettings, now: Date.now })
    const first = relayed('anthropic', bodyOf([asking]), 'safe')
    await planner.plan(first)
    planner.answered(accepted(first))
    await expect.poll(() => written.length).toBe(1)
    const plan = await planner.plan(relayed('anthropic', bodyOf([asking, ...turn('one', 'x')]), 'safe'))
    expect(plan.prefixKept).toBeGreaterThan(0)
    for (const write of written) write()
    await planner.close()
  })
})

describe('several planners', () => {
  test('all follow the first one to write a decision', async () => {
    const short = bench.planner({ config: completeConfig({ tool_output_limits: { default: { max_chars: 1000 } } }) })
    const wide = bench.planner()
    const messages = [asking, ...turn('one', long('a'))]
    const [first, second] = await Promise.all([send(short, messages, 'safe'), send(wide, messages, 'safe')])
    expect(first.results['one']).not.toBe(long('a'))
    expect(second.results).toEqual(first.results)
  })

  test('continue on the same store where the last one stopped', async () => {
    const messages = [asking, ...turn('one', long('a'))]
    const before = await send(bench.planner(), messages, 'safe')
    const after = await send(bench.planner(), [...messages, ...turn('two', 'x')], 'safe')
    expect(after.results['one']).toBe(before.results['one'])
    expect((await stored(bench.store)).map((conversation) => conversation?.requests.length)).toEqual([2])
  })
})

describe('counting', () => {
  test('shows what would be sent, and writes nothing down', async () => {
    const planner = bench.planner()
    const messages = [asking, ...turn('one', long('a'))]
    const count = relayed('anthropic', bodyOf(messages), 'safe', { kind: 'count' })
    const counted = await resultsOf(planner, count)
    planner.answered(accepted(count))
    await planner.rest()
    expect(await bench.store.conversations(await tenant(bench.store))).toEqual([])
    expect(await bench.store.originals(await tenant(bench.store), handleOf(long('a')))).toEqual([])
    expect((await send(planner, messages, 'safe')).results).toEqual(counted)
  })
})
