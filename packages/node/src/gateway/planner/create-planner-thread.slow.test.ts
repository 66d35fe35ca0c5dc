import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { tenantOf } from '../../store/gateway-store.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import type { Measured } from '../planner.ts'
import { accepted, plainSettings, relayed } from '../testing/planning.ts'
import { createPlannerThread, type PlannerThread } from './create-planner-thread.ts'

let folder: string
let planner: PlannerThread

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-thread-'))
  planner = await createPlannerThread({ store: join(folder, 'gateway.sqlite'), settings: plainSettings })
}, 60_000)

afterAll(async () => {
  await planner.close()
  await rm(folder, { recursive: true, force: true })
})

const long = Array.from({ length: 2000 }, (_, line) => `line ${line}`).join('\n')
const body = {
  model: 'claude-opus-5',
  messages: [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'one', name: 'Bash', input: { command: 'x' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'one', content: long }] },
  ],
}

describe('a planner in its own thread', () => {
  test('decides as one in this thread does, and leaves the bytes to the relay', async () => {
    const request = relayed('anthropic', body, 'safe')
    const plan = await planner.plan(request)
    expect(plan.rules).toEqual(['limit-tool-output'])
    expect(plan.splices).toHaveLength(1)
    expect(request.body.byteLength).toBe(Buffer.from(JSON.stringify(body)).byteLength)
  })

  test('is restarted if it dies; until then requests go out unchanged', async () => {
    const reported: Measured[] = []
    planner.onMeasured((measured) => reported.push(measured))
    const asked = planner.plan(relayed('anthropic', body, 'safe'))
    await planner.kill()
    expect(await asked).toMatchObject({ splices: [], findings: [{ code: 'not-applied', count: 1 }] })

    const request = relayed('anthropic', body, 'observe')
    planner.observe(request)
    expect(reported).toMatchObject([{ id: request.id, findings: [{ code: 'too-late', count: 1 }] }])
    expect(await planner.plan(relayed('anthropic', body, 'safe'))).toMatchObject({
      splices: [],
      findings: [{ code: 'store-unavailable', count: 1 }],
    })
    await expect(planner.check()).rejects.toMatchObject({ name: 'StoreError' })

    await vi.waitFor(() => planner.check(), { timeout: 50_000, interval: 100 })
    const plan = await planner.plan(relayed('anthropic', body, 'safe'))
    expect(plan.rules).toEqual(['limit-tool-output'])
  })

  test('does not start if its store cannot be opened', async () => {
    await expect(
      createPlannerThread({ store: join(folder, 'gateway.sqlite', 'inside'), settings: plainSettings }),
    ).rejects.toMatchObject({
      name: 'StoreError',
    })
  })

  test('under load passes small bodies without planning, cuts the rest, and measures what was cut', async () => {
    const pressed = await createPlannerThread({
      store: join(folder, 'pressed.sqlite'),
      settings: plainSettings,
      share: { isMeasured: () => false },
    })
    const reported: Measured[] = []
    pressed.onMeasured((measured) => reported.push(measured))
    const small = relayed('anthropic', { ...body, messages: body.messages.slice(0, 1) }, 'safe')
    const large = relayed('anthropic', body, 'safe')
    const [passed, cut] = await Promise.all([pressed.plan(small), pressed.plan(large)])
    expect([passed.splices, passed.findings, cut.rules]).toEqual([[], [], ['limit-tool-output']])
    for (const request of [small, large]) pressed.answered(accepted(request))
    await pressed.close()
    expect(reported.map(({ id, findings }) => ({ id, findings }))).toEqual([
      { id: small.id, findings: [{ code: 'too-late', count: 1 }] },
      { id: large.id, findings: [] },
    ])
  })

  test('passes small bodies without planning while many wait for a plan', async () => {
    const asked = await createPlannerThread({ store: join(folder, 'waiting.sqlite'), settings: plainSettings })
    const [first] = body.messages
    const ask = () => asked.plan(relayed('anthropic', { ...body, messages: [first] }, 'economy'))
    const plans = await Promise.all(Array.from({ length: 24 }, ask))
    // Nobody waits any more.
    const last = await ask()
    await asked.close()
    expect(plans.filter(({ tokensBefore }) => tokensBefore !== null)).toHaveLength(16)
    expect(last.tokensBefore).not.toBeNull()
  })

  test('under load passes the smallest bodies of the bolder modes too, and plans all others', async () => {
    const pressed = await createPlannerThread({
      store: join(folder, 'bolder.sqlite'),
      settings: plainSettings,
      share: { isMeasured: () => false },
    })
    const reported: Measured[] = []
    pressed.onMeasured((measured) => reported.push(measured))
    const [first] = body.messages
    const small = relayed('anthropic', { ...body, messages: [first] }, 'economy')
    const longer = relayed('anthropic', { ...body, messages: [{ role: 'user', content: 'tide '.repeat(1800) }] }, 'economy')
    for (const request of [small, longer]) {
      await pressed.plan(request)
      pressed.answered(accepted(request))
    }
    await pressed.close()
    expect(reported.map(({ id, findings }) => [id, findings.map(({ code }) => code)])).toEqual([
      [small.id, ['too-late']],
      [longer.id, []],
    ])
  })

  test('records the outcome of a request before it closes, and reports the measurements', async () => {
    const reported: Measured[] = []
    planner.onMeasured((measured) => reported.push(measured))
    const request = relayed('anthropic', body, 'observe')
    planner.observe(request)
    planner.answered(accepted(request))
    await planner.close()
    expect(reported.map(({ id, usage }) => ({ id, input: usage?.input }))).toEqual([{ id: request.id, input: 5000 }])
    const store = await openGatewayStore(join(folder, 'gateway.sqlite'), { now: Date.now })
    const conversations = await store.conversations(tenantOf(await store.secret(), 'credential'))
    expect(conversations).toMatchObject([{ requests: 1, mode: 'observe' }])
    await store.close()
  })
})
