import { dirname } from 'node:path'
import { checkView } from '@plimsoll/core'
import type { SummaryWriter } from '@plimsoll/core/compaction'
import { countMessages, estimator } from '@plimsoll/core/text'
import { afterEach, describe, expect, it } from 'vitest'
import { changedFile, correction, failure, instruction, longConversation } from '../../model/testing/long-conversation.ts'
import type { Answer } from '../../model/testing/openai-server.ts'
import { openSession } from '../../session/open-session.ts'
import { SessionError } from '../../session/session-error.ts'
import type { AgentEvent } from '../../shared/event.ts'
import { compact, endAll, entriesOf, forgetful, good, nextView, refusal, start, summaryOf } from '../testing/compacting.ts'

afterEach(endAll)

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

  it('R004-31 reports its start, its progress and its end', async () => {
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
    const { outcome, requests } = await compact(session, { answers: [refusal, good] })
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

  it('keeps the configured number of rounds', async () => {
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

  it('changes nothing if the user rewound past it meanwhile', async () => {
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

describe('compactSession and a log that cannot be written to', () => {
  it('fails with the error of the log, reports that it ended, and leaves the file unchanged', async () => {
    const session = await start()
    const before = entriesOf(session)
    const { id } = session
    const events: AgentEvent[] = []
    const writer: SummaryWriter = async () => {
      await session.close()
      return forgetful
    }
    await expect(compact(session, { writer, options: { emit: (event) => events.push(event) } })).rejects.toThrow(SessionError)
    expect(events.at(-1)).toMatchObject({ type: 'compaction_end', data: { outcome: 'unchanged', kept: null } })
    const again = await openSession(dirname(session.folder), id)
    expect(entriesOf(again)).toEqual(before)
    await again.close()
  })
})
