import { request as httpRequest } from 'node:http'
import type { TrimMode } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tenantOf } from '../../store/gateway-store.ts'
import type { GatewayEvent } from '../gateway-options.ts'
import { createGatewayMetrics } from '../metrics.ts'
import type { Measured, PlannerSettings } from '../planner.ts'
import { startUpstream } from '../testing/http-upstream.ts'
import { openPlanningBench, plainSettings } from '../testing/planning.ts'
import { startGateway } from '../testing/start-gateway.ts'
import { waitFor } from '../testing/wait-for.ts'

const second = 1000
const minute = 60 * second
const key = { 'x-api-key': 'sk-ant-not-a-real-key' }

/** What the provider says that it read, wrote and answered. */
type Answer = {
  readonly read: number
  readonly write?: number
  readonly status?: number
  /** Says nothing, or all but the end. */
  readonly hangs?: 'at once' | 'at the end'
}

/** A long task: the first pause is kept alive only if little is risked, compared with the bill so far. */
const task = { role: 'user', content: [{ type: 'text', text: 'count '.repeat(80_000), cache_control: { type: 'ephemeral' } }] }
/** Its long output is cut at first sight, so that something is saved. */
const call = [
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'seq 100000 130000' } }] },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'toolu_1',
        content: Array.from({ length: 30_000 }, (_, line) => 100_000 + line).join('\n'),
        cache_control: { type: 'ephemeral' },
      },
    ],
  },
]
const later = [
  { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  { role: 'user', content: [{ type: 'text', text: 'Thanks. And now?', cache_control: { type: 'ephemeral' } }] },
]

const bodyOf = (messages: readonly object[], rest: object = {}) => ({
  model: 'claude-opus-5.5',
  max_tokens: 4096,
  stream: false,
  system: 'be brief',
  tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
  ...rest,
  messages,
})

interface Setting {
  readonly mode?: TrimMode
  readonly isOff?: true
  readonly settings?: Partial<PlannerSettings>
}

/** A gateway with a real planner and store before a real upstream, with a stopped clock and a manual timer. */
async function waiting(answers: readonly Answer[], { mode = 'economy', isOff, settings }: Setting = {}) {
  let time = Date.UTC(2026, 10, 15)
  const now = () => time
  const queue = [...answers]
  const upstream = await startUpstream((_, response) => {
    const { read, write = 0, status = 200, hangs } = queue.shift() ?? { read: 0 }
    if (hangs === 'at once') return
    const usage = { input_tokens: 100, cache_read_input_tokens: read, cache_creation_input_tokens: write, output_tokens: 1 }
    const message = {
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5.5',
      content: [{ type: 'text', text: 'x' }],
      usage,
    }
    if (hangs === 'at the end') {
      const event = JSON.stringify({ type: 'message_start', message })
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`event: message_start\ndata: ${event}\n\n`)
      return
    }
    const said = status === 200 ? message : { type: 'error', error: { type: 'api_error', message: 'no' } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  })
  const bench = await openPlanningBench(now)
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const planner = bench.planner({ keepsCacheAlive: isOff !== true, ...settings }, undefined, (milliseconds, run) => {
    const own = { at: time + milliseconds, run }
    timers.add(own)
    return () => timers.delete(own)
  })
  const measured: Measured[] = []
  planner.onMeasured((one) => measured.push(one))
  const events: GatewayEvent[] = []
  const metrics = createGatewayMetrics({ withProcess: false })
  planner.onMeasured(metrics.onMeasured)
  const started = await startGateway({
    upstream: upstream.url,
    mode,
    planner: Object.assign(planner, { planned: [], observed: [], outcomes: [] }),
    keepsCacheAlive: isOff !== true,
    now,
    onEvent: (event) => {
      events.push(event)
      metrics.onEvent(event)
    },
  })
  onTestFinished(async () => {
    await started.gateway.close()
    await planner.close()
    await bench.close()
  })
  async function ask(messages: readonly object[], rest: object = {}, headers: Readonly<Record<string, string>> = key) {
    const before = measured.length
    const response = await fetch(`${started.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
      body: JSON.stringify(bodyOf(messages, rest)),
    })
    await response.text()
    await waitFor(() => measured.length > before)
    await planner.rest()
  }
  const sent = () => upstream.received.map(({ body }) => JSON.parse(body.toString()) as Readonly<Record<string, unknown>>)
  return {
    ...started,
    upstream,
    planner,
    measured,
    events,
    metrics,
    ask,
    sent,
    timers,
    pass: (milliseconds: number): void => void (time += milliseconds),
    /** Seconds until the timer; null if none is set. */
    due: () => [...timers].map(({ at }) => (at - time) / 1000)[0] ?? null,
    /** Fires the timer. */
    fire: (): void => {
      const [timer] = timers
      if (timer === undefined) throw new Error('expected a timer that can run out')
      timers.delete(timer)
      time = Math.max(time, timer.at)
      timer.run()
    },
    conversation: async () => {
      const owner = tenantOf(await bench.store.secret(), await credential())
      const [first] = await bench.store.conversations(owner)
      return first === undefined ? null : await bench.store.conversation(owner, first.id)
    },
  }
}

async function credential(): Promise<string> {
  const { credentialHash } = await import('../../store/gateway-store.ts')
  return credentialHash(key['x-api-key'])
}

const first: Answer = { read: 0, write: 4900 }
const cut: Answer = { read: 4500, write: 400 }
const kept: Answer = { read: 4900 }

/** A gateway that has relayed one task of two requests. */
async function rested(
  rest: readonly Answer[] = [kept],
  setting: Setting = {},
  body: object = {},
  headers = key as Record<string, string>,
) {
  const gateway = await waiting([first, cut, ...rest], setting)
  await gateway.ask([task], body, headers)
  await gateway.ask([task, ...call], body, headers)
  return gateway
}

describe('a prompt that the gateway keeps alive', () => {
  it('is sent again with the same bytes and the same key, for one token, shortly before its cache expires', async () => {
    const { due, fire, upstream, sent, measured, events, conversation, metrics } = await rested(
      [kept, kept],
      {},
      {},
      { ...key, 'idempotency-key': 'only-once', 'x-request-note': 'kept' },
    )
    expect([due(), sent().length]).toEqual([280, 2])
    fire()
    await waitFor(() => measured.length === 3)
    const [, last, again] = upstream.received
    expect(again?.body.toString().replace('"max_tokens":1,', '"max_tokens":4096,')).toBe(last?.body.toString())
    expect(again?.body.toString()).toContain('"max_tokens":1,')
    const [one, other] = [last, again].map((request) => headersOf(request?.rawHeaders ?? []))
    expect(one).toMatchObject({ 'idempotency-key': 'only-once' })
    expect({ ...one, 'idempotency-key': undefined, 'content-length': null }).toEqual({
      ...other,
      'idempotency-key': undefined,
      'content-length': null,
    })
    expect(other).not.toHaveProperty('idempotency-key')
    const cost = (100 * 4 + 4900 * 0.2 + 20) / 1_000_000
    expect(measured[2]).toMatchObject({ isKeptAlive: true, untrimmedDollars: 0 })
    expect(measured[2]?.dollars).toBeCloseTo(cost, 9)
    expect(events.at(-1)).toMatchObject({ type: 'kept-alive', status: 200, end: 'complete' })
    expect(JSON.stringify(events)).not.toContain('count')
    const stored = await conversation()
    expect(stored?.requests.map(({ number, keptAlive = false }) => [number, keptAlive])).toEqual([
      [0, false],
      [1, false],
      [2, true],
    ])
    expect(JSON.stringify(stored)).not.toContain(key['x-api-key'])
    expect((await metrics.operations('/metrics'))?.body).toContain('plimsoll_keep_alive_total{status="200",end="complete"} 1')
    expect(due()).toBe(280)
  })

  it('is cached for the next request, which pays for it out of its savings, and ends the pause', async () => {
    const { due, fire, measured, ask, pass, conversation, sent, timers } = await rested([kept, { read: 4900, write: 200 }])
    fire()
    await waitFor(() => measured.length === 3)
    pass(4 * minute)
    const before = due()
    await ask([task, ...call, ...later])
    expect(before).toBe(40)
    const stored = await conversation()
    expect(stored?.requests.map(({ after, broken }) => [after, broken])).toEqual([
      [null, null],
      [stored?.requests[0]?.id, null],
      [stored?.requests[1]?.id, null],
      [stored?.requests[2]?.id, null],
    ])
    // Untrimmed, nothing would have been kept: the whole prompt would have been written again.
    expect(measured[3]?.untrimmedDollars).toBeGreaterThan((measured[3]?.dollars ?? 0) * 5)
    expect([sent().length, timers.size]).toEqual([4, 1])
    expect(due()).not.toBe(40)
  })

  it('is kept alive a few times in one pause, and then dropped', async () => {
    const { due, fire, measured } = await rested(Array.from({ length: 20 }, () => kept))
    let times = 0
    while (due() !== null) {
      fire()
      times += 1
      const count = 2 + times
      await waitFor(() => measured.length === count)
    }
    expect(times).toBeGreaterThan(0)
    expect(times).toBeLessThan(8)
  })

  it.each<[name: string, setting: Setting, body: object, headers: Readonly<Record<string, string>>]>([
    ['the user has not asked for it', { isOff: true }, {}, key],
    ['nothing is trimmed', { mode: 'observe' }, {}, key],
    ['it may cost nothing', { settings: { config: withMaxCost(0) } }, {}, key],
    ['its cache lives for an hour', {}, { cache_control: { type: 'ephemeral', ttl: '1h' } }, key],
  ])('is never due if %s', async (_name, setting, body, headers) => {
    const { due } = await rested([kept], setting, body, headers)
    expect(due()).toBeNull()
  })

  it.each<[name: string, body: object, headers: Readonly<Record<string, string>>]>([
    ['its client is logged in and has no key', {}, { authorization: 'Bearer sk-ant-oat' }],
    ['its client has both', {}, { ...key, authorization: 'Bearer sk-ant-oat' }],
    ['it could do more than read the prompt', { tools: [{ type: 'web_search_20260209', name: 'web_search' }] }, key],
  ])('is not sent again if %s', async (_name, body, headers) => {
    const { due, fire, sent } = await rested([kept], {}, body, headers)
    if (due() !== null) fire()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([sent().length, due()]).toEqual([2, null])
  })

  it('is given up if the provider refuses it, or had dropped it anyway', async () => {
    for (const answer of [
      { read: 0, status: 429 },
      { read: 40, write: 60 },
    ]) {
      const { due, fire, events } = await rested([answer])
      fire()
      await waitFor(() => events.at(-1)?.type === 'kept-alive')
      expect(due()).toBeNull()
    }
  })

  it('is not sent for a conversation that goes on, or whose client went away in the middle of an answer', async () => {
    const { due, fire, sent, ask, url, events, pass, timers, planner } = await rested([
      { read: 4900, write: 100 },
      { read: 5000, hangs: 'at the end' },
    ])
    pass(minute)
    await ask([task, ...call, ...later])
    expect(timers.size).toBe(1)
    const request = httpRequest(`${url}/v1/messages`, { method: 'POST', headers: { 'content-type': 'application/json', ...key } })
    const hasBegun = new Promise((resolve) => request.on('response', (response) => response.once('data', resolve)))
    request.on('error', () => {})
    request.end(JSON.stringify(bodyOf([task, ...call, ...later, ...later])))
    await hasBegun
    request.destroy()
    await waitFor(() => events.some((event) => event.type === 'answered' && event.end === 'client-gone'))
    await planner.rest()
    if (due() !== null) fire()
    expect([sent().length, due()]).toEqual([4, null])
  })

  it('ends with the gateway, in the middle of an answer too', async () => {
    const { fire, sent, gateway, events, due, planner } = await rested([{ read: 0, hangs: 'at once' }])
    fire()
    await waitFor(() => sent().length === 3)
    await gateway.close()
    await planner.close()
    expect(events.at(-1)).toMatchObject({ type: 'kept-alive', status: null, end: 'upstream-failed' })
    expect([due(), sent().length]).toEqual([null, 3])
  })

  it('is never sent by a gateway that other machines can reach', async () => {
    // An address of no machine: nothing could listen there.
    const options = { host: '192.0.2.1', allowPublic: true, token: 'an access token of some length', keepsCacheAlive: true }
    await expect(startGateway(options)).rejects.toThrow('does not send requests by itself')
  })
})

function headersOf(raw: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? '']] : [])))
}

function withMaxCost(max_cost: number): PlannerSettings['config'] {
  return { ...plainSettings.config, keep_alive: { enabled: false, max_cost } }
}
