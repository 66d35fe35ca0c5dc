import type { Message } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { countMessages } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import type { ReadLog, ReadSession } from '../logs/log-reader.ts'
import { readLogText } from '../logs/read-log.ts'
import { agentRecordings } from '../logs/testing/agent-recordings.ts'
import { preservedLines } from '../logs/testing/preserved-log.ts'
import { recordings as firstRecordings, linesOf } from '../logs/testing/recordings.ts'
import { sampledEstimator } from '../model/sampled-tokenizer.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { inspectLog, openInspectedLog } from './inspect-log.ts'

const options = {
  config: completeConfig({}),
  isWindowSet: false,
  day: '2026-01-05',
  id: 'x.1',
  format: 'claude-code',
  bytes: 9,
}
const said = (id: string, role: Message['role'], text: string, minute: number, more: Partial<Message> = {}): Message => ({
  id,
  role,
  parts: [{ type: 'text', text }],
  at: minute * 60_000,
  ...more,
})
const usage = (cacheRead: number, cacheWrite: number) => ({ input: 10, cacheRead, cacheWrite, output: 5 })

/** Two rounds, the second after a long pause, the agent's own summary, and a third round. */
const session: ReadSession = {
  id: 's',
  title: 'A talk',
  model: 'claude-sonnet-5.5',
  messages: [
    said('u1', 'user', 'one', 0),
    said('a1', 'assistant', 'first', 1),
    said('u2', 'user', 'two', 30),
    said('a2', 'assistant', 'second', 31),
    said('s', 'user', 'It was about two things.', 32, { summary: true }),
    said('u3', 'user', 'three', 33),
    said('a3', 'assistant', 'third', 34),
  ],
  usages: [
    { after: 'a1', usage: usage(0, 20_000), model: 'claude-sonnet-5.5' },
    { after: 'a2', usage: usage(0, 20_050), model: null },
    { after: 'a3', usage: usage(0, 19_000), model: 'claude-opus-5.5' },
  ],
  compactions: 1,
  sidechains: 0,
  abandoned: 0,
}

describe('inspectLog', () => {
  const { inspection, sent } = inspectLog(session, options)

  it('has a window that is at least as large as the prompts that were answered, unless the user set one', () => {
    const large = { ...session, usages: [{ after: 'a1', usage: usage(150_000, 100_000), model: 'claude-haiku-4-5' }] }
    const window = (isWindowSet: boolean) => inspectLog(large, { ...options, isWindowSet }).inspection.requests[0]?.fill.window
    expect([window(false), window(true)]).toEqual([1_000_000, completeConfig({}).context_window])
  })

  it('has what cost most: reads of an unchanged file, lost caches with their cause, and large results', () => {
    const read = (id: string, minute: number): readonly Message[] => [
      said(`u${id}`, 'user', 'Look.', minute),
      {
        ...said(`a${id}`, 'assistant', '', minute),
        parts: [{ type: 'tool-call', callId: id, tool: 'Read', input: { file_path: '/cart.ts' } }],
      },
      {
        ...said(`r${id}`, 'tool', '', minute),
        parts: [
          { type: 'tool-result', callId: id, tool: 'Read', content: { type: 'text', text: 'const total = 1\n'.repeat(2000) } },
        ],
      },
    ]
    const minutes = [0, 1, 2, 30]
    const { findings = [] } = inspectLog(
      {
        ...session,
        messages: minutes.flatMap((minute, index) => read(`${index}`, minute)),
        usages: minutes.map((minute, index) => ({
          after: `a${index}`,
          usage: minute === 30 ? usage(0, 60_000) : usage(20_000 * index, 20_000),
          model: 'claude-opus-5',
        })),
      },
      options,
    ).inspection
    expect(findings.map(({ kind }) => kind).toSorted()).toEqual(['pause', 'reads', 'result'])
    // Each with its place: the last read, the request after the pause, and the result.
    expect(findings.find(({ kind }) => kind === 'reads')).toMatchObject({ about: '/cart.ts', count: 3, times: 4, message: 11 })
    expect(findings.find(({ kind }) => kind === 'pause')).toMatchObject({ pauseSeconds: 28 * 60, at: 30 * 60_000, request: 3 })
    expect(findings.find(({ kind }) => kind === 'result')?.message).toBeGreaterThan(0)
    expect(findings.map(({ dollars }) => dollars)).toEqual(findings.map(({ dollars }) => dollars).toSorted((a, b) => b - a))
  })

  it('has the cost of answers that are not among the messages apart', () => {
    const other = { at: 60_000, usage: usage(0, 1_000_000), model: 'claude-opus-5' }
    const { cost } = inspectLog({ ...session, otherUsages: [other, { ...other, cost: 2 }] }, options).inspection.session
    expect(cost).toEqual({ ...inspection.session.cost, elsewhere: expect.closeTo(8.25, 2) })
  })

  it('makes a request for each answer, with everything before it since the last summary', () => {
    expect(inspection.requests.map(({ id, last, model, isCompacted }) => [id, last, model, isCompacted])).toEqual([
      ['r0', 0, 'claude-sonnet-5.5', false],
      ['r1', 2, 'claude-sonnet-5.5', false],
      ['r2', 5, 'claude-opus-5.5', true],
    ])
    expect(['r0', 'r1', 'r2', 'r3'].map((id) => sent(id)?.map((message) => message.id) ?? null)).toEqual([
      ['u1'],
      ['u1', 'a1', 'u2'],
      ['s', 'u3'],
      null,
    ])
    expect(inspection.messages.shown.map((tokens) => tokens > 0)).toEqual([false, false, false, false, true, true, false])
  })

  it("uses the provider's count, and counts tokens that the log does not have as system prompt", () => {
    expect(inspection.requests.map(({ fill }) => [fill.tokens, fill.source])).toEqual([
      [20_010, 'usage'],
      [20_060, 'usage'],
      [19_010, 'usage'],
    ])
    expect(inspection.requests.every(({ fill }) => (fill.categories.system ?? 0) > 18_000)).toBe(true)
    expect(inspection.fill.categories.summaries).toBeGreaterThan(0)
  })

  it('finds what broke the cache', () => {
    expect(inspection.requests.map(({ broken }) => broken)).toEqual([
      null,
      { message: null, policy: null, reason: 'idle', tokens: 20_000 },
      { message: null, policy: null, reason: 'model', tokens: 19_010 },
    ])
    const same = { ...session, usages: session.usages.map((one) => ({ ...one, model: null })) }
    const { requests } = inspectLog(same, options).inspection
    expect(requests[2]?.broken).toEqual({ message: 4, policy: null, reason: 'fold', tokens: 19_010 })
  })

  it('returns no edits, and a cost if the model has a price', () => {
    expect([inspection.edits, inspection.session.isOwn, inspection.session.cost.unpriced]).toEqual([[], false, 0])
    expect(inspection.session.cost.dollars).toBeGreaterThan(0)
    const unknown = { ...session, model: 'unknown-model', usages: session.usages.map((one) => ({ ...one, model: null })) }
    expect(inspectLog(unknown, options).inspection.session.cost).toEqual({ dollars: 0, unpriced: 3 })
    const silent = { ...session, usages: [] }
    expect(inspectLog(silent, options).inspection.session.cost).toMatchObject({ dollars: 0, unpriced: 3, unreported: 3 })
    const charged = { ...unknown, usages: unknown.usages.map((one) => ({ ...one, cost: 0.25 })) }
    expect(inspectLog(charged, options).inspection.session.cost).toEqual({
      dollars: expect.closeTo(0.75, 9) as number,
      unpriced: 0,
    })
  })

  it.each([...firstRecordings, ...agentRecordings])('adds up each request in a log of $name', async ({ text }) => {
    const { value } = await readLogText(text)
    for (const one of value?.sessions ?? []) {
      const { inspection: found, sent: sentIn } = inspectLog({ ...one, usages: [] }, options)
      expect(found.messages.ids.length).toBe(one.messages.length)
      for (const { id, fill } of found.requests) {
        expect(fill.tokens).toBe(countMessages(sentIn(id) ?? [], sampledEstimator))
        expect(Object.values(fill.categories).reduce((sum, tokens) => sum + tokens, 0)).toBe(fill.tokens)
      }
    }
  })
})

describe('inspectLog, with a Claude Code compaction that kept messages,', () => {
  const readPreserved = async () => (await readLogText(linesOf(preservedLines))).value?.sessions[0] as ReadSession

  it('shows the summary, the kept messages and later ones after the compaction', async () => {
    const { inspection, sent, mismatch } = inspectLog(await readPreserved(), options)
    const compacted = inspection.requests.filter(({ isCompacted }) => isCompacted)
    expect(
      compacted.map(({ id }) =>
        sent(id)
          ?.map((message) => message.id)
          .join(' '),
      ),
    ).toEqual(['k1 a3 v2 u2'])
    expect(mismatch).toBeNull()
    const shown = inspection.messages.ids.filter((_, index) => (inspection.messages.shown[index] ?? 0) > 0)
    expect(shown.join(' ')).toBe('a3 k1 v2 u2 a4 r3 a5 r4 a6 u3')
  })

  it('estimates about as many tokens as the provider reported for every request', async () => {
    const read = await readPreserved()
    const reported = inspectLog(read, options).inspection.requests
    const estimated = inspectLog({ ...read, usages: [] }, options).inspection.requests
    const [first] = reported
    const instructions = (first?.fill.tokens ?? 0) - (estimated[0]?.fill.tokens ?? 0)
    for (const [index, { fill }] of reported.entries())
      expect(Math.abs(instructions + (estimated[index]?.fill.tokens ?? 0) - fill.tokens) / fill.tokens).toBeLessThan(0.15)
  })

  it('reports that the messages cannot be those that were sent, if the compaction is missed', async () => {
    const read = await readPreserved()
    const missed = { ...read, messages: read.messages.filter(({ summary }) => summary !== true) }
    expect(inspectLog(missed, options).mismatch).toMatchObject({ kind: 'sent-too-much', turns: 4 })
  })
})

const settings = { config: completeConfig({}), isWindowSet: false, day: '2026-01-05' }

async function logProblems(change: (log: ReadLog) => ReadLog, locale: string | null = null): Promise<readonly string[]> {
  const log = change((await readLogText(linesOf(preservedLines))).value as ReadLog)
  const { texts } = await openInspectedLog({ path: 'not-there.jsonl', number: 0, id: 'x', log }, settings)
  return (await texts.inspection(locale)).troubles
}

/** The log as read by a reader that misses compactions. */
function withoutSummaries(log: ReadLog): ReadLog {
  const sessions = log.sessions.map((session) => ({
    ...session,
    messages: session.messages.filter(({ summary }) => summary !== true),
  }))
  return { ...log, sessions }
}

/** The log as read by a reader that misses nearly all results and prompts. */
function withMissingMessages(log: ReadLog): ReadLog {
  const sessions = log.sessions.map((session) => ({
    ...session,
    usages: session.usages.map((one, index) => ({ ...one, usage: { ...one.usage, cacheWrite: index === 0 ? 10 : 90_000 } })),
  }))
  return { ...log, sessions }
}

describe('the problems of an inspected log', () => {
  it('are empty if the reports fit the messages', async () => expect(await logProblems((log) => log)).toEqual([]))

  it('include messages that were probably not sent', async () => {
    const [text, ...more] = await logProblems(withoutSummaries)
    expect(more).toEqual([])
    const times = /[23]\.\d/.exec(text ?? '')?.[0] ?? ''
    expect(text).toBe(stringsFor('en').view.sentTooMuch(4, times))
    expect(await logProblems(withoutSummaries, 'zh')).toEqual([stringsFor('zh').view.sentTooMuch(4, times)])
  })

  it('include messages that are probably missing', async () => {
    const [text = ''] = await logProblems(withMissingMessages)
    expect(text).toBe(stringsFor('en').view.sentTooLittle(4, /\d+\.\d/.exec(text)?.[0] ?? ''))
  })

  it('are not about messages on abandoned branches or of sub-agents, which a note counts', async () => {
    const log = (await readLogText(linesOf(preservedLines))).value as ReadLog
    const left = { ...log, sessions: log.sessions.map((one) => ({ ...one, abandoned: 3, sidechains: 0 })) }
    const { texts } = await openInspectedLog({ path: 'not-there.jsonl', number: 0, id: 'x', log: left }, settings)
    const { troubles, note } = await texts.inspection()
    expect([troubles, note]).toEqual([[], 'Not shown: 3 messages on abandoned branches.'])
  })
})
