import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkView, type Message } from '@plimsoll/core'
import type { SummaryWriter } from '@plimsoll/core/compaction'
import { countMessages, estimator } from '@plimsoll/core/text'
import { afterEach, describe, expect, it } from 'vitest'
import { changedFile, instruction, longConversation } from '../../model/testing/long-conversation.ts'
import type { Answer } from '../../model/testing/openai-server.ts'
import { openSession } from '../../session/open-session.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import {
  compact,
  endAll,
  entriesOf,
  forgetful,
  good,
  hanging,
  nextView,
  quick,
  quickNone,
  refusal,
  start,
  summaryOf,
  textOf,
} from '../testing/compacting.ts'
import { undoCompaction } from './compaction-history.ts'

afterEach(endAll)

const page = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'

/** Every fault: the model's answer, the message, and the default replacement of the older rounds. */
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
  ['is over its window, twice', [refusal], 'summary_overflow'],
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

describe.each(faults)('compactSession with a model that %s', (_name, answers, code) => {
  // Only who waits for nothing is hurried: on a slow machine a fault takes its time, too.
  const isHanging = code === 'summary_timed_out'

  it('Q-28 keeps an outline by default, says why, and loses no entry', async () => {
    const session = await start()
    const before = entriesOf(session)
    const tokensBefore = countMessages(nextView(session.state()), estimator)
    const { outcome, events } = await compact(session, { answers, config: isHanging ? quick : {} })
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
    const first = await compact(session, { answers, config: isHanging ? quickNone : { compaction: { fallback: 'none' } } })
    expect(first.outcome).toMatchObject({ kind: 'compacted', kept: 'notice' })
    const codes = first.events.flatMap((event) => (event.type === 'notification' ? [event.data.code] : []))
    expect(codes).toEqual(code === 'summary_timed_out' ? [code] : [code, 'recent_kept'])
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

function shortRounds(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, round): readonly Message[] => [
    { id: `q${round}`, role: 'user', parts: [{ type: 'text', text: `Question ${round} is about one of many small parts.` }] },
    { id: `a${round}`, role: 'assistant', parts: [{ type: 'text', text: `Answer ${round} is a short one.` }] },
  ]).flat()
}

describe('compactSession when time is up', () => {
  it('R004-32 Q-28c shows the notice exactly, and a second line that an outline was kept', async () => {
    const { notices, events } = await compact(await start(), { answers: [hanging], config: quick })
    const details = events.flatMap((event) => (event.type === 'notification' ? [event.data.details] : []))
    expect(details).toEqual([null, null])
    expect(notices).toEqual(['Summary generation timed out, keeping recent history only.', stringsFor('en').notices.outline_kept])
  })

  it('R004-32 Q-28c shows the notice alone where no fallback is wanted, and so does the model', async () => {
    const session = await start()
    const { notices } = await compact(session, { answers: [hanging], config: quickNone })
    expect(notices).toEqual(['Summary generation timed out, keeping recent history only.'])
    expect(summaryOf(session).split('\n')[0]).toBe('Summary generation timed out, keeping recent history only.')
  })

  const onlyRecent = 'Summary generation timed out, keeping recent history only.'

  it('R004-32 keeps the recent rounds alone if an outline would be larger than what it replaces', async () => {
    const session = await start(shortRounds(14))
    const { outcome, notices } = await compact(session, { answers: [hanging], config: quick })
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'notice', failure: { code: 'summary_timed_out' } })
    expect(notices).toEqual([onlyRecent])
    const [notice, ...kept] = session.state().messages
    expect(textOf(notice)).toMatch(
      /^Summary generation timed out, keeping recent history only\.\n\[8 messages folded; recall \w{12}\]$/,
    )
    expect(kept).toEqual(shortRounds(14).slice(8))
  })

  it('R004-32 adds a short round to an earlier notice, since an outline would make the conversation larger', async () => {
    const session = await start([...longConversation(4), ...shortRounds(10)])
    await compact(session, { answers: [hanging], config: quickNone })
    await session.append(
      shortRounds(11)
        .slice(-2)
        .map((message) => ({ type: 'message', message })),
    )
    const { outcome, notices } = await compact(session, { answers: [hanging], config: quick })
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'notice' })
    expect(notices).toEqual([onlyRecent])
    expect(session.state().messages.slice(1)).toEqual(shortRounds(11).slice(2))
  })

  it('R004-32 does not claim to keep only recent history if even the notice is larger than the older rounds', async () => {
    const session = await start(shortRounds(14))
    const options = { answers: [hanging], config: quick, options: { keepRounds: 13 } } as const
    const { outcome, notices } = await compact(session, options)
    expect(outcome).toMatchObject({ kind: 'unchanged', reason: 'not-smaller', failure: { code: 'summary_timed_out' } })
    expect(notices).toEqual([expect.stringContaining(stringsFor('en').notices.compaction_ineffective)])
    expect(session.state().messages).toEqual(shortRounds(14))
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

describe('compactSession and a notice whose rounds the log has lost in part', () => {
  it.each(['r0-question', 'r1-call', 'r2-result', 'r3-answer'])(
    'continues with the remaining messages without %s',
    async (lost) => {
      const session = await start()
      await compact(session, { answers: [hanging], config: quickNone })
      const log = join(session.folder, 'log.jsonl')
      await session.close()
      const lines = (await readFile(log, 'utf8')).split('\n')
      await writeFile(log, lines.map((line) => (line.includes(`"id":"${lost}"`) ? line.slice(0, 100) : line)).join('\n'))
      const again = await openSession(dirname(session.folder), session.id)
      const more = longConversation(20).slice(14 * 4)
      await again.append(more.map((message) => ({ type: 'message', message })))
      const { outcome } = await compact(again, {})
      const { messages } = again.state()
      await again.close()
      expect(outcome).toMatchObject({ kind: 'compacted', kept: 'outline' })
      expect(messages.slice(-40)).toEqual(longConversation(20).slice(10 * 4))
      expect(checkView(nextView(again.state()))).toEqual([])
    },
  )
})

describe('compactSession and what goes wrong again and again', () => {
  const small = longConversation().map((message): Message => ({ ...message, parts: message.parts.map(short) }))

  function short(part: Message['parts'][number]): Message['parts'][number] {
    return part.type === 'tool-result' ? { ...part, content: { type: 'text', text: 'ok' } } : part
  }

  it('Q-24 does nothing if a summary would not be smaller, and stops after two such times', async () => {
    const session = await start(small)
    const state = session.state()
    const options = { keepRounds: 13 }
    for (const reason of ['not-smaller', 'not-smaller', 'stopped', 'stopped']) {
      const { outcome } = await compact(session, { options })
      expect(outcome).toMatchObject({ kind: 'unchanged', reason })
    }
    expect(session.state().messages).toEqual(state.messages)
    const { notices } = await compact(session, { options })
    expect(notices).toEqual([stringsFor('en').notices.compaction_stopped])
    expect((await compact(session, { options: { ...options, force: true } })).outcome).toMatchObject({ reason: 'not-smaller' })
  })

  it('Q-24 asks a model that failed three times in a row no more, until a person does', async () => {
    const session = await start(longConversation(40))
    let asked = 0
    const writer: SummaryWriter = () => {
      asked += 1
      return Promise.reject(new Error('out of order'))
    }
    for (const keepRounds of [35, 30, 25, 20, 18]) await compact(session, { writer, options: { keepRounds } })
    expect(asked).toBe(3)
    const { outcome, notices } = await compact(session, { writer, options: { keepRounds: 15 } })
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'outline', failure: { code: 'summary_not_asked' } })
    expect(notices[0]).toBe(stringsFor('en').notices.summary_not_asked)
    await compact(session, { answers: [good], options: { keepRounds: 12, force: true } })
    await compact(session, { writer, options: { keepRounds: 10 } })
    expect(asked).toBe(4)
  })
})
