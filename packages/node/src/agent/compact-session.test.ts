import {
  applyEdits,
  buildView,
  checkView,
  completeConfig,
  countMessages,
  type Entry,
  estimator,
  type Message,
  type PartialConfig,
  type SessionState,
  type SummaryWriter,
  specPolicies,
} from '@plimsoll/core'
import { afterEach, describe, expect, it } from 'vitest'
import { createLocalModel } from '../model/local-model.ts'
import { createModelWriter } from '../model/summary-writer.ts'
import { changedFile, correction, failure, instruction, longConversation } from '../model/testing/long-conversation.ts'
import { type Answer, type OpenAiServer, startOpenAiServer } from '../model/testing/openai-server.ts'
import type { OpenSession } from '../session/session.ts'
import { type CompactOptions, compactSession } from './compact-session.ts'
import type { AgentEvent } from './events.ts'
import { startSession, type TestSession } from './testing/start-session.ts'
import { undoCompaction } from './undo-compaction.ts'

/** A summary that has the form and knows nothing of the file, the instruction, the correction or the failure. */
const forgetful = `## 📌 Archived Session Summary
*(Contains context from Monday to Tuesday)*

### 🎯 Objectives & Status
* **Original Goal**: Build all parts of the tree

### 🏗️ Technical Context (Static)
* **Stack**: a compiler
* **Environment**: make

### ✅ Completed Milestones (The "Done" Pile)
* [✓] The first parts - built without trouble, says the model

### 🧠 Key Insights & Decisions (Persistent Memory)
* **Decisions**: one part at a time
* **Learnings**: none
* **User Preferences**: none

### 📂 File System State (Snapshot)
*(Modified files in this archive segment)*
* none
`
const good: Answer = { kind: 'text', text: forgetful }
const hanging: Answer = { kind: 'hang', text: '## 📌 Archived' }
const page = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'
const refusal = '{"error":{"message":"maximum context length is 4096 tokens","code":"context_length_exceeded"}}'
const at = Date.UTC(2026, 0, 5, 12)

const opened: TestSession[] = []
const servers: OpenAiServer[] = []

afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
  for (const server of servers.splice(0)) await server.close()
})

async function start(messages: readonly Message[] = longConversation()): Promise<OpenSession> {
  const session = await startSession(messages)
  opened.push(session)
  return session.session
}

interface Setting {
  readonly config?: PartialConfig
  readonly answers?: readonly [Answer, ...Answer[]]
  readonly writer?: SummaryWriter | null
  readonly options?: Partial<CompactOptions>
}

async function compact(session: OpenSession, { config, answers, writer = null, options }: Setting) {
  const events: AgentEvent[] = []
  const server = answers === undefined ? null : await startOpenAiServer(...answers)
  if (server !== null) servers.push(server)
  const model = server === null ? null : createLocalModel({ model: 'small', url: server.url, environment: {} })
  const outcome = await compactSession(session, {
    config: completeConfig(config),
    writer: model === null ? writer : createModelWriter({ model, maxInputTokens: 100_000 }),
    emit: (event) => events.push(event),
    now: at,
    ...options,
  })
  const notices = events.flatMap((event) => (event.type === 'notification' ? [event.data.message] : []))
  return { outcome, events, notices, requests: server?.requests ?? [] }
}

function entriesOf(session: OpenSession): readonly (Entry | null)[] {
  return session.heads().map(({ id }) => session.entry(id))
}

function nextView({ messages, edits, sent }: SessionState): readonly Message[] {
  return buildView({ messages, edits, sent, policies: specPolicies, facts: { now: at } }).view
}

function textOf(message: Message | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

function summaryOf(session: OpenSession): string {
  return textOf(session.state().messages.find(({ summary }) => summary === true))
}

/** Every fault: how the model answers, what is said, and what stands in the place of the older rounds by default. */
const faults: readonly (readonly [name: string, answers: readonly [Answer, ...Answer[]], code: string])[] = [
  ['hangs', [hanging], 'summary_timed_out'],
  ['returns nothing', [{ kind: 'text', text: '' }], 'summary_empty'],
  ['returns more than it got', [{ kind: 'endless', text: `${forgetful}\n` }], 'summary_longer'],
  ['returns a page as its text', [{ kind: 'text', text: page }], 'summary_error_text'],
  [
    'answers with a page',
    [{ kind: 'body', status: 200, body: page, headers: { 'content-type': 'text/html' } }],
    'summary_failed',
  ],
  ['answers 429', [busy(429)], 'summary_failed'],
  ['answers 500', [busy(500)], 'summary_failed'],
  ['is over its window, twice', [{ kind: 'body', status: 400, body: refusal }], 'summary_overflow'],
  ['cuts the connection', [{ kind: 'cut', text: forgetful.slice(0, 300) }], 'summary_failed'],
  [
    'returns prose',
    [{ kind: 'text', text: 'We built a few parts, and it went rather well, I should say.' }],
    'summary_no_template',
  ],
]

function busy(status: number): Answer {
  return { kind: 'body', status, body: '{"error":{"message":"busy"}}', headers: { 'retry-after-ms': '1' } }
}

const quick: PartialConfig = { compaction: { timeout_seconds: 0.3 } }
const quickNone: PartialConfig = { compaction: { timeout_seconds: 0.3, fallback: 'none' } }

describe('compactSession with a model', () => {
  it('R004-35 R004-51 folds whole rounds into a summary message and keeps the latest ten rounds', async () => {
    const session = await start()
    const before = entriesOf(session)
    const { outcome, notices } = await compact(session, { answers: [good] })
    const state = session.state()
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'summary', failure: null })
    expect(notices).toEqual([])
    const [summary, ...kept] = state.messages
    expect(summary).toMatchObject({ role: 'system', summary: true })
    expect(kept).toEqual(longConversation().slice(4 * 4))
    expect(entriesOf(session).slice(0, before.length)).toEqual(before)
    expect(
      entriesOf(session)
        .slice(before.length)
        .map((entry) => entry?.type),
    ).toEqual(['edits', 'note'])
    expect(checkView(nextView(state))).toEqual([])
  })

  it('R004-31 tells when it begins, how far it is, and how it ended', async () => {
    const session = await start()
    const tokensBefore = countMessages(session.state().messages, estimator)
    const { events } = await compact(session, { answers: [good] })
    const tokensAfter = countMessages(session.state().messages, estimator)
    const folded = countMessages(longConversation().slice(0, 16), estimator)
    expect(events.filter(({ type }) => type !== 'compaction_progress')).toEqual([
      { type: 'compaction_start', data: { rounds: { folded: 4, kept: 10 }, messages: 16, tokens: folded, writer: 'model' } },
      { type: 'compaction_end', data: { outcome: 'compacted', kept: 'summary', tokensBefore, tokensAfter } },
    ])
    const progress = events.flatMap((event) => (event.type === 'compaction_progress' ? [event.data.written] : []))
    expect(progress).toEqual([200, 400])
    expect(tokensAfter).toBeLessThan(tokensBefore)
  })

  it('adds what the model forgot: the file, the user’s words, the failure, and how to have it all back', async () => {
    const session = await start()
    await compact(session, { answers: [good] })
    const summary = summaryOf(session)
    for (const kept of [changedFile, instruction, correction, failure, 'built without trouble, says the model'])
      expect(summary).toContain(kept)
    expect(summary).toMatch(/\[16 messages folded; recall [0-9a-f]{12}\]$/)
  })

  it('shortens what it sends once when the model’s window is too small, and then has its summary', async () => {
    const session = await start()
    const { outcome, requests } = await compact(session, { answers: [{ kind: 'body', status: 400, body: refusal }, good] })
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'summary' })
    expect(requests).toHaveLength(2)
  })

  it('writes the fold with what it did to the size, and the note that it worked, in one go', async () => {
    const session = await start()
    const { outcome } = await compact(session, { answers: [good] })
    if (outcome.kind !== 'compacted') throw new Error('expected a compaction')
    const [edits, note] = entriesOf(session).slice(-2)
    expect(edits).toMatchObject({ type: 'edits', apply: [outcome.fold], report: [outcome.report] })
    expect(note).toMatchObject({ code: 'compaction', data: { writer: 'succeeded', effective: true, kept: 'summary' } })
    expect(outcome.report).toMatchObject({ policy: 'compaction', kind: 'fold', message: 'r0-question', cache: 'free' })
    expect(outcome.report.tokensAfter).toBeLessThan(outcome.report.tokensBefore)
  })

  it('R001-24 R001-26 trims what was kept at the next send, with a summary before it', async () => {
    const session = await start()
    await compact(session, { answers: [good] })
    const view = nextView(session.state())
    const texts = view.flatMap(({ parts }) =>
      parts.map((part) => (part.type === 'tool-result' ? JSON.stringify(part.content) : '')),
    )
    expect(view[0]?.summary).toBe(true)
    expect(texts.filter((text) => text.includes('此命令返回内容已过时')).length).toBeGreaterThan(0)
  })
})

describe.each(faults)('compactSession with a model that %s', (_name, answers, code) => {
  it('Q-28 keeps an outline by default, says why, and loses no entry', async () => {
    const session = await start()
    const before = entriesOf(session)
    const tokensBefore = countMessages(nextView(session.state()), estimator)
    const { outcome, events } = await compact(session, { answers, config: quick })
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'outline', failure: { code } })
    const codes = events.flatMap((event) => (event.type === 'notification' ? [event.data.code] : []))
    expect(codes).toEqual([code, 'outline_kept'])
    expect(entriesOf(session).slice(0, before.length)).toEqual(before)
    expect(entriesOf(session).slice(before.length)).toMatchObject([
      { type: 'failure', kind: code },
      { type: 'edits' },
      { type: 'note', data: { writer: 'failed' } },
    ])
    expect(summaryOf(session)).toContain(instruction)
    expect(summaryOf(session)).toContain(changedFile)
    const view = nextView(session.state())
    expect(checkView(view)).toEqual([])
    expect(countMessages(view, estimator)).toBeLessThan(tokensBefore)
  })

  it('Q-28 shows the recent rounds alone where no fallback is wanted, and can still summarise later', async () => {
    const session = await start()
    const before = entriesOf(session)
    const first = await compact(session, { answers, config: quickNone })
    expect(first.outcome).toMatchObject({ kind: 'compacted', kept: 'notice' })
    const [notice, ...kept] = session.state().messages
    expect(textOf(notice)).toMatch(/^.+ keeping recent history only\.\n\[16 messages folded; recall [0-9a-f]{12}\]$/)
    expect(kept).toEqual(longConversation().slice(16))
    expect(entriesOf(session).slice(0, before.length)).toEqual(before)
    expect(checkView(nextView(session.state()))).toEqual([])

    const second = await compact(session, { answers: [good], options: { force: true } })
    expect(second.outcome).toMatchObject({ kind: 'compacted', kept: 'summary' })
    expect(summaryOf(session)).toContain(instruction)
    expect(session.state().folds).toHaveLength(1)
    expect(session.state().messages.slice(1)).toEqual(longConversation().slice(16))
  })
})

describe('compactSession when time is up', () => {
  it('R004-32 Q-28c shows the notice exactly, and a second line that an outline was kept', async () => {
    const { notices } = await compact(await start(), { answers: [hanging], config: quick })
    expect(notices).toEqual([
      'Summary generation timed out, keeping recent history only.',
      'An outline of the older rounds, taken from the log, was kept in place of a summary.',
    ])
  })

  it('R004-32 Q-28c shows the notice alone where no fallback is wanted, and so does the model', async () => {
    const session = await start()
    const { notices } = await compact(session, { answers: [hanging], config: quickNone })
    expect(notices).toEqual(['Summary generation timed out, keeping recent history only.'])
    expect(summaryOf(session).split('\n')[0]).toBe('Summary generation timed out, keeping recent history only.')
  })

  it('R004-32 does not wait for a writer that does not listen', async () => {
    const session = await start()
    const { outcome } = await compact(session, { writer: () => new Promise(() => {}), config: quick })
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'outline', failure: { code: 'summary_timed_out' } })
  })

  it('takes over the rounds of one notice into the next, and all of them into a summary', async () => {
    const session = await start()
    await compact(session, { answers: [hanging], config: quickNone })
    const more = longConversation(20).slice(14 * 4)
    await session.append(more.map((message) => ({ type: 'message', message })))
    await compact(session, { answers: [hanging], config: quickNone })
    expect(session.state().folds).toHaveLength(1)
    expect(session.state().messages.slice(1)).toEqual(longConversation(20).slice(10 * 4))
    const { outcome } = await compact(session, { options: { force: true } })
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'outline' })
    expect(summaryOf(session)).toMatch(/\[40 messages folded; recall [0-9a-f]{12}\]$/)
    expect(await undoCompaction(session)).not.toBeNull()
    expect(session.state().messages).toEqual(longConversation(20))
  })
})

describe('compactSession without a model', () => {
  it('writes an outline at once and has nothing to excuse', async () => {
    const session = await start()
    const { outcome, notices, events } = await compact(session, {})
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'outline', failure: null })
    expect(notices).toEqual([])
    expect(events[0]).toMatchObject({ type: 'compaction_start', data: { writer: 'outline' } })
  })

  it('folds again only what has come since, and leaves the first summary as it is', async () => {
    const session = await start()
    await compact(session, {})
    const [first] = session.state().messages
    await session.append(
      longConversation(24)
        .slice(14 * 4)
        .map((message) => ({ type: 'message', message })),
    )
    await compact(session, {})
    const { messages, folds } = session.state()
    expect(messages[0]).toEqual(first)
    expect(folds).toHaveLength(2)
    expect(messages.slice(2)).toEqual(longConversation(24).slice(14 * 4))
  })

  it.each([
    ['too few rounds', longConversation(10), {}],
    ['no messages at all', [], {}],
    ['a keepRounds that covers everything', longConversation(), { keepRounds: 14 }],
  ])('leaves a session with %s alone', async (_name, messages, options) => {
    const session = await start(messages)
    const before = entriesOf(session)
    const { outcome, events } = await compact(session, { options })
    expect(outcome).toEqual({ kind: 'unchanged', reason: 'nothing-to-fold', failure: null })
    expect(events).toEqual([])
    expect(entriesOf(session)).toEqual(before)
  })

  it('keeps as many rounds as it is told', async () => {
    const session = await start()
    await compact(session, { options: { keepRounds: 3 } })
    expect(session.state().messages.slice(1)).toEqual(longConversation().slice(11 * 4))
  })

  it('keeps a round that the user pinned', async () => {
    const session = await start()
    await session.append([{ type: 'edits', pin: ['r0-result'] }])
    await compact(session, {})
    expect(session.state().messages.slice(0, 4)).toEqual(longConversation().slice(0, 4))
  })
})

describe('compactSession and what goes wrong again and again', () => {
  const small = longConversation().map((message): Message => ({ ...message, parts: message.parts.map(short) }))

  function short(part: Message['parts'][number]): Message['parts'][number] {
    return part.type === 'tool-result' ? { ...part, content: { type: 'text', text: 'ok' } } : part
  }

  it('does nothing when a summary would be no smaller, and stops after two such times', async () => {
    const session = await start(small)
    const state = session.state()
    const options = { keepRounds: 13 }
    for (const reason of ['not-smaller', 'not-smaller', 'stopped', 'stopped']) {
      const { outcome } = await compact(session, { options })
      expect(outcome).toMatchObject({ kind: 'unchanged', reason })
    }
    expect(session.state().messages).toEqual(state.messages)
    const { notices } = await compact(session, { options })
    expect(notices).toEqual([expect.stringContaining('The last compactions made the context no smaller')])
    expect((await compact(session, { options: { ...options, force: true } })).outcome).toMatchObject({ reason: 'not-smaller' })
  })

  it('Q-24 asks a model that failed three times in a row no more, until a person does', async () => {
    const session = await start(longConversation(40))
    let asked = 0
    const writer: SummaryWriter = () => {
      asked += 1
      return Promise.reject(new Error('out of order'))
    }
    for (const keepRounds of [35, 30, 25, 20]) await compact(session, { writer, options: { keepRounds } })
    expect(asked).toBe(3)
    const { outcome, notices } = await compact(session, { writer, options: { keepRounds: 15 } })
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'outline', failure: { code: 'summary_not_asked' } })
    expect(notices[0]).toContain('The model failed three times in a row')
    await compact(session, { answers: [good], options: { keepRounds: 12, force: true } })
    await compact(session, { writer, options: { keepRounds: 10 } })
    expect(asked).toBe(4)
  })
})

describe('compactSession when it is stopped', () => {
  it.each([
    ['before', true],
    ['during', false],
  ])('leaves the session as it was when cancelled %s the answer', async (_name, early) => {
    const session = await start()
    const before = entriesOf(session)
    const stop = new AbortController()
    if (early) stop.abort()
    const emit = (event: AgentEvent) => {
      ends.push(event)
      if (event.type === 'compaction_progress') stop.abort()
    }
    const ends: AgentEvent[] = []
    const hangingLate: Answer = { kind: 'hang', text: forgetful.slice(0, 500) }
    const { outcome } = await compact(session, { answers: [hangingLate], options: { signal: stop.signal, emit } })
    expect(outcome).toEqual({ kind: 'cancelled' })
    expect(ends.at(-1)).toMatchObject({ type: 'compaction_end', data: { outcome: 'cancelled' } })
    expect(entriesOf(session)).toEqual(before)
  })

  it('leaves alone what somebody went back behind meanwhile', async () => {
    const session = await start()
    const writer: SummaryWriter = async () => {
      await session.append([{ type: 'rewind', parentId: 'r1-answer', left: session.state().leaf }])
      return forgetful
    }
    const { outcome } = await compact(session, { writer })
    expect(outcome).toMatchObject({ kind: 'unchanged', reason: 'session-changed' })
    expect(session.state().messages).toEqual(longConversation(2))
  })

  it('folds what was there when more was said meanwhile', async () => {
    const session = await start()
    const writer: SummaryWriter = async () => {
      await session.append(
        longConversation(15)
          .slice(56)
          .map((message) => ({ type: 'message', message })),
      )
      return forgetful
    }
    expect((await compact(session, { writer })).outcome).toMatchObject({ kind: 'compacted', kept: 'summary' })
    expect(session.state().messages.slice(1)).toEqual(longConversation(15).slice(16))
  })
})

describe('undoCompaction', () => {
  it('shows the rounds again as they were', async () => {
    const session = await start()
    const { outcome } = await compact(session, {})
    if (outcome.kind !== 'compacted') throw new Error('expected a compaction')
    expect(await undoCompaction(session)).toEqual(outcome.fold)
    expect(session.state().messages).toEqual(longConversation())
    expect(await undoCompaction(session)).toBeNull()
    expect(applyEdits(session.state().messages, [outcome.fold])[0]).toEqual(outcome.fold.into)
  })

  it('takes back the latest of several, and one can compact again', async () => {
    const session = await start(longConversation(24))
    await compact(session, { options: { keepRounds: 18 } })
    await compact(session, {})
    await undoCompaction(session)
    expect(session.state().folds).toHaveLength(1)
    await compact(session, {})
    expect(session.state().folds).toHaveLength(2)
  })
})
