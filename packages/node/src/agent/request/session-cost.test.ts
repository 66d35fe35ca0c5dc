import { type Price, priceOf, type Usage } from '@plimsoll/core/bill'
import type { NewEntry } from '@plimsoll/core/session'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rewindTo } from '../../session/branch.ts'
import { readSession } from '../../session/open-session.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import { startSession } from '../testing/start-session.ts'
import { costOfSession, sideUsageEntry } from './session-cost.ts'

const request = (model: string): NewEntry => ({ type: 'request', model, last: null, view: '0', estimate: 10 })
const used = (input: number, cacheRead = 0, cacheWrite = 0, output = 0): Usage => ({ input, cacheRead, cacheWrite, output })

async function begin() {
  const { session, sessions, close } = await startSession([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }] }])
  onTestFinished(close)
  return { session, sessions }
}

async function ask(session: OpenSession, model: string, usage: Usage | null): Promise<void> {
  const [entry] = await session.append([request(model)])
  if (usage !== null) await session.append([{ type: 'usage', request: entry?.id ?? '', usage }])
}

/** The session with a count of the entries that were read. */
function watched(session: StoredSession): { readonly session: StoredSession; readonly reads: () => number } {
  let reads = 0
  const entry: StoredSession['entry'] = (id) => {
    reads += 1
    return session.entry(id)
  }
  return { session: { ...session, entry }, reads: () => reads }
}

const none = { times: 0, dollars: 0 }
const sonnet = priceOf('claude-sonnet-5.5') as Price

describe('costOfSession', () => {
  it('adds up what each model took at its own price, and counts what has none', async () => {
    const { session } = await begin()
    await ask(session, 'anthropic/claude-sonnet-5.5', used(1_000_000, 2_000_000, 100_000, 50_000))
    await ask(session, 'gpt-6-sol', used(500_000))
    await ask(session, 'somebody-elses', used(7))
    await ask(session, 'gpt-6-sol', used(0))
    await ask(session, 'gpt-6-sol', null)
    const { dollars, ...rest } = costOfSession(session, priceOf)
    const long = priceOf('gpt-6-sol')?.longPrompt?.input ?? 1
    expect(dollars).toBeCloseTo(
      sonnet.input + 2 * sonnet.cacheRead + 0.1 * sonnet.cacheWrite + 0.05 * sonnet.output + 1 * long,
      9,
    )
    expect(rest).toEqual({ unpriced: 2, requests: 4, usage: used(1_500_007, 2_000_000, 100_000, 50_000), keepAlive: none })
  })

  it('counts requests outside the conversation at the prices of their models', async () => {
    const { session, sessions } = await begin()
    await ask(session, 'claude-sonnet-5.5', used(1_000_000))
    const what = 'summary'
    await session.append([
      sideUsageEntry({ model: 'claude-sonnet-5.5', usage: used(0, 0, 0, 1_000_000), what, isEstimated: false }),
      sideUsageEntry({ model: 'gpt-6-sol', usage: used(100_000), what: 'result-summary', isEstimated: true }),
      sideUsageEntry({ model: 'somebody-elses', usage: used(7), what: 'prompt-expansion', isEstimated: false }),
    ])
    const { dollars, ...rest } = costOfSession(session, priceOf)
    expect(dollars).toBeCloseTo(sonnet.input + sonnet.output + 0.1 * (priceOf('gpt-6-sol')?.input ?? Number.NaN), 9)
    expect(rest).toEqual({ unpriced: 1, requests: 4, usage: used(1_100_007, 0, 0, 1_000_000), keepAlive: none })
    const stored = await readSession(sessions, session.id)
    onTestFinished(stored.close)
    expect(costOfSession(stored, priceOf)).toEqual({ dollars, ...rest })
  })

  it('keeps a separate account of the cost of keeping prompts alive', async () => {
    const { session } = await begin()
    const note = { model: 'claude-sonnet-5.5', usage: used(0, 1_000_000), what: 'keep-alive', isEstimated: false } as const
    await session.append([sideUsageEntry(note), sideUsageEntry({ ...note, model: 'somebody-elses' })])
    expect(costOfSession(session, priceOf)).toEqual({
      dollars: sonnet.cacheRead,
      unpriced: 1,
      requests: 2,
      usage: used(0, 2_000_000),
      keepAlive: { times: 2, dollars: sonnet.cacheRead },
    })
  })

  it.each<[name: string, data: Readonly<Record<string, unknown>> | undefined]>([
    ['nothing', undefined],
    ['no model', { usage: used(5) }],
    ['a model that is none', { model: 7, usage: used(5) }],
    ['a usage that is none', { model: 'gpt-6-sol', usage: { input: 'many' } }],
    ['a list', { model: 'gpt-6-sol', usage: [1, 2] }],
  ])('takes a note about a call that says %s for none', async (_name, data) => {
    const { session } = await begin()
    await session.append([{ type: 'note', code: 'side-usage', ...(data === undefined ? {} : { data }) }])
    expect(costOfSession(session, priceOf).requests).toBe(0)
  })

  it('counts what was rewound: money spent is spent', async () => {
    const { session, sessions } = await begin()
    await ask(session, 'claude-sonnet-5.5', used(1_000_000))
    await rewindTo(session, 'u')
    await ask(session, 'claude-sonnet-5.5', used(1_000_000))
    expect(costOfSession(session, priceOf)).toEqual({
      dollars: 4,
      unpriced: 0,
      requests: 2,
      usage: used(2_000_000),
      keepAlive: none,
    })
    const stored = await readSession(sessions, session.id)
    onTestFinished(stored.close)
    expect(costOfSession(stored, priceOf)).toEqual(costOfSession(session, priceOf))
  })

  it('costs nothing before anything was asked', async () => {
    const { session } = await begin()
    expect(costOfSession(session, priceOf)).toEqual({ dollars: 0, unpriced: 0, requests: 0, usage: used(0), keepAlive: none })
  })

  it('reads only what is new, and everything again for other prices', async () => {
    const { session } = await begin()
    for (let round = 0; round < 20; round += 1) await ask(session, 'claude-sonnet-5.5', used(1000))
    const { session: seen, reads } = watched(session)
    const price = (model: string) => priceOf(model)
    costOfSession(seen, price)
    expect(reads()).toBe(40)
    await ask(session, 'claude-sonnet-5.5', used(1000))
    expect(costOfSession(seen, price).requests).toBe(21)
    expect(reads()).toBe(42)
    expect(costOfSession(seen, () => null)).toEqual({
      dollars: 0,
      unpriced: 21,
      requests: 21,
      usage: used(21_000),
      keepAlive: none,
    })
  })
})
