import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PartialConfig } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createModelClient } from '../../model/create-client.ts'
import { type ClosedNetwork, closeNetwork } from '../../model/testing/closed-network.ts'
import { providerEnvironment } from '../../model/testing/provider-environment.ts'
import { type ProviderAnswer, type ProviderServer, startProviderServer } from '../../model/testing/provider-server.ts'
import { createSession } from '../../session/create-session.ts'
import { temporarySessions } from '../../session/testing/sessions.ts'
import { startAgent, type TestAgent } from '../testing/start-agent.ts'

const name = 'anthropic/claude-opus-5'
/** An answer whose prompt was written for as long as it says. */
const answer = (creation: object): ProviderAnswer => {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 1_000_000, cache_creation: creation, output_tokens: 1 }
  const message = { id: 'msg_0', type: 'message', role: 'assistant', model: 'test', content: [], stop_reason: null, usage }
  return {
    kind: 'events',
    events: [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ],
  }
}

let network: ClosedNetwork
let server: ProviderServer
beforeEach(async () => {
  network = closeNetwork()
  server = await startProviderServer(answer({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_000_000 }))
})
afterEach(async () => {
  await server.close()
  expect(network.refused).toEqual([])
})

async function start(own: PartialConfig = {}): Promise<TestAgent> {
  const given: PartialConfig = { timing: 'auto', keep_alive: { enabled: true }, ...own }
  const model = createModelClient({
    name,
    environment: providerEnvironment(server.origin, 'key'),
    config: completeConfig(given),
  })
  return startAgent({ sessions: temporarySessions(), config: given, options: { model, priceOf: () => model.price } })
}

/** Another session of the project, with pauses of so many seconds between its requests. */
async function lived({ sessions, root }: Pick<TestAgent, 'sessions' | 'root'>, pause: number): Promise<void> {
  let at = Date.UTC(2026, 0, 5, 12)
  const session = await createSession(sessions, { root, now: () => at })
  for (let request = 0; request < 5; request += 1) {
    const [sent] = await session.append([{ type: 'request', model: name, last: null, view: 'v', estimate: 1 }])
    const usage = { input: 0, cacheRead: 0, cacheWrite: 10_000, output: 1 }
    await session.append([{ type: 'usage', request: sent?.id ?? '', usage }])
    at += pause * 1000
  }
  await session.close()
}

/** The times to live of all marks of a request. */
function marks(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(marks)
  if (!isRecord(value)) return []
  const { cache_control: mark, ...rest } = value
  return [...(isRecord(mark) ? [mark['ttl'] ?? null] : []), ...Object.values(rest).flatMap(marks)]
}

/** Does a task and gives the times to live that were asked for, each once, and what the timing assumes. */
async function asked({ agent, turn }: TestAgent): Promise<readonly unknown[]> {
  expect(await turn('Look around.')).toMatchObject({ kind: 'finished' })
  const sent = marks(server.requests.at(-1)?.body)
  expect(sent.length).toBeGreaterThan(1)
  const { report } = await agent.look()
  return [...new Set(sent), report.timing?.lifetimeSeconds]
}

const minutes = [null, 300]
const hour = ['1h', 3600]

describe('how long prompts are cached', () => {
  it.each<[what: string, config: PartialConfig, pauses: readonly number[], expected: readonly unknown[]]>([
    ['five minutes in a first session', {}, [], minutes],
    ['an hour after sessions whose pauses make that cheaper', {}, [600], hour],
    ['five minutes after sessions with short pauses', {}, [60], minutes],
    ['five minutes after sessions with pauses of over an hour', {}, [4000], minutes],
    ['what costs less over all sessions', {}, [60, 600], hour],
    ['an hour if the user says so', { cache_lifetime: '1h' }, [60], hour],
    ['five minutes if the user says so', { cache_lifetime: '5m' }, [600], minutes],
    [
      'five minutes if no price is known for an hour',
      { cache_lifetime: '1h', prices: { [name]: { input: 5, cache_read: 0.5, cache_write: 6.25, output: 25 } } },
      [600],
      minutes,
    ],
  ])('%s', async (_what, config, pauses, expected) => {
    const started = await start(config)
    for (const pause of pauses) await lived(started, pause)
    expect(await asked(started)).toEqual(expected)
  })

  it('does not learn from other projects, and skips sessions that cannot be read', async () => {
    const started = await start()
    const { sessions } = started
    await lived({ sessions, root: '/another' }, 600)
    for (const [id, text] of Object.entries({ '20260101-000000-aaaaaa': 'no log\n', '20260101-000000-bbbbbb': null })) {
      mkdirSync(join(sessions, id))
      if (text !== null) writeFileSync(join(sessions, id, 'log.jsonl'), text)
    }
    expect(await asked(started)).toEqual(minutes)
    const next = await start()
    mkdirSync(join(next.sessions, '20260101-000000-bbbbbb'))
    await lived({ sessions: next.sessions, root: next.root }, 600)
    expect(await asked(next)).toEqual(hour)
  })

  it.each([
    [600, 10, hour],
    [60, 600, minutes],
  ])('stays the same when a session is resumed, whatever others show since', async (before, after, expected) => {
    const started = await start()
    await lived(started, before)
    expect(await asked(started)).toEqual(expected)
    for (let times = 0; times < 5; times += 1) await lived(started, after)
    const again = await started.restart()
    expect(await asked(again)).toEqual(expected)
    expect(await asked(again)).toEqual(expected)
  })

  it('stays at five minutes in a session of an older version', async () => {
    const started = await start({ cache_lifetime: '1h' })
    await started.session.append([{ type: 'request', model: name, last: null, view: 'v', estimate: 1 }])
    expect(await asked(started)).toEqual(minutes)
  })

  it.each([
    ['as reported', { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 1_000_000 }],
    ['as asked for, if that is not reported', {}],
  ])('is billed %s, and not kept alive', async (_name, creation) => {
    await server.close()
    server = await startProviderServer(answer(creation))
    const started = await start({ cache_lifetime: '1h' })
    expect(await asked(started)).toEqual(hour)
    // A million tokens written for an hour at $10, and 10 new ones at $5 and one at $25 for a million.
    expect(started.agent.cost().dollars).toBeCloseTo(10 + 0.00005 + 0.000025, 9)
    expect(started.agent.keepAliveDue()).toBeNull()
  })
})
