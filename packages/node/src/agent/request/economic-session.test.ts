import { type Message, type Report, specPolicies } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelClient } from '../../model/model-client.ts'
import { openSession } from '../../session/open-session.ts'
import type { AskContext } from '../agent.ts'
import { clientFor, contextFor } from '../testing/asking.ts'
import { startSession, type TestSession } from '../testing/start-session.ts'
import { buildRequest } from './build-request.ts'
import { recordRequest, recordUsage } from './record-request.ts'

const opened: TestSession[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const noon = Date.UTC(2026, 10, 15, 12)
const minute = 60_000
const said = (id: string, role: 'user' | 'assistant', text: string): Message => ({
  id,
  role,
  parts: [{ type: 'text', text }],
  at: noon,
})
const step = (id: string, lines: number): readonly Message[] => [
  { id: `${id}c`, role: 'assistant', parts: [{ type: 'tool-call', callId: id, tool: 'LS', input: { path: id } }], at: noon },
  {
    id,
    role: 'tool',
    parts: [{ type: 'tool-result', callId: id, tool: 'LS', content: { type: 'text', text: `${id}.ts\n`.repeat(lines) } }],
    at: noon,
  },
]

const priced = { prices: { test: { input: 2, cache_read: 0.1, cache_write: 2.5, output: 10 } } }
const known = clientFor('http://127.0.0.1:9/v1', priced)

/** A session with two old results, the five that are always whole, and requests of its agent as time passes. */
async function begin(model: ModelClient = known, more: Partial<AskContext> = {}) {
  const recent = Array.from({ length: 5 }, (_, index) => step(`r${index}`, 120)).flat()
  const long = `Look. ${'Mind the words. '.repeat(2000)}`
  const test = await startSession([said('u', 'user', long), ...step('a', 3000), ...step('b', 400), ...recent])
  opened.push(test)
  let now = noon
  let rules: string | null = 'Be kind.'
  let { session } = test
  let context = more
  const build = () =>
    buildRequest(
      contextFor({
        session,
        config: priced,
        policies: specPolicies,
        context: { model, now: () => now, rules: () => Promise.resolve(rules), ...context },
      }),
    )
  return {
    session: () => session,
    build,
    pass: (milliseconds: number): void => void (now += milliseconds),
    setRules: (text: string | null): void => void (rules = text),
    change: (other: Partial<AskContext>): void => void (context = { ...context, ...other }),
    say: (...messages: readonly Message[]) => session.append(messages.map((message) => ({ type: 'message', message }))),
    send: async (
      usage: unknown = { prompt_tokens: 9000, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8000 } },
    ) => {
      const { request } = await build()
      const id = await recordRequest(session, request, { model: model.name })
      await recordUsage(session, id, usage)
      return request
    },
    /** As after a crash: whatever was not written is gone. */
    reopen: async (): Promise<void> => {
      await session.close()
      session = await openSession(test.sessions, session.id)
      opened.push({ ...test, session, close: () => session.close() })
    },
  }
}

/** A new round: what came before is old, and proposed to be shown as digests. */
const nextRound = [said('w', 'assistant', 'Seen.'), said('v', 'user', 'Go on.')]
const waitingIn = ({ waiting }: Report) => waiting.map(({ message }) => message)

describe('the agent goes by money', () => {
  it('delays a change of cached content, and reports why', async () => {
    const { send, say, pass } = await begin()
    await send()
    await say(...nextRound)
    pass(minute)
    const { report, edits } = await send()
    expect(waitingIn(report)).toEqual(['a', 'b'])
    expect(report.timing).toMatchObject({ decision: 'waits', cold: null, lifetimeSeconds: 300 })
    expect(edits.filter(({ policy }) => policy === 'compress-old-results')).toEqual([])
  })

  it.each<[name: string, setUp: (place: Awaited<ReturnType<typeof begin>>) => Promise<unknown> | void, cold: string]>([
    ['after a pause', ({ pass }) => pass(6 * minute), 'idle'],
    ['with another prompt', ({ change }) => change({ system: 'Other words.' }), 'prefix'],
    ['with other tools', ({ change }) => change({ tools: [{ name: 'x', description: '', inputSchema: {} }] }), 'prefix'],
  ])('applies all changes if the cache is cold: %s', async (_name, setUp, cold) => {
    const place = await begin()
    await place.send()
    await place.say(...nextRound)
    await setUp(place)
    const { report } = await place.send()
    expect([waitingIn(report), report.timing?.cold]).toEqual([[], cold])
    expect(report.edits.map(({ policy }) => policy)).toContain('compress-old-results')
  })

  it.each<[name: string, model: ModelClient]>([
    ['one that costs the same cached and not', clientFor('http://127.0.0.1:9/v1', { prices: { test: { input: 1, output: 2 } } })],
  ])('changes everything at once with %s', async (_name, model) => {
    const { send, say } = await begin(model)
    await send()
    await say(...nextRound)
    expect((await send()).report.waiting).toEqual([])
  })

  it('spares the cache of a server on this machine, whose model has no price', async () => {
    const { send, say } = await begin(clientFor('http://127.0.0.1:9/v1'))
    await send()
    await say(...nextRound)
    expect((await send()).report.waiting).not.toEqual([])
  })

  it('announces changed rules after the conversation, and moves them to their place when that costs nothing', async () => {
    const { send, setRules, build, pass, say } = await begin()
    await send()
    setRules('Be kind.\nBe quick.')
    await say(...nextRound)
    const warm = await send()
    expect(warm.layers).toMatchObject({ rules: 'Be kind.', announcement: expect.stringContaining('Be quick.') })
    expect(warm.report.timing?.cold).toBeNull()
    pass(6 * minute)
    const { layers } = (await build()).request
    expect([layers['rules'], layers['announcement']]).toEqual(['Be kind.\nBe quick.', undefined])
  })

  it('knows its ledger after a crash as before: debts, bank, and what the cache has taught', async () => {
    const { send, say, pass, session, reopen, build } = await begin()
    await send()
    await say(...nextRound)
    // After seven minutes the prompt should have left the cache, but has not.
    pass(7 * minute)
    const { ledger } = await send({ prompt_tokens: 9000, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8900 } })
    expect(ledger.expected).toMatchObject({ gapSeconds: 420 })
    await say(said('x', 'assistant', 'Yes.'), ...step('c', 20), said('y', 'user', 'More.'))
    pass(minute)
    await send()
    const before = session().state()
    expect(before.ledger.learned).toEqual({ atLeastSeconds: 420, atMostSeconds: null, zeroReads: 0 })
    expect(Object.keys(before.ledger.debts).length).toBeGreaterThan(0)
    const next = (await build()).request
    await reopen()
    expect(session().state().ledger).toEqual(before.ledger)
    const again = (await build()).request
    expect([again.messages, again.ledger, again.report.timing]).toEqual([next.messages, next.ledger, next.report.timing])
    expect(again.report.timing).toMatchObject({ lifetimeSeconds: 840, cold: null })
  })

  it('is not charged for a request that was never answered', async () => {
    const { send, say, session, build } = await begin()
    await send()
    const { ledger } = session().state()
    await say(...nextRound)
    const { request } = await build()
    await recordRequest(session(), request, { model: 'test' })
    expect(session().state().ledger).toEqual(ledger)
    expect(request.ledger).not.toEqual(ledger)
  })

  it('follows the configured timing if there is one', async () => {
    const { send, say, change } = await begin()
    await send()
    await say(...nextRound)
    change({ config: completeConfig({ ...priced, timing: 'immediate' }) })
    const { report } = await send()
    expect([report.waiting, report.timing]).toEqual([[], null])
  })
})
