import type { PartialConfig } from '@plimsoll/core'
import { priceOf as knownPrice, type Price, promptTotal } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import { createModelClient } from '../../model/create-client.ts'
import type { ScriptedAnswer } from '../../model/testing/openai-server.ts'
import { rewindTo } from '../../session/branch.ts'
import { type AgentSetting, startAgent } from '../testing/start-agent.ts'
import { createKeepWarm, ledgerInForce } from './keep-alive.ts'

const minute = 60_000
const price = { input: 2, cache_read: 0.1, cache_write: 2.5, output: 0.1 }
const config: PartialConfig = { keep_alive: { enabled: true }, prices: { test: price }, context_window: 10_000_000 }
/** A long task: the first pause is kept alive only if little is risked, compared with the bill so far. */
const task = 'count '.repeat(200_000)

/** A call whose long output is cut at first sight, so that something is saved; then words, most of whose prompt was cached. */
const answers = (...later: readonly ScriptedAnswer[]): readonly [ScriptedAnswer, ...ScriptedAnswer[]] => [
  { kind: 'tool-call', tool: 'Bash', input: { command: 'seq 100000 130000' } },
  { kind: 'text', text: 'Done.', prompt: 5000, cached: 4500 },
  ...later,
]
const kept: ScriptedAnswer = { kind: 'text', text: 'x', finish: 'length', prompt: 5000, cached: 4900 }

/** An agent that has done one task, with a stopped clock and a manual timer. */
async function waiting(setting: AgentSetting = {}, later: readonly ScriptedAnswer[] = [kept]) {
  let time = Date.UTC(2026, 10, 15)
  const now = () => time
  let pending: { readonly at: number; readonly run: () => void } | null = null
  const prices = { ...(knownPrice('claude-opus-5') as Price), input: 2, cacheRead: 0.1, cacheWrite: 2.5, output: 0.1 }
  const started = await startAgent({
    answers: answers(...later),
    ...setting,
    config: { ...config, ...setting.config },
    options: { now, priceOf: () => prices, ...setting.options },
  })
  const keepWarm = createKeepWarm(
    () => started.agent,
    now,
    (milliseconds, run) => {
      const own = { at: time + milliseconds, run }
      pending = own
      return () => {
        if (pending === own) pending = null
      }
    },
  )
  await started.turn(task)
  const asked = started.server?.requests ?? []
  const notices = () =>
    started.events.flatMap((event) => (event.type === 'notification' ? [[event.data.code, event.data.details]] : []))
  function run(): void {
    const timer = pending
    if (timer === null) throw new Error('expected a timer that can run out')
    pending = null
    time = Math.max(time, timer.at)
    timer.run()
  }
  return {
    ...started,
    keepWarm,
    asked,
    notices,
    /** Seconds until the timer; null if none is set. */
    due: () => (pending === null ? null : (pending.at - time) / 1000),
    pass: (milliseconds: number): void => void (time += milliseconds),
    run,
    /** Fires the timer and waits for its effects. */
    fire: async (): Promise<void> => {
      const before = started.events.length
      run()
      const isDone = () => started.events.slice(before).some(({ type }) => type === 'notification')
      while (!isDone()) await new Promise((resolve) => setImmediate(resolve))
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('a prompt that is kept alive', () => {
  it('is sent again unchanged, for one token, shortly before its cache expires', async () => {
    const { keepWarm, due, fire, asked, session, agent, notices, events } = await waiting()
    const before = agent.cost()
    keepWarm.rest()
    expect(due()).toBe(280)
    const messages = session.state().messages.length
    await fire()
    expect(asked).toHaveLength(3)
    const [, last, again] = asked.map(({ body }) => body)
    expect({ ...again, max_tokens: last?.max_tokens }).toEqual(last)
    expect(again?.max_tokens).toBe(1)
    expect(session.state().messages).toHaveLength(messages)
    expect(due()).toBe(280)
    expect(notices().at(-1)).toEqual(['kept_alive', '1 × · $0.0007'])
    expect(events.at(-2)).toMatchObject({ type: 'usage', data: { what: 'keep-alive', cost: { dollars: 0.0007 } } })
    const after = agent.cost()
    expect(after.keepAlive).toEqual({ times: 1, dollars: 0.0007 })
    expect(after.dollars - before.dollars).toBeCloseTo(0.0007, 9)
  })

  it('is kept alive a few times in one pause, then dropped, and again after the next turn', async () => {
    const { keepWarm, due, fire, asked, turn } = await waiting()
    keepWarm.rest()
    for (let times = 0; times < 5; times += 1) await fire()
    expect([due(), asked.length]).toEqual([null, 7])
    keepWarm.rest()
    expect(due()).toBeNull()
    await keepWarm.stop()
    await turn('Go on')
    keepWarm.rest()
    expect(due()).toBe(280)
  })

  it('is warm for the next request, which is charged for it', async () => {
    const { keepWarm, fire, agent, session, pass } = await waiting()
    const bank = session.state().ledger.bank
    keepWarm.rest()
    await fire()
    pass(4 * minute)
    const { report } = await agent.look()
    expect(report.timing?.cold).toBeNull()
    const ledger = ledgerInForce(session, session.state())
    // 100 of 5,000 tokens at the full price, 4,900 and an answer of 100 at a twentieth.
    const spent = 100 + 5000 * 0.05
    expect(bank - ledger.bank).toBeCloseTo(spent, 6)
    expect(ledger.kept?.balance).toBeCloseTo(-spent, 6)
    expect(ledger.learned).toEqual({ atLeastSeconds: 280, atMostSeconds: null, zeroReads: 0 })
    pass(5 * minute)
    expect((await agent.look()).report.timing?.cold).toBe('idle')
  })

  it('keeps its costs after a restart', async () => {
    const { keepWarm, fire, session, agent, restart } = await waiting()
    keepWarm.rest()
    await fire()
    const ledger = ledgerInForce(session, session.state())
    const { keepAlive } = agent.cost()
    const again = await restart()
    expect(ledgerInForce(again.session, again.session.state())).toEqual(ledger)
    expect(again.agent.cost().keepAlive).toEqual(keepAlive)
    // Requests of another process cannot be repeated exactly.
    expect(again.agent.keepAliveDue()).toBeNull()
  })

  it.each<[name: string, setting: AgentSetting]>([
    ['it is disabled', { config: { ...config, keep_alive: { enabled: false } } }],
    ['it may cost nothing', { config: { ...config, keep_alive: { enabled: true, max_cost: 0.0001 } } }],
    ['the session may cost no more', { config: { ...config, agent: { max_cost: 0.0001, mode: 'auto' } } }],
    ['changes take effect at once, so that the savings are unknown', { config: { ...config, timing: 'immediate' } }],
    [
      'nothing was saved that would pay for it',
      { policies: [], answers: [{ kind: 'text', text: 'Done.', prompt: 5000, cached: 4500 }] },
    ],
    [
      'the conversation has not lasted',
      { answers: [answers()[0], { kind: 'text', text: 'Done.', prompt: 200_000, cached: 190_000 }] },
    ],
    ['the price is unknown', { config: { ...config, prices: {} } }],
    ['reading what is cached costs too much', { config: { ...config, prices: { test: { ...price, cache_read: 1.5 } } } }],
    ['a reasoning effort is set', { config: { ...config, models: { test: { reasoning: 'low' } } } }],
  ])('is not sent if %s', async (_name, setting) => {
    const { keepWarm, due } = await waiting(setting)
    keepWarm.rest()
    expect(due()).toBeNull()
  })

  it('is not sent if its cache has expired, or it was undone, compacted, or of another model', async () => {
    const { agent, pass, session, server, config: set } = await waiting()
    expect(agent.keepAliveDue()).not.toBeNull()
    const environment = { OPENAI_API_KEY: 'not-a-real-key' }
    const own = agent.model()
    agent.useModel(createModelClient({ name: 'other', url: server?.url, environment, config: set }))
    expect(agent.keepAliveDue()).toBeNull()
    agent.useModel(own)
    expect(agent.keepAliveDue()).not.toBeNull()
    const leaf = session.state().leaf
    await rewindTo(session, session.heads()[0]?.id ?? '')
    expect(agent.keepAliveDue()).toBeNull()
    await rewindTo(session, leaf)
    expect(agent.keepAliveDue()).not.toBeNull()
    pass(6 * minute)
    expect(agent.keepAliveDue()).toBeNull()
  })

  it('is no longer sent once the user asks something', async () => {
    const { keepWarm, due, asked } = await waiting()
    keepWarm.rest()
    expect(due()).toBe(280)
    await keepWarm.stop()
    expect([due(), asked.length]).toEqual([null, 2])
  })

  it('is aborted without a trace when a turn starts, and the turn continues', async () => {
    const { keepWarm, run, asked, session, server, turn, due } = await waiting({}, [{ kind: 'hang' }, kept])
    keepWarm.rest()
    const heads = session.heads().length
    run()
    while (asked.length < 3) await new Promise((resolve) => setImmediate(resolve))
    await keepWarm.stop()
    await server?.abandoned
    expect([session.heads().length, due()]).toEqual([heads, null])
    expect(await turn('Go on')).toMatchObject({ kind: 'finished' })
  })

  it('is given up for this pause if the provider rejects it, which is reported', async () => {
    const refusal: ScriptedAnswer = { kind: 'body', status: 400, body: '{"error":{"message":"max_tokens too small"}}' }
    const { keepWarm, due, fire, notices, session } = await waiting({}, [refusal])
    keepWarm.rest()
    await fire()
    expect(due()).toBeNull()
    expect(notices().at(-1)).toEqual(['keep_alive_failed', expect.stringContaining('max_tokens too small')])
    expect(session.heads().at(-1)?.type).toBe('failure')
  })

  it('is given up if the cache had expired anyway, and that is learned', async () => {
    const missed: ScriptedAnswer = { kind: 'text', text: 'x', finish: 'length', prompt: 5000, cached: 0 }
    const { keepWarm, due, fire, session } = await waiting({}, [missed])
    keepWarm.rest()
    await fire()
    expect(due()).toBeNull()
    expect(ledgerInForce(session, session.state()).learned?.atMostSeconds).toBe(280)
  })

  it('is not sent before it is due, even after several attempts', async () => {
    const { agent, asked, pass } = await waiting()
    pass(100_000)
    expect(await agent.keepAlive(new AbortController().signal)).toBe(false)
    expect(asked).toHaveLength(2)
  })

  it('counts a record that was tampered with as the maximum cost', async () => {
    const { session } = await waiting()
    const usage = { input: 0, cacheRead: 500, cacheWrite: 0, output: 1 }
    const { bank } = session.state().ledger
    for (const told of ['much', { spent: -5, at: 'now' }, { spent: Number.MAX_VALUE }])
      await session.append([{ type: 'note', code: 'side-usage', data: { model: 'test', usage, what: 'keep-alive', kept: told } }])
    const ledger = ledgerInForce(session, session.state())
    expect(ledger.bank).toBeCloseTo(bank - 3 * promptTotal(usage), 6)
    expect(ledger.at).toBe(session.heads().at(-1)?.at)
  })
})
