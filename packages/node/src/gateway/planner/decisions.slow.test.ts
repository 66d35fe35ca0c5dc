import type { TrimMode } from '@plimsoll/core/policies'
import { writeRequest } from '@plimsoll/core/wire'
import { afterEach, describe, expect, it } from 'vitest'
import { requestLengths, workOf } from '../../../../../test/gateway/work.ts'
import type { Decision } from '../../store/gateway-record.ts'
import { type GatewayStore, StoreError } from '../../store/gateway-store.ts'
import type { Measured, Plan, PlannerSettings, RelayedRequest } from '../planner.ts'
import { spliceBytes } from '../relay/plan-request.ts'
import { faultyStore, type StoreFaults, withBranch } from '../testing/faulty-store.ts'
import { accepted, openPlanningBench, type PlanningBench, plainSettings, relayed } from '../testing/planning.ts'
import { createPlanner, type QueuedPlanner } from './create-planner.ts'

const model = 'claude-opus-4-5'
const work = workOf(12)
const lengths = requestLengths(work)
const start = Date.UTC(2026, 0, 5, 12)

/** Some pauses are longer than the cache lasts. */
const timeOf = (number: number) => start + number * 30_000 + Math.floor(number / 4) * 1_000_000

const opened: PlanningBench[] = []

afterEach(async () => {
  for (const bench of opened.splice(0)) await bench.close()
})

async function openBench(): Promise<PlanningBench> {
  const bench = await openPlanningBench(() => start)
  opened.push(bench)
  return bench
}

function requestOf(number: number, mode: TrimMode, rest: Partial<RelayedRequest> = {}): RelayedRequest {
  const messages = work.slice(0, lengths[number])
  const body = writeRequest('anthropic', messages, { model, system: 'Work on it.' })
  return relayed('anthropic', body, mode, { at: timeOf(number), model, ...rest })
}

/** A request that was planned, with the bytes that go out. */
interface PlannedRequest {
  readonly request: RelayedRequest
  readonly plan: Plan
  readonly original: string
  readonly text: string
}

async function plan(planner: QueuedPlanner, request: RelayedRequest): Promise<PlannedRequest> {
  const made = await planner.plan(request)
  const bytes = spliceBytes(request.body, made.splices)
  if (bytes === null) throw new Error('The splices do not fit.')
  return { request, plan: made, original: Buffer.from(request.body).toString(), text: bytes.toString() }
}

/** Plans a request and lets the provider accept it. */
async function send(
  planner: QueuedPlanner,
  request: RelayedRequest,
  isPlanDropped = false,
): Promise<PlannedRequest & { readonly measured: Measured }> {
  const measured: Measured[] = []
  planner.onMeasured((one) => measured.push(one))
  const planned = await plan(planner, request)
  planner.answered({ ...accepted(request, 3000, 2000), isPlanDropped })
  await planner.rest()
  const own = measured.find(({ id }) => id === request.id)
  if (own === undefined) throw new Error('Nothing was measured.')
  return { ...planned, text: isPlanDropped ? planned.original : planned.text, measured: own }
}

/** A planner that was just started: it knows nothing that the store does not know. */
function newPlanner(
  store: GatewayStore,
  now: () => number = () => start,
  settings: Partial<PlannerSettings> = {},
): QueuedPlanner {
  return createPlanner({ store, settings: { ...plainSettings, ...settings }, now })
}

/** The results in a body, by their call. */
function resultsOf(text: string): ReadonlyMap<string, string> {
  const { messages } = JSON.parse(text) as { readonly messages: readonly { readonly content: unknown }[] }
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as readonly Block[]) : []))
  return new Map(
    blocks.flatMap(({ type, tool_use_id: call = '', content }) =>
      type === 'tool_result' ? [[call, JSON.stringify(content)]] : [],
    ),
  )
}

interface Block {
  readonly type: string
  readonly tool_use_id?: string
  readonly content?: unknown
}

/** The calls whose results are neither what the last request showed nor what the client sent, although they were sent before. */
function changedAgain(before: PlannedRequest, now: PlannedRequest): readonly string[] {
  const last = resultsOf(before.text)
  const given = resultsOf(now.original)
  return [...resultsOf(now.text)].flatMap(([call, text]) =>
    last.has(call) && text !== last.get(call) && text !== given.get(call) ? [call] : [],
  )
}

/** The calls whose results are not what the last request showed. */
function changedFrom(before: PlannedRequest, now: PlannedRequest): readonly string[] {
  const last = resultsOf(before.text)
  return [...resultsOf(now.text)].flatMap(([call, text]) => (last.has(call) && text !== last.get(call) ? [call] : []))
}

const codes = ({ plan: { findings } }: PlannedRequest) => findings.map(({ code }) => code)

/** All requests through a store that works, each by a new planner. */
async function healthy(
  mode: TrimMode,
  count = lengths.length,
): Promise<readonly (PlannedRequest & { readonly measured: Measured })[]> {
  const { store } = await openBench()
  return sendAll(store, mode, 0, count)
}

async function sendAll(store: GatewayStore, mode: TrimMode, from: number, to: number) {
  const sent: (PlannedRequest & { readonly measured: Measured })[] = []
  for (let number = from; number < to; number += 1) sent.push(await send(newPlanner(store), requestOf(number, mode)))
  return sent
}

const bold = ['spec', 'economy'] as const

describe('a store that is lost in the middle of a conversation', () => {
  it.each(bold)('shows everything that was sent as before or in full, and announces changes (%s)', async (mode) => {
    const before = await healthy(mode, 7)
    const { store } = await openBench()
    const after = await sendAll(store, mode, 7, lengths.length)
    let last = before.at(-1) as PlannedRequest
    let changes = 0
    for (const now of after) {
      if (now.measured.breaks.length === 0) expect(changedAgain(last, now)).toEqual([])
      else changes += 1
      last = now
    }
    expect(changedFrom(before.at(-1) as PlannedRequest, after[0] as PlannedRequest).length).toBeGreaterThan(0)
    expect(changes).toBeGreaterThan(0)
  })

  it.each(bold)('makes no difference to a gateway that still runs (%s)', async (mode) => {
    const { store } = await openBench()
    let isLost = false
    const planner = newPlanner(
      faultyStore(store, () =>
        isLost ? { recognised: (answer) => ({ ...answer, decisions: [], decided: { until: 0, later: null } }) } : {},
      ),
    )
    for (let number = 0; number < 7; number += 1) await send(planner, requestOf(number, mode))
    let last: PlannedRequest = await send(planner, requestOf(7, mode))
    isLost = true
    for (let number = 8; number < lengths.length; number += 1) {
      const now = await send(planner, requestOf(number, mode))
      if (number === 8) expect(codes(now)).toContain('decisions-lost')
      if (now.measured.breaks.length === 0) expect(changedAgain(last, now)).toEqual([])
      last = now
    }
  })
})

describe('a store that was restored from a backup', () => {
  it.each(bold)('shows the decisions it still has, and the rest in full (%s)', async (mode) => {
    const before = await healthy(mode, 9)
    const { store } = await openBench()
    await sendAll(store, mode, 0, 5)
    const [now] = await sendAll(store, mode, 9, 10)
    const last = before.at(-1) as PlannedRequest
    if (now === undefined) throw new Error('Nothing was sent.')
    const known = resultsOf((before[4] as PlannedRequest).text)
    const shown = resultsOf(now.text)
    if (now.measured.breaks.length === 0) {
      expect([...known].filter(([call, text]) => shown.get(call) !== text)).toEqual([])
      expect(changedAgain(last, now)).toEqual([])
    }
    expect(known.size).toBeGreaterThan(3)
  })
})

describe('a store of an older version', () => {
  const withoutField = ({ refers: _refers, ...decision }: Decision): Decision => decision
  const old: StoreFaults = {
    recognised: (answer) => ({
      ...withBranch(answer, (branch) => {
        const { behind: _behind, shownUntil: _until, wholeUntil: _whole, ...state } = branch.state
        return { ...branch, state }
      }),
      decisions: answer.decisions.map(withoutField),
    }),
  }

  it.each(['safe', ...bold] as const)('gives the same bytes without the new fields (%s)', async (mode) => {
    const expected = await healthy(mode)
    const { store } = await openBench()
    const sent = await sendAll(
      faultyStore(store, () => old),
      mode,
      0,
      lengths.length,
    )
    expect(sent.map(({ text }) => text)).toEqual(expected.map(({ text }) => text))
    expect(sent.map(({ measured }) => measured.breaks)).toEqual(expected.map(({ measured }) => measured.breaks))
    expect(expected.some(({ text }) => text.includes('lines as shown above'))).toBe(mode === 'economy')
  })
})

describe('a store with rows that make no sense', () => {
  const rows: readonly (readonly [string, (decision: Decision) => unknown])[] = [
    ['null', () => null],
    ['a text', () => 'nonsense'],
    ['without a replacement', ({ with: _with, ...rest }) => rest],
    ['a replacement of another type', (decision) => ({ ...decision, with: { type: 'text', text: 'nonsense' } })],
    ['a replacement without content', (decision) => ({ ...decision, with: { ...decision.with, content: undefined } })],
    ['a text that is a number', (decision) => ({ ...decision, with: { ...decision.with, content: { type: 'text', text: 5 } } })],
    ['a content of no type', (decision) => ({ ...decision, with: { ...decision.with, content: { type: 'poem', text: 'x' } } })],
    ['a list without items', (decision) => ({ ...decision, with: { ...decision.with, content: { type: 'list', items: 'x' } } })],
    ['one with text for references', (decision) => ({ ...decision, refers: 'nonsense' })],
    ['one with empty references', (decision) => ({ ...decision, refers: [{}, null] })],
    ['without policy and reason', ({ policy: _policy, why: _why, ...rest }) => rest],
    ['one with text for a time', (decision) => ({ ...decision, at: 'noon' })],
  ]
  const branches: readonly (readonly [string, (state: unknown) => unknown])[] = [
    ['null', () => null],
    ['empty', () => ({})],
    ['without a ledger', (state) => ({ ...(state as object), ledger: undefined })],
    ['one with text in its ledger', (state) => ({ ...(state as object), ledger: { bank: 'x', debts: 'y', at: 'noon' } })],
    ['one with text for places', (state) => ({ ...(state as object), behind: 'x', shownUntil: 'noon', wholeUntil: {} })],
    ['one with nonsense for measurements', (state) => ({ ...(state as object), measurements: ['x', {}, { model, usage: 'x' }] })],
  ]

  /** Sends eight requests, of which the last two meet the nonsense. */
  async function sendInto(faults: StoreFaults) {
    const { store } = await openBench()
    const before = await sendAll(store, 'economy', 0, 6)
    const after = await sendAll(
      faultyStore(store, () => faults),
      'economy',
      6,
      8,
    )
    return { before, after }
  }

  function expectHarmless({ before, after }: Awaited<ReturnType<typeof sendInto>>): void {
    let last = before.at(-1) as PlannedRequest
    for (const now of after) {
      // Valid for the provider: every result is still a text.
      expect([...resultsOf(now.text).values()].filter((text) => !text.startsWith('"'))).toEqual([])
      if (now.measured.breaks.length === 0) expect(changedAgain(last, now)).toEqual([])
      last = now
    }
  }

  it.each(rows)('sends known or original bytes, and announces any change: a decision that is %s', async (_name, change) => {
    expectHarmless(
      await sendInto({
        recognised: (answer) => ({ ...answer, decisions: answer.decisions.map((one) => change(one) as Decision) }),
      }),
    )
  })

  it.each(branches)('sends known or original bytes, and announces any change: a state that is %s', async (_name, change) => {
    expectHarmless(
      await sendInto({
        recognised: (answer) => withBranch(answer, (branch) => ({ ...branch, state: change(branch.state) })),
      }),
    )
  })
})

describe('a store that answers late', () => {
  it('decides nothing new if the relay has stopped waiting, and reports that', async () => {
    const { store } = await openBench()
    let now = start
    const late = faultyStore(store, () => ({
      recognised: (answer) => {
        now = start + 5000
        return answer
      },
    }))
    const planner = newPlanner(late, () => now)
    const missed = await send(planner, requestOf(0, 'economy', { until: start + 10_000 }))
    now = start
    const planned = await plan(planner, requestOf(1, 'economy', { until: start + 1000 }))
    expect([codes(missed), codes(planned), planned.text === planned.original]).toEqual([[], ['too-late'], true])
    const tenants = await store.tenants()
    const claims = await Promise.all(
      tenants.map(async (tenant) => {
        const all = await store.conversations(tenant)
        return Promise.all(all.map(({ id }) => store.claimsOf(tenant, id)))
      }),
    )
    expect(claims.flat(2)).toEqual([])
  })

  it.each(bold)('announces what it shows again after a plan that was dropped (%s)', async (mode) => {
    const { store } = await openBench()
    const before = await sendAll(store, mode, 0, 6)
    const dropped = await send(newPlanner(store), requestOf(6, mode), true)
    const after = await send(newPlanner(store), requestOf(7, mode))
    expect([dropped.text === dropped.original, dropped.measured.findings.map(({ code }) => code)]).toEqual([true, ['too-late']])
    expect(changedFrom(dropped, after).length).toBeGreaterThan(0)
    expect(after.measured.breaks.length).toBeGreaterThan(0)
    // Everything is shown again in the same bytes as before the drop.
    expect(changedFrom(before.at(-1) as PlannedRequest, after)).toEqual([])
    const next = await send(newPlanner(store), requestOf(8, mode))
    if (next.measured.breaks.length === 0) expect(changedFrom(after, next)).toEqual([])
  })
})

describe('a store that fails', () => {
  const fail = () => {
    throw new StoreError('unreachable', 'The store cannot be reached.')
  }

  it.each(bold)('shows earlier decisions and nothing new if decisions cannot be written (%s)', async (mode) => {
    const { store } = await openBench()
    const before = await sendAll(store, mode, 0, 6)
    const failed = await send(newPlanner(faultyStore(store, () => ({ claiming: fail }))), requestOf(6, mode))
    expect([codes(failed), changedFrom(before.at(-1) as PlannedRequest, failed)]).toEqual([['store-unavailable'], []])
    const known = resultsOf((before.at(-1) as PlannedRequest).text)
    const given = resultsOf(failed.original)
    expect([...resultsOf(failed.text)].filter(([call, text]) => !known.has(call) && text !== given.get(call))).toEqual([])
    const next = await send(newPlanner(store), requestOf(7, mode))
    if (next.measured.breaks.length === 0) expect(changedFrom(failed, next)).toEqual([])
  })

  it.each(bold)('sends the original bytes if it cannot be read, and announces the return to decisions (%s)', async (mode) => {
    const { store } = await openBench()
    const before = await sendAll(store, mode, 0, 6)
    const planner = newPlanner(faultyStore(store, () => ({ recognised: fail })))
    const failed = await send(planner, requestOf(6, mode))
    expect([codes(failed), failed.text === failed.original]).toEqual([['store-unavailable'], true])
    const after = await send(newPlanner(store), requestOf(7, mode))
    expect(changedFrom(before.at(-1) as PlannedRequest, after)).toEqual([])
    expect(changedFrom(failed, after).length).toBeGreaterThan(0)
    expect(after.measured.breaks.length).toBeGreaterThan(0)
  })
})

describe('two gateways that decide at the same time', () => {
  it.each(['safe', ...bold] as const)('both show what the first one decided, byte for byte (%s)', async (mode) => {
    const { store, folder } = await openBench()
    const race = createRace(2)
    const racing = faultyStore(store, () => ({ claiming: race.arrive }))
    // Alone, each would write another text: one names handles, the other files.
    const one = newPlanner(racing)
    const other = newPlanner(racing, () => start, { recall: { file: folder } })
    const [first, second] = await Promise.all([plan(one, requestOf(4, mode)), plan(other, requestOf(4, mode))])
    const { store: apart } = await openBench()
    const alone = await plan(newPlanner(apart), requestOf(4, mode))
    expect(second.text).toBe(first.text)
    expect([race.arrived(), first.text === alone.text, first.text === first.original]).toEqual([2, true, false])
  })
})

/** Lets all continue, in the order they arrived, once there are this many. */
function createRace(count: number) {
  const waiting: (() => void)[] = []
  let arrived = 0
  return {
    arrived: () => arrived,
    arrive: () =>
      new Promise<void>((resolve) => {
        arrived += 1
        waiting.push(resolve)
        if (waiting.length === count) for (const go of waiting.splice(0)) go()
      }),
  }
}
