import { hash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { handleOf } from '@plimsoll/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Measured } from '../planner.ts'
import { asking, bodyOf, long, send, stored, tenant, turn } from '../testing/anthropic-turns.ts'
import { accepted, openPlanningBench, type PlanningBench, planned, relayed } from '../testing/planning.ts'

let bench: PlanningBench

beforeEach(async () => {
  bench = await openPlanningBench()
})

afterEach(() => bench.close())

describe('hidden content', () => {
  test('can be recalled by its handle, with the call that it answers', async () => {
    const planner = bench.planner()
    await send(planner, [asking, ...turn('one', long('a'))], 'safe')
    const [original] = await bench.store.originals(await tenant(bench.store), handleOf(long('a')))
    expect(original?.message.parts).toEqual([
      { type: 'tool-result', callId: 'one', tool: null, content: { type: 'text', text: long('a') } },
    ])
    expect(original?.call?.parts[0]).toMatchObject({ type: 'tool-call', callId: 'one' })
    expect(original?.sha256).toBe(hash('sha256', long('a'), 'hex'))
  })

  test('can be read by its owner only, from a file named at the end of the text', async () => {
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

  test('stays visible if its file cannot be written', async () => {
    const planner = bench.planner({ recall: { file: join(bench.folder, 'gateway.sqlite', 'nowhere') } })
    const plan = await planner.plan(relayed('anthropic', bodyOf([asking, ...turn('one', long('a'))]), 'safe'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'not-applied', count: 1 }] })
  })
})

describe('answers', () => {
  test('are measured and recorded after a request that comes with them, and all of them at the end', async () => {
    const happened: string[] = []
    const { store } = bench
    const planner = bench.planner(
      {},
      {
        ...store,
        record: (owner, record) => {
          happened.push('one recorded')
          return store.record(owner, record)
        },
        recordAll: async (records) => {
          happened.push(`${records.length} recorded`)
          await store.recordAll?.(records)
        },
      },
    )
    const requests = [asking, { role: 'user', content: 'Something else.' }].map((message) =>
      relayed('anthropic', bodyOf([message]), 'safe'),
    )
    for (const request of requests) await planner.plan(request)
    for (const request of requests) planner.answered(accepted(request))
    await planner.plan(relayed('anthropic', bodyOf([asking, ...turn('one', 'short')]), 'safe'))
    happened.push('planned')
    await planner.rest()
    expect(happened).toEqual(['planned', '2 recorded'])
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

  test('is done here and removed from the request if the upstream does not support it', async () => {
    const planner = bench.planner()
    const request = relayed('anthropic', body, 'safe')
    const plan = await planner.plan(request)
    const sent = JSON.parse((await planned(planner, { ...request, id: 'again' })).toString()) as Record<string, unknown>
    expect(plan.appliedEdits).toMatchObject([{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 3 }])
    expect(Object.hasOwn(sent, 'context_management')).toBe(false)
    expect(JSON.stringify(sent['messages'])).not.toContain('answer of a')
    expect(JSON.stringify(sent['messages'])).toContain('answer of d')
    const [original] = await bench.store.originals(await tenant(bench.store), handleOf('answer of a'))
    expect(original?.message.parts[0]).toMatchObject({ content: { text: 'answer of a' } })
  })

  test('is left to an upstream that does it', async () => {
    const plan = await bench.planner().plan(relayed('anthropic', body, 'safe', { isManagedUpstream: true }))
    expect(plan).toMatchObject({ splices: [], findings: [], appliedEdits: null })
  })

  test('is reported as a finding if nothing may be changed', async () => {
    const plan = await bench.planner().plan(relayed('anthropic', body, 'observe'))
    expect(plan).toMatchObject({ splices: [], findings: [{ code: 'context-management', count: 1 }], appliedEdits: null })
  })
})

describe('the record of a planner', () => {
  test('has an observed request, with what fills its window and what it cost', async () => {
    const planner = bench.planner()
    const reported: Measured[] = []
    planner.onMeasured((measured) => reported.push(measured))
    const tools = [{ name: 'Bash' }, { name: 'Grep', description: 'Searches. '.repeat(40) }, { name: 'Web', defer_loading: true }]
    const request = relayed('anthropic', bodyOf([asking, ...turn('one', long('a'))], { tools }), 'observe')
    planner.observe(request)
    planner.answered(accepted(request, 20_000))
    await planner.rest()
    const [written] = (await stored(bench.store)).flatMap((conversation) => conversation?.requests ?? [])
    expect(written).toMatchObject({
      id: request.id,
      mode: 'observe',
      status: 200,
      edits: [],
      findings: [],
      sharedMessages: 0,
      usage: { input: 20_000, cacheRead: 0, cacheWrite: 0, output: 7 },
      fill: { tokens: 20_000, source: 'usage' },
      // Without the one that is loaded on demand.
      tools: [
        { name: 'Bash', tokens: expect.any(Number) },
        { name: 'Grep', tokens: expect.any(Number) },
      ],
      called: ['Bash'],
    })
    expect(written?.tools?.[1]?.tokens).toBeGreaterThan(60)
    expect(written?.messages).toHaveLength(4)
    expect(written?.tokensAfter).toBe(written?.tokensBefore)
    expect(written?.untrimmed?.dollars).toBe(written?.cost?.dollars)
    expect(reported).toMatchObject([{ id: request.id, removed: {}, dollars: written?.cost?.dollars, answeredModel: 'm' }])
  })

  test('has what was removed, and what the request would have cost untrimmed', async () => {
    const planner = bench.planner()
    const reported: Measured[] = []
    planner.onMeasured((measured) => reported.push(measured))
    const { request } = await send(planner, [asking, ...turn('one', long('a'))], 'safe')
    const [written] = (await stored(bench.store)).flatMap((conversation) => conversation?.requests ?? [])
    expect(written?.edits.map(({ policy, cache }) => ({ policy, cache }))).toEqual([
      { policy: 'limit-tool-output', cache: 'free' },
    ])
    const removed = (written?.tokensBefore ?? 0) - (written?.tokensAfter ?? 0)
    expect(reported).toMatchObject([{ id: request.id, removed: { 'limit-tool-output': removed } }])
    expect(written?.untrimmed?.dollars).toBeGreaterThan(written?.cost?.dollars ?? Number.NaN)
  })

  test('has texts only if they are to be kept', async () => {
    const silent = bench.planner()
    const { request } = await send(silent, [asking], 'observe')
    const id = (await stored(bench.store))[0]?.requests.find((each) => each.id === request.id)?.messages[1] ?? ''
    expect(await bench.store.texts(await tenant(bench.store), [id])).toEqual(new Map())
    const keeping = bench.planner({ keepText: true })
    await send(keeping, [{ role: 'user', content: 'another' }], 'observe', { session: 'kept' })
    const kept = (await stored(bench.store)).find((each) => each?.conversation.label === 'kept')?.requests[0]?.messages[1] ?? ''
    expect((await bench.store.texts(await tenant(bench.store), [kept])).get(kept)?.parts).toEqual([
      { type: 'text', text: 'another' },
    ])
  })

  test('marks a share of conversations that is left untouched for comparison', async () => {
    const planner = bench.planner({ holdout: 1 })
    const { results } = await send(planner, [asking, ...turn('one', long('a'))], 'safe')
    expect(results['one']).toBe(long('a'))
    expect((await stored(bench.store))[0]?.requests).toMatchObject([{ isHeldOut: true, mode: 'observe' }])
  })

  test('has a refusal that says the request was too long', async () => {
    const planner = bench.planner()
    const reported: Measured[] = []
    planner.onMeasured((measured) => reported.push(measured))
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
    expect(reported).toMatchObject([{ overflow: 'overflow', usage: null }])
  })

  test('has a request that cannot be read', async () => {
    const planner = bench.planner()
    const reported: Measured[] = []
    planner.onMeasured((measured) => reported.push(measured))
    const request = relayed('anthropic', 'nothing', 'observe')
    planner.observe(request)
    planner.answered(accepted(request, 123))
    await planner.rest()
    expect(reported).toMatchObject([{ findings: [{ code: 'unreadable', count: 1 }], usage: { input: 123 } }])
  })
})
