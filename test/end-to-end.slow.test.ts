import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkView, type Message, recall, resultText, specPolicies } from '@plimsoll/core'
import { type Config, completeConfig } from '@plimsoll/core/policies'
import { afterAll, expect, it } from 'vitest'
import { compactSession } from '../packages/node/src/agent/compaction/compact-session.ts'
import { type NextRequest, nextRequest } from '../packages/node/src/agent/request/next-request.ts'
import { rebuildRequest, recordRequest, recordUsage } from '../packages/node/src/agent/request/record-request.ts'
import { rewindTo } from '../packages/node/src/session/branch.ts'
import { createSession } from '../packages/node/src/session/create-session.ts'
import { openSession } from '../packages/node/src/session/open-session.ts'
import { recallSourceOf } from '../packages/node/src/session/recall-source.ts'
import type { OpenSession } from '../packages/node/src/session/session.ts'
import { longConversations } from './long-conversations.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-end-to-end-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const config = completeConfig({ context_window: 40_000, compaction: { keep_rounds: 3 } })
// One is enough here: it has to show all of this. The others are compacted elsewhere.
const conversations = (await longConversations()).slice(0, 1)

it.each(conversations)(
  'R000-20 R001-21 R001-22 R001-24 R001-25 R001-27 R001-28 fill, trim, compact, resume, rewind and recall everything: $name',
  async ({ messages }) => {
    const run = await fill(messages)
    const { session, handles, views, compactions } = run
    // The run exercised everything: views were cut, rounds were compacted, and the log was closed and reopened.
    expect(views).toBeGreaterThan(20)
    expect(compactions).toBeGreaterThan(1)
    expect(handles.size).toBeGreaterThan(10)
    expect(run.rewinds).toBe(1)
    expect(run.resumes).toBeGreaterThan(1)

    const messagesInLog = [...session.messages()]
    const stored = new Map(messagesInLog.map((message) => [message.id, message]))
    // Read once, because this test recalls a thousand times.
    const folds = [...recallSourceOf(session).folds()].map(({ messages, into }) => ({ messages, ...(into ? { into } : {}) }))
    const source = { ...recallSourceOf(session), messages: () => messagesInLog, folds: () => folds }
    for (const original of run.appended) {
      for (const part of original.parts) {
        if (part.type !== 'tool-result') continue
        const answer = recall({ id: original.id }, source)
        expect(answer.kind === 'found' ? answer.text : answer, original.id).toBe(resultText(part))
      }
      expect(stored.get(original.id)).toEqual(original)
    }
    for (const handle of handles) {
      const answer = recall({ handle }, source, { facts: { config } })
      expect(answer.kind === 'found' ? answer.original.handle : answer, handle).toBe(handle)
    }
    const requests = session.heads().filter(({ type }) => type === 'request')
    expect(requests.length).toBe(views)
    // Another test checks every request: in a log this long, each one takes as long as reading the log.
    const some = requests.filter((_, index) => index % 6 === 0)
    expect(some.filter(({ id }) => rebuildRequest(session, id)?.isProven !== true)).toEqual([])
    expect(session.troubles()).toEqual([])
    await session.close()
  },
  240_000,
)

interface Run {
  readonly session: OpenSession
  readonly appended: readonly Message[]
  /** The handles of all views. */
  readonly handles: ReadonlySet<string>
  readonly views: number
  readonly compactions: number
  readonly resumes: number
  readonly rewinds: number
}

/** Replays a conversation like an agent: a request before every answer, a compaction when due, an occasional restart. */
async function fill(messages: readonly Message[]): Promise<Run> {
  let clock = messages[0]?.at ?? 0
  const now = () => clock
  let session = await createSession(folder, { now })
  const appended: Message[] = []
  const handles = new Set<string>()
  const count = { views: 0, compactions: 0, resumes: 0, rewinds: 0 }
  const rewindAt = messages.findIndex(({ role }, index) => role === 'user' && index > messages.length * 0.6)
  for (const [index, message] of messages.entries()) {
    clock = Math.max(clock, message.at ?? clock)
    if (index === rewindAt) {
      const earlier = messages.slice(0, index).findLast(({ role }) => role === 'user') as Message
      await rewindTo(session, session.entry(earlier.id)?.parentId ?? session.id)
      expect(session.state().messages.some(({ id }) => id === earlier.id)).toBe(false)
      count.rewinds += 1
    }
    await session.append([{ type: 'message', message }])
    appended.push(message)
    if (messages[index + 1]?.role === 'assistant') {
      let request = ask(session, clock)
      if (request.compactionDue) {
        const outcome = await compactSession(session, { config, writer: null, emit: () => undefined, now: clock })
        if (outcome.kind === 'compacted') count.compactions += 1
        request = ask(session, clock)
      }
      expect(checkView(request.messages)).toEqual([])
      expect(request.report.overflow).toBe(null)
      for (const handle of handlesIn(request.messages)) handles.add(handle)
      const id = await recordRequest(session, request, { model: 'some-model' })
      await recordUsage(session, id, { input_tokens: Math.round(request.report.load.estimate * 1.1), output_tokens: 50 })
      count.views += 1
    }
    if (index % 150 === 149) {
      await session.close()
      session = await openSession(folder, session.id, { now })
      count.resumes += 1
    }
  }
  return { session, appended, handles, ...count }
}

function ask(session: OpenSession, now: number): NextRequest {
  return nextRequest({ state: session.state(), config: config satisfies Config, policies: specPolicies, facts: { now } })
}

function handlesIn(messages: readonly Message[]): readonly string[] {
  const written = messages.map((message) => JSON.stringify(message.parts)).join('\n')
  return [...written.matchAll(/recall(?:\\*": ?\\*")? ?([0-9a-f]{12})\b/g)].map(([, handle]) => handle as string)
}
