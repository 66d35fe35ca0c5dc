import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { completeConfig, handleOf, type TrimMode } from '@plimsoll/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { GatewayStore } from '../store/gateway-store.ts'
import { tenantOf } from '../store/tenant.ts'
import { createPlanner, type QueuedPlanner } from './create-planner.ts'
import type { Measured, RelayedRequest } from './planner.ts'
import { accepted, openPlanningBench, type PlanningBench, plainSettings, planned, relayed } from './testing/planning.ts'

let bench: PlanningBench

beforeEach(async () => {
  bench = await openPlanningBench()
})

afterEach(() => bench.close())

/** Far over the limit of a tool's output. */
const long = (name: string) => Array.from({ length: 2000 }, (_, line) => `${name} line ${line}`).join('\n')

function turn(call: string, text: string, tool = 'Bash'): readonly object[] {
  const input = tool === 'Read' ? { file_path: `/src/${call}.ts` } : { command: `run ${call}` }
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: call, name: tool, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: text }] },
  ]
}

const asking = { role: 'user', content: 'look at it' }
const bodyOf = (messages: readonly object[], rest: object = {}) => ({
  model: 'claude-opus-5',
  max_tokens: 100,
  system: 'be brief',
  tools: [{ name: 'Bash' }],
  ...rest,
  messages,
})

/** The texts of the results that go out, by their calls. */
async function resultsOf(planner: QueuedPlanner, request: RelayedRequest): Promise<Readonly<Record<string, string>>> {
  const sent = JSON.parse((await planned(planner, request)).toString()) as { messages: { content: unknown }[] }
  return Object.fromEntries(
    sent.messages.flatMap(({ content }) =>
      (Array.isArray(content) ? (content as readonly Record<string, string>[]) : []).flatMap((block) =>
        block['type'] === 'tool_result' ? [[block['tool_use_id'], block['content']] as const] : [],
      ),
    ),
  )
}

/** Sends a request and hears that it was accepted. */
async function send(planner: QueuedPlanner, messages: readonly object[], mode: TrimMode, rest: Partial<RelayedRequest> = {}) {
  const request = relayed('anthropic', bodyOf(messages), mode, rest)
  const results = await resultsOf(planner, request)
  planner.answered(accepted(request))
  await planner.rest()
  return { request, results }
}

async function tenant(): Promise<string> {
  return tenantOf(await bench.store.secret(), 'credential')
}

async function stored() {
  const list = await bench.store.conversations(await tenant())
  return Promise.all(list.map(async ({ id }) => bench.store.conversation(await tenant(), id)))
}

describe('safe', () => {
  test('what a tool has just answered is cut when it is first sent, and the same way ever after', async () => {
    const planner = bench.planner()
    await send(planner, [asking], 'safe')
    const first = await send(planner, [asking, ...turn('one', long('a'))], 'safe')
    const second = await send(planner, [asking, ...turn('one', long('a')), ...turn('two', 'short')], 'safe')
    expect(first.results['one']?.length).toBeLessThan(9000)
    expect(second.results).toEqual({ one: first.results['one'], two: 'short' })
  })

  test('what was read from a file is never cut', async () => {
    const planner = bench.planner({ config: completeConfig({ tool_output_limits: { tools: { Read: { max_chars: 100 } } } }) })
    await send(planner, [asking], 'safe')
    const { results } = await send(planner, [asking, ...turn('one', long('a'), 'Read')], 'safe')
    expect(results['one']).toBe(long('a'))
  })

  test('what was sent whole stays whole', async () => {
    const planner = bench.planner()
    await send(planner, [asking, ...turn('one', long('a'))], 'observe')
    const { results } = await send(planner, [asking, ...turn('one', long('a')), ...turn('two', long('b'))], 'safe')
    expect(results['one']).toBe(long('a'))
    expect(results['two']?.length).toBeLessThan(9000)
  })

  test('in a conversation that nobody knows, everything that the model has answered to counts as sent', async () => {
    const planner = bench.planner()
    const { results } = await send(planner, [asking, ...turn('one', long('a')), ...turn('two', long('b'))], 'safe')
    expect(results['one']).toBe(long('a'))
    expect(results['two']?.length).toBeLessThan(9000)
  })

  test('a bolder mode decided before: its decisions are not shown', async () => {
    const planner = bench.planner()
    const messages = [asking, ...turn('one', long('a'))]
    const bold = await send(planner, messages, 'economy')
    const gentle = await resultsOf(planner, relayed('anthropic', bodyOf([...messages, ...turn('two', 'x')]), 'safe'))
    expect(bold.results['one']).not.toBe(long('a'))
    expect(gentle['one']).toBe(long('a'))
  })
})

describe('spec and economy', () => {
  test('a result that was cut becomes one line when it is old and the cache is cold, and stays that', async () => {
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
  test('a request that was refused and is tried again is the same conversation, with the same bytes', async () => {
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
    const [conversation, ...others] = await stored()
    expect(others).toEqual([])
    expect(conversation?.requests.map(({ status, number }) => ({ status, number }))).toEqual([
      { status: 429, number: 0 },
      { status: 200, number: 0 },
    ])
  })

  test('going back and on in another way stays in it, from the request that it goes on from', async () => {
    const planner = bench.planner()
    const one = await send(planner, [asking], 'safe')
    await send(planner, [asking, ...turn('a', 'x')], 'safe')
    const other = await send(planner, [asking, ...turn('b', 'y')], 'safe')
    const [conversation, ...others] = await stored()
    const back = conversation?.requests.find(({ id }) => id === other.request.id)
    expect(others).toEqual([])
    expect({ after: back?.after, shared: back?.sharedMessages, added: back?.messages.length }).toEqual({
      after: one.request.id,
      shared: 2,
      added: 2,
    })
  })

  test('sub-agents that begin alike each go on from their own requests', async () => {
    const planner = bench.planner()
    await send(planner, [asking], 'safe')
    const a1 = await send(planner, [asking, ...turn('a', long('a'))], 'safe')
    const b1 = await send(planner, [asking, ...turn('b', long('b'))], 'safe')
    const a2 = await send(planner, [asking, ...turn('a', long('a')), ...turn('a2', 'x')], 'safe')
    const b2 = await send(planner, [asking, ...turn('b', long('b')), ...turn('b2', 'x')], 'safe')
    expect([a2.results['a'], b2.results['b']]).toEqual([a1.results['a'], b1.results['b']])
    const requests = (await stored()).flatMap((conversation) => conversation?.requests ?? [])
    const after = new Map(requests.map((request) => [request.id, request.after]))
    expect([after.get(a2.request.id), after.get(b2.request.id)]).toEqual([a1.request.id, b1.request.id])
  })

  test('two that begin alike under different labels are two', async () => {
    const planner = bench.planner()
    await send(planner, [asking], 'safe', { session: 'one' })
    await send(planner, [asking], 'safe', { session: 'two' })
    await send(planner, [asking, ...turn('a', 'x')], 'safe', { session: 'two' })
    const list = await bench.store.conversations(await tenant())
    expect(list.map(({ label, requests }) => ({ label, requests })).sort((x, y) => x.requests - y.requests)).toEqual([
      { label: 'one', requests: 1 },
      { label: 'two', requests: 2 },
    ])
  })

  test('another system prompt does not make it another conversation', async () => {
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
    const [conversation, ...others] = await stored()
    expect(others).toEqual([])
    expect(conversation?.requests.map(({ broken }) => broken?.reason ?? null)).toEqual([null, 'layers'])
  })

  test('where clients ask for caching makes no difference', async () => {
    const planner = bench.planner()
    const marked = (text: string) => ({ role: 'user', content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] })
    await send(planner, [marked('look at it')], 'safe')
    await send(planner, [asking, ...turn('a', 'x')], 'safe')
    expect((await stored()).map((conversation) => conversation?.requests.length)).toEqual([2])
  })

  test('what others share a store with is not theirs to see', async () => {
    const planner = bench.planner()
    const messages = [asking, ...turn('one', long('a'))]
    await send(planner, messages, 'safe')
    const request = relayed('anthropic', bodyOf([...messages, ...turn('two', 'x')]), 'safe', { credential: 'somebody else' })
    expect((await resultsOf(planner, request))['one']).toBe(long('a'))
  })
})

describe('a store that is slow to write', () => {
  test('the next request of a conversation knows of the one before all the same', async () => {
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
    await vi.waitFor(() => expect(written).toHaveLength(1))
    const plan = await planner.plan(relayed('anthropic', bodyOf([asking, ...turn('one', 'x')]), 'safe'))
    expect(plan.prefixKept).toBeGreaterThan(0)
    for (const write of written) write()
    await planner.close()
  })
})

describe('several planners', () => {
  test('the first one to write a decision down decides for all', async () => {
    const short = bench.planner({ config: completeConfig({ tool_output_limits: { default: { max_chars: 1000 } } }) })
    const wide = bench.planner()
    const messages = [asking, ...turn('one', long('a'))]
    const [first, second] = await Promise.all([send(short, messages, 'safe'), send(wide, messages, 'safe')])
    expect(first.results['one']).not.toBe(long('a'))
    expect(second.results).toEqual(first.results)
  })

  test('a new one on the same store goes on where the last one stopped', async () => {
    const messages = [asking, ...turn('one', long('a'))]
    const before = await send(bench.planner(), messages, 'safe')
    const after = await send(bench.planner(), [...messages, ...turn('two', 'x')], 'safe')
    expect(after.results['one']).toBe(before.results['one'])
    expect((await stored()).map((conversation) => conversation?.requests.length)).toEqual([2])
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
    expect(await bench.store.conversations(await tenant())).toEqual([])
    expect(await bench.store.originals(await tenant(), handleOf(long('a')))).toEqual([])
    expect((await send(planner, messages, 'safe')).results).toEqual(counted)
  })
})

describe('any doubt', () => {
  const messages = [asking, ...turn('one', long('a'))]
  const text = JSON.stringify(bodyOf(messages))

  test.each([
    ['no JSON', '{"messages":', 'unreadable'],
    ['a mark of byte order', `\ufeff${text}`, 'unreadable'],
    ['a role that nobody knows', JSON.stringify(bodyOf([{ role: 'oracle', content: 'x' }])), 'unsupported'],
    ['no messages', '{"model":"m"}', 'unsupported'],
    ['the messages twice', text.replace('{', '{"messages":[],'), 'unsupported'],
    ['a content twice', text.replace('"tool_use_id"', '"content":"","tool_use_id"'), 'not-applied'],
  ])('leaves the bytes as they came: %s', async (_name, body, code) => {
    const plan = await bench.planner().plan(relayed('anthropic', body, 'safe'))
    expect({ splices: plan.splices, found: plan.findings.map((finding) => finding.code) }).toEqual({ splices: [], found: [code] })
  })

  test('leaves a request alone whose history is elsewhere', async () => {
    const body = {
      model: 'gpt-5',
      previous_response_id: 'resp_1',
      input: [{ type: 'function_call_output', call_id: 'one', output: long('a') }],
    }
    const plan = await bench.planner().plan(relayed('openai-responses', body, 'economy'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'history-elsewhere', count: 1 }] })
  })

  test('leaves everything as it came where the store does not answer', async () => {
    const other = await openPlanningBench()
    const planner = other.planner()
    await planner.plan(relayed('anthropic', bodyOf([asking]), 'safe'))
    await other.store.close()
    const plan = await planner.plan(relayed('anthropic', bodyOf(messages), 'safe'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'store-unavailable', count: 1 }] })
    await other.close().catch(() => undefined)
  })

  test('what a provider may refuse is told and left as it is', async () => {
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

  test('a request over the window is told and left as it is', async () => {
    const planner = bench.planner({ config: completeConfig({ context_window: 2000 }), isWindowSet: true })
    const plan = await planner.plan(relayed('anthropic', bodyOf([{ role: 'user', content: long('a') }]), 'spec'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'over-window', count: 1 }] })
  })

  test('a plan that came too late is written down as if there had been none', async () => {
    const planner = bench.planner()
    const request = relayed('anthropic', bodyOf(messages), 'safe')
    await planner.plan(request)
    planner.answered({ ...accepted(request), isPlanDropped: true })
    await planner.rest()
    const [written] = (await stored()).flatMap((conversation) => conversation?.requests ?? [])
    expect(written).toMatchObject({ edits: [], findings: [{ code: 'too-late', count: 1 }] })
    expect(written?.tokensAfter).toBe(written?.tokensBefore)
  })
})

describe('a store that takes longer than the relay waits', () => {
  const messages = [asking, ...turn('one', long('a'))]
  const sentAt = 1_700_000_000_000

  test('does not cut afterwards what has gone out whole', async () => {
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

  test('lets nobody work on what nobody waits for', async () => {
    const planner = createPlanner({ store: bench.store, settings: plainSettings, now: () => sentAt + 2000 })
    const request = relayed('anthropic', bodyOf(messages), 'safe', { at: sentAt, until: sentAt + 2000 })
    const told: Measured[] = []
    planner.onMeasured((measured) => void told.push(measured))
    expect(await planner.plan(request)).toMatchObject({ tokensBefore: null, findings: [{ code: 'too-late', count: 1 }] })
    planner.answered({ ...accepted(request), isPlanDropped: true })
    await planner.rest()
    expect(told.map(({ usage, findings }) => ({ input: usage?.input, findings }))).toEqual([
      { input: 5000, findings: [{ code: 'too-late', count: 1 }] },
    ])
  })
})

describe('what is hidden can be had back', () => {
  test('by its handle, with the call that it answers', async () => {
    const planner = bench.planner()
    await send(planner, [asking, ...turn('one', long('a'))], 'safe')
    const [original] = await bench.store.originals(await tenant(), handleOf(long('a')))
    expect(original?.message.parts).toEqual([
      { type: 'tool-result', callId: 'one', tool: null, content: { type: 'text', text: long('a') } },
    ])
    expect(original?.call?.parts[0]).toMatchObject({ type: 'tool-call', callId: 'one' })
  })

  test('from a file that the text names at its end, for nobody but its owner', async () => {
    const folder = join(bench.folder, 'originals')
    const planner = bench.planner({ recall: { file: folder } })
    const first = await send(planner, [asking, ...turn('one', long('a'))], 'safe')
    const path = join(folder, `${handleOf(long('a'))}.txt`)
    expect(first.results['one']?.endsWith(`\n[The whole output: ${path}]`)).toBe(true)
    expect(await readFile(path, 'utf8')).toBe(long('a'))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual([`${handleOf(long('a'))}.txt`])
    const next = await send(
      bench.planner({ recall: { file: folder } }),
      [asking, ...turn('one', long('a')), ...turn('two', 'x')],
      'safe',
    )
    expect(next.results['one']).toBe(first.results['one'])
  })

  test('and where the file cannot be written, nothing is hidden', async () => {
    const planner = bench.planner({ recall: { file: join(bench.folder, 'gateway.sqlite', 'nowhere') } })
    const plan = await planner.plan(relayed('anthropic', bodyOf([asking, ...turn('one', long('a'))]), 'safe'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'not-applied', count: 1 }] })
  })
})

describe('context management', () => {
  const uses = ['a', 'b', 'c', 'd'].flatMap((call) => turn(call, `answer of ${call}`))
  const asked = {
    context_management: {
      edits: [
        { type: 'clear_tool_uses_20250919', trigger: { type: 'tool_uses', value: 1 }, keep: { type: 'tool_uses', value: 1 } },
      ],
    },
  }
  const body = bodyOf([asking, ...uses], asked)

  test('is done where the upstream does not, and taken out of the request', async () => {
    const planner = bench.planner()
    const request = relayed('anthropic', body, 'safe')
    const plan = await planner.plan(request)
    const sent = JSON.parse((await planned(planner, { ...request, id: 'again' })).toString()) as Record<string, unknown>
    expect(plan.appliedEdits).toMatchObject([{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 3 }])
    expect(Object.hasOwn(sent, 'context_management')).toBe(false)
    expect(JSON.stringify(sent['messages'])).not.toContain('answer of a')
    expect(JSON.stringify(sent['messages'])).toContain('answer of d')
    const [original] = await bench.store.originals(await tenant(), handleOf('answer of a'))
    expect(original?.message.parts[0]).toMatchObject({ content: { text: 'answer of a' } })
  })

  test('is left to an upstream that does it', async () => {
    const plan = await bench.planner().plan(relayed('anthropic', body, 'safe', { isManagedUpstream: true }))
    expect(plan).toMatchObject({ splices: [], findings: [], appliedEdits: null })
  })

  test('is a finding where nothing may be changed', async () => {
    const plan = await bench.planner().plan(relayed('anthropic', body, 'observe'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'context-management', count: 1 }], appliedEdits: null })
  })
})

describe('what is written down', () => {
  test('a request that was only observed, with what fills its window and what it cost', async () => {
    const planner = bench.planner()
    const told: Measured[] = []
    planner.onMeasured((measured) => told.push(measured))
    const request = relayed('anthropic', bodyOf([asking, ...turn('one', long('a'))]), 'observe')
    planner.observe(request)
    planner.answered(accepted(request, 20_000))
    await planner.rest()
    const [written] = (await stored()).flatMap((conversation) => conversation?.requests ?? [])
    expect(written).toMatchObject({
      id: request.id,
      mode: 'observe',
      status: 200,
      edits: [],
      findings: [],
      sharedMessages: 0,
      usage: { input: 20_000, cacheRead: 0, cacheWrite: 0, output: 7 },
      fill: { tokens: 20_000, source: 'usage' },
    })
    expect(written?.messages).toHaveLength(4)
    expect(written?.tokensAfter).toBe(written?.tokensBefore)
    expect(written?.untrimmed?.dollars).toBe(written?.cost?.dollars)
    expect(told).toMatchObject([{ id: request.id, removed: {}, dollars: written?.cost?.dollars, answeredModel: 'm' }])
  })

  test('what was taken away, and what it would have cost with it', async () => {
    const planner = bench.planner()
    const told: Measured[] = []
    planner.onMeasured((measured) => told.push(measured))
    const { request } = await send(planner, [asking, ...turn('one', long('a'))], 'safe')
    const [written] = (await stored()).flatMap((conversation) => conversation?.requests ?? [])
    expect(written?.edits.map(({ policy, cache }) => ({ policy, cache }))).toEqual([
      { policy: 'limit-tool-output', cache: 'free' },
    ])
    const removed = (written?.tokensBefore ?? 0) - (written?.tokensAfter ?? 0)
    expect(told).toMatchObject([{ id: request.id, removed: { 'limit-tool-output': removed } }])
    expect(written?.untrimmed?.dollars).toBeGreaterThan(written?.cost?.dollars ?? Number.NaN)
  })

  test('texts only where they are to be kept', async () => {
    const silent = bench.planner()
    const { request } = await send(silent, [asking], 'observe')
    const id = (await stored())[0]?.requests.find((each) => each.id === request.id)?.messages[1] ?? ''
    expect(await bench.store.texts(await tenant(), [id])).toEqual(new Map())
    const keeping = bench.planner({ keepText: true })
    await send(keeping, [{ role: 'user', content: 'another' }], 'observe', { session: 'kept' })
    const kept = (await stored()).find((each) => each?.conversation.label === 'kept')?.requests[0]?.messages[1] ?? ''
    expect((await bench.store.texts(await tenant(), [kept])).get(kept)?.parts).toEqual([{ type: 'text', text: 'another' }])
  })

  test('a share of conversations is left untouched for comparison', async () => {
    const planner = bench.planner({ holdout: 1 })
    const { results } = await send(planner, [asking, ...turn('one', long('a'))], 'safe')
    expect(results['one']).toBe(long('a'))
    expect((await stored())[0]?.requests).toMatchObject([{ isHeldOut: true, mode: 'observe' }])
  })

  test('a refusal that says the request was too long', async () => {
    const planner = bench.planner()
    const told: Measured[] = []
    planner.onMeasured((measured) => told.push(measured))
    const request = relayed('anthropic', bodyOf([asking]), 'safe')
    await planner.plan(request)
    const error = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    }
    planner.answered({
      ...accepted(request),
      status: 400,
      answer: { contentType: 'application/json', contentEncoding: '', head: Buffer.from(JSON.stringify(error)), tail: null },
    })
    await planner.rest()
    expect(told).toMatchObject([{ overflow: 'overflow', usage: null }])
  })

  test('a request that cannot be read is told of all the same', async () => {
    const planner = bench.planner()
    const told: Measured[] = []
    planner.onMeasured((measured) => told.push(measured))
    const request = relayed('anthropic', 'nothing', 'observe')
    planner.observe(request)
    planner.answered(accepted(request, 123))
    await planner.rest()
    expect(told).toMatchObject([{ findings: [{ code: 'unreadable', count: 1 }], usage: { input: 123 } }])
  })
})
