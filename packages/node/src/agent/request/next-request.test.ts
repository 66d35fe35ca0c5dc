import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Edit, type Message, specPolicies } from '@plimsoll/core'
import { completeConfig, defaultConfig } from '@plimsoll/core/policies'
import { afterEach, describe, expect, it } from 'vitest'
import { rewindTo } from '../../session/branch.ts'
import { createSession } from '../../session/create-session.ts'
import { openSession } from '../../session/open-session.ts'
import type { OpenSession } from '../../session/session.ts'
import { compactSession } from '../compaction/compact-session.ts'
import { foldedTodos } from '../compaction/compaction-history.ts'
import { startSession, type TestSession } from '../testing/start-session.ts'
import { type NextRequest, nextRequest } from './next-request.ts'
import { rebuildRequest, recordRequest, recordUsage } from './record-request.ts'

const started: TestSession[] = []
afterEach(async () => {
  for (const one of started.splice(0)) await one.close()
})

const start = async (messages: readonly Message[]): Promise<TestSession> => {
  const one = await startSession(messages)
  started.push(one)
  return one
}

const noon = Date.UTC(2026, 0, 5, 12)
const said = (id: string, role: 'user' | 'assistant', text: string): Message => ({
  id,
  role,
  parts: [{ type: 'text', text }],
  at: noon,
})

/** A call and its result. */
function step(id: string, tool: string, input: unknown, text: string): readonly Message[] {
  return [
    { id: `${id}c`, role: 'assistant', parts: [{ type: 'tool-call', callId: id, tool, input }], at: noon },
    { id, role: 'tool', parts: [{ type: 'tool-result', callId: id, tool, content: { type: 'text', text } }], at: noon },
  ]
}

function ask(session: OpenSession, extra: Partial<Parameters<typeof nextRequest>[0]> = {}): NextRequest {
  return nextRequest({ state: session.state(), config: defaultConfig, policies: specPolicies, facts: { now: noon }, ...extra })
}

const build = '{"stdout":"Building project...\\nDone in 3.2s","stderr":"","exitCode":0}'

describe('the next request of a session', () => {
  it('R000-20 R000-29 shows the placeholder, and the stored record stays complete, before and after resuming', async () => {
    const messages = [
      said('u', 'user', 'Build it.'),
      ...step('old', 'terminal-execute', { command: 'npm run build' }, build),
      ...Array.from({ length: 5 }, (_, index) => step(`r${index}`, 'LS', { path: `d${index}` }, 'a.ts')).flat(),
    ]
    const { session, sessions } = await start(messages)
    const later = { facts: { now: noon + 16 * 60_000 } }
    expect(shown(ask(session, later), 'old')).toBe('此命令返回内容已过时')
    expect(session.entry('old')).toMatchObject({ message: messages[2] })
    await session.close()
    const again = await openSession(sessions, session.id)
    expect(again.state().messages).toEqual(messages)
    expect(shown(ask(again, later), 'old')).toBe('此命令返回内容已过时')
    expect(shown(ask(again), 'old')).toBe(build)
    await again.close()
  })

  it('R001-28 has the latest five of seven reads, and two placeholders', async () => {
    const reads = Array.from({ length: 7 }, (_, index) =>
      step(`read${index}`, 'filesystem-read', { filePath: 'a.ts' }, `version ${index}`),
    )
    const { session } = await start([said('u', 'user', 'Look.'), ...reads.flat()])
    const placeholder = '[该文件的历史读取内容已压缩,请参看最新读取结果]'
    expect(reads.map((_, index) => shown(ask(session), `read${index}`))).toEqual([
      placeholder,
      placeholder,
      ...[2, 3, 4, 5, 6].map((index) => `version ${index}`),
    ])
    expect(session.state().messages).toHaveLength(15)
  })

  it('R001-25 counts only the remaining messages after a rewind', async () => {
    const reads = Array.from({ length: 7 }, (_, index) =>
      step(`read${index}`, 'filesystem-read', { filePath: 'a.ts' }, `version ${index}`),
    )
    const { session } = await start([said('u', 'user', 'Look.'), ...reads.flat()])
    await rewindTo(session, 'read4')
    expect(Array.from({ length: 5 }, (_, index) => shown(ask(session), `read${index}`))).toEqual(
      [0, 1, 2, 3, 4].map((index) => `version ${index}`),
    )
  })

  it('R004-4 has the order prompt, rules, conversation, recap, and counts all of it once', async () => {
    const todos = [{ content: 'write tests', status: 'pending' }]
    const { session } = await start([said('u', 'user', 'Go.'), ...step('t', 'TodoWrite', { todos }, 'ok')])
    const request = ask(session, { system: 'You are an agent.', rules: 'Use tabs.' })
    expect(request.messages.map(({ id }) => id)).toEqual(['layer:system', 'layer:rules', 'u', 'tc', 't', 'layer:recap'])
    expect(request.layers).toEqual({
      system: 'You are an agent.',
      rules: 'Use tabs.',
      recap: 'Todo: 1 open, 0 in progress, 0 done\n- [open] write tests',
    })
    const bare = ask(session)
    expect(request.report.load.estimate).toBeGreaterThan(bare.report.load.estimate + 10)
  })

  it('still has the todo list once its round was compacted', async () => {
    const todos = [{ content: 'write tests', status: 'pending' }]
    const rounds = Array.from({ length: 4 }, (_, index) => [
      said(`u${index}`, 'user', `Round ${index}.`),
      ...step(`s${index}`, 'LS', { path: '.' }, 'file.ts\n'.repeat(200)),
      said(`a${index}`, 'assistant', `Done ${index}.`),
    ])
    const { session } = await start([said('u', 'user', 'Plan.'), ...step('t', 'TodoWrite', { todos }, 'ok'), ...rounds.flat()])
    await compactSession(session, { config: defaultConfig, writer: null, emit: () => undefined, keepRounds: 1, force: true })
    const state = session.state()
    expect(state.messages.some(({ id }) => id === 't')).toBe(false)
    expect(ask(session).layers['recap']).toBe(undefined)
    expect(ask(session, { todos: foldedTodos(session, state, {}) }).layers['recap']).toContain('- [open] write tests')
  })

  it('does not read a todo list from the log again that was shown before its round was compacted', async () => {
    const todos = [{ content: 'write tests', status: 'pending' }]
    const rounds = Array.from({ length: 4 }, (_, index) => [
      said(`u${index}`, 'user', `Round ${index}.`),
      ...step(`s${index}`, 'LS', { path: '.' }, 'file.ts\n'.repeat(200)),
      said(`a${index}`, 'assistant', `Done ${index}.`),
    ])
    const { session } = await start([said('u', 'user', 'Plan.'), ...step('t', 'TodoWrite', { todos }, 'ok'), ...rounds.flat()])
    const read: string[] = []
    const entry = (id: string) => {
      read.push(id)
      return session.entry(id)
    }
    const [showing, reading] = [
      { ...session, entry },
      { ...session, entry },
    ]
    expect(foldedTodos(showing, session.state(), {})).toEqual([])
    await compactSession(session, { config: defaultConfig, writer: null, emit: () => undefined, keepRounds: 1, force: true })
    const known = foldedTodos(showing, session.state(), {})
    expect(known.map(({ id }) => id)).toEqual(['tc', 't'])
    expect(read).toEqual([])
    expect(foldedTodos(reading, session.state(), {})).toEqual(known)
    expect(read).toContain('t')
  })

  it('Q-24b reports that compaction is due, even if only the last resort made the request fit', async () => {
    const rounds = Array.from({ length: 30 }, (_, index) => [
      said(`u${index}`, 'user', 'word '.repeat(300)),
      said(`a${index}`, 'assistant', 'Yes.'),
    ])
    const { session } = await start(rounds.flat())
    const due = (window: number) => ask(session, { config: completeConfig({ context_window: window }) }).compactionDue
    expect([200_000, 20_000, 12_000, 8000].map(due)).toEqual([false, false, true, true])
  })
})

describe('a recorded request', () => {
  it('Q-27 is measured without the counts of another model', async () => {
    const { session } = await start([said('u', 'user', 'word '.repeat(3000))])
    const first = ask(session, { model: 'm' })
    const { estimate } = first.report.load
    await recordUsage(session, await recordRequest(session, first, { model: 'm' }), { prompt_tokens: 2 * estimate })
    const load = (model: string) => ask(session, { model }).report.load
    expect(load('m')).toMatchObject({ tokens: 2 * estimate, source: 'usage' })
    expect(load('other')).toMatchObject({ tokens: estimate, source: 'estimate', factor: 1 })
    // A rejection by the other model counts separately.
    const before = session.state()
    const refused = {
      model: 'other',
      estimate,
      usage: { input: 3 * estimate, cacheRead: 0, cacheWrite: 0, output: 0 },
      last: 'u',
    }
    const state = { ...before, measurements: [...before.measurements, refused] }
    expect(ask(session, { model: 'other', state }).report.load).toMatchObject({ tokens: 3 * estimate, source: 'usage' })
  })

  it('Q-28b replaces the oldest summaries by their handles if a limit is set, and can still be rebuilt', async () => {
    const rounds = Array.from({ length: 6 }, (_, index) => [
      said(`u${index}`, 'user', `Round ${index}.`),
      ...step(`s${index}`, 'LS', { path: '.' }, 'file.ts\n'.repeat(400)),
      said(`a${index}`, 'assistant', `Done ${index}.`),
    ])
    const { session } = await start(rounds.slice(0, 3).flat())
    const compact = { config: defaultConfig, writer: null, emit: () => undefined, keepRounds: 1, force: true }
    await compactSession(session, compact)
    await session.append(
      rounds
        .slice(3)
        .flat()
        .map((message) => ({ type: 'message', message })),
    )
    await compactSession(session, compact)
    const texts = (request: NextRequest) =>
      request.messages.filter(({ summary }) => summary === true).map(({ parts }) => JSON.stringify(parts).slice(0, 100))
    expect(texts(ask(session))).toHaveLength(2)
    const config = completeConfig({ compaction: { max_summary_tokens: 1 } })
    const request = ask(session, { config })
    expect(texts(request)).toEqual([expect.stringMatching(/\[2 summaries hidden; recall [0-9a-f]{12}, [0-9a-f]{12}/)])
    const id = await recordRequest(session, request, { model: 'm' })
    expect(rebuildRequest(session, id)?.isProven).toBe(true)
  })

  it('can be rebuilt from the log alone, with its layers, after others came', async () => {
    const { session, sessions } = await start([
      said('u', 'user', 'Look.'),
      ...step('x', 'LS', { path: '.' }, 'entry\n'.repeat(3000)),
    ])
    const first = ask(session, { system: 'Prompt.', rules: 'Rules one.' })
    const id = await recordRequest(session, first, { model: 'some-model', parameters: { temperature: 0 } })
    await recordUsage(session, id, { prompt_tokens: 900, completion_tokens: 10 })
    await session.append([
      { type: 'message', message: said('a', 'assistant', 'Done.') },
      { type: 'message', message: said('v', 'user', 'More.') },
    ])
    const second = ask(session, { system: 'Prompt.', rules: 'Rules two.' })
    const later = await recordRequest(session, second, { model: 'some-model' })
    await session.close()
    const again = await openSession(sessions, session.id)
    expect(rebuildRequest(again, id)).toEqual({ model: 'some-model', messages: first.messages, isProven: true })
    expect(rebuildRequest(again, later)).toEqual({ model: 'some-model', messages: second.messages, isProven: true })
    expect(rebuildRequest(again, 'u')).toBe(null)
    expect(again.state().sent).toBe('x')
    await again.close()
  })

  it('can be rebuilt if an orphan result was removed from its message, which is logged once', async () => {
    const answer = (callId: string) =>
      ({ type: 'tool-result', callId, tool: 'LS', content: { type: 'text', text: callId } }) as const
    const [call] = step('asked', 'LS', { path: '.' }, '')
    const { session } = await start([
      said('u', 'user', 'Look.'),
      call as Message,
      { id: 'r', role: 'tool', parts: [answer('lost'), answer('asked')] },
    ])
    const request = ask(session)
    const written = [
      await recordRequest(session, request, { model: 'm' }),
      await recordRequest(session, ask(session), { model: 'm' }),
    ]
    expect(request.messages.at(-1)?.parts).toEqual([answer('asked')])
    expect(written.map((id) => rebuildRequest(session, id)?.isProven)).toEqual([true, true])
    expect(session.heads().filter(({ type }) => type === 'edits')).toHaveLength(1)
  })

  it('has its layers without secrets if redaction is on, and each is logged once', async () => {
    const sessions = await mkdtemp(join(tmpdir(), 'plimsoll-agent-'))
    const session = await createSession(sessions, { redact: (text) => text.replaceAll('hunter2', '***') })
    started.push({ session, sessions, close: () => session.close().then(() => rm(sessions, { recursive: true })) })
    await session.append([{ type: 'message', message: said('u', 'user', 'Go.') }])
    const system = { system: 'The password is hunter2.' }
    const id = await recordRequest(session, ask(session, system), { model: 'm' })
    await recordRequest(session, ask(session, system), { model: 'm' })
    expect(session.heads().filter(({ type }) => type === 'note')).toHaveLength(1)
    const rebuilt = rebuildRequest(session, id)
    expect(rebuilt?.messages[0]?.parts).toEqual([{ type: 'text', text: 'The password is ***.' }])
    expect(rebuilt?.isProven).toBe(false)
  })

  it('is rebuilt as far as possible from a log that was tampered with, and not verified', async () => {
    const { session } = await start([said('u', 'user', 'Look.'), ...step('x', 'LS', { path: '.' }, 'a.ts')])
    const backwards: Edit = { id: 'f', policy: 'p', why: 'w', kind: 'fold', first: 'x', last: 'u', into: null }
    await session.append([{ type: 'edits', apply: [backwards] }])
    const [request] = await session.append([{ type: 'request', model: 'm', last: 'x', view: '000000000000', estimate: 1 }])
    const rebuilt = rebuildRequest(session, request?.id ?? '')
    expect(rebuilt).toEqual({ model: 'm', messages: session.state().messages, isProven: false })
  })

  it('logs an edit once, and its removal', async () => {
    const { session } = await start([said('u', 'user', 'Look.'), ...step('x', 'LS', { path: '.' }, 'entry\n'.repeat(3000))])
    const count = () => session.heads().filter(({ type }) => type === 'edits').length
    await recordRequest(session, ask(session), { model: 'm' })
    expect(count()).toBe(1)
    await recordRequest(session, ask(session), { model: 'm' })
    expect(count()).toBe(1)
    await recordRequest(session, ask(session, { policies: [], config: completeConfig({ timing: 'immediate' }) }), { model: 'm' })
    expect(session.state().edits).toEqual([])
    expect(count()).toBe(2)
  })
})

function shown({ messages }: NextRequest, id: string): string | null {
  const part = messages.find((message) => message.id === id)?.parts[0]
  return part?.type === 'tool-result' && part.content.type === 'text' ? part.content.text : null
}
