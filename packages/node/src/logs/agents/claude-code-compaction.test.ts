import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkView } from '@plimsoll/core'
import { promptTotal } from '@plimsoll/core/bill'
import { countMessage, estimator } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { calibrate, reportedTurns } from '../../replay/bill/calibrate.ts'
import { recordSession } from '../../replay/record-session.ts'
import type { ReadLog } from '../log-reader.ts'
import { readLog, readLogText } from '../read-log.ts'
import {
  afterCompaction,
  beforeCompaction,
  claudeBoundary,
  claudeReply,
  claudeSummary,
  keptFields,
  type PreservedFields,
  preservedLines,
} from '../testing/preserved-log.ts'
import { claudeLine, claudeUser, linesOf } from '../testing/recordings.ts'

type Lines = Parameters<typeof linesOf>[0]
const text = (said: string) => ({ type: 'text', text: said })
const read = async (lines: Lines): Promise<ReadLog> => (await readLogText(linesOf(lines))).value as ReadLog
const compacted = (kept: PreservedFields, after: Lines = afterCompaction('h1')): Lines => [
  ...beforeCompaction,
  claudeBoundary('b1', 'h1', 9, kept),
  claudeSummary('k1', 'b1', 9),
  ...after,
]

/** The ids of the messages of each request, and its tokens as estimated and as reported. */
function requestsOf({ sessions }: ReadLog, number = 0) {
  const [session] = sessions.slice(number)
  if (session === undefined) return []
  const { segments, steps } = recordSession(session, { name: 's', format: 'claude-code', tokens: estimator })
  return steps.map(({ segment, length, usage }) => {
    const messages = (segments[segment] ?? []).slice(0, length)
    const tokens = messages.reduce((sum, message) => sum + countMessage(message, estimator), 0)
    return { messages, ids: messages.map(({ id }) => id).join(' '), tokens, reported: usage === null ? 0 : promptTotal(usage) }
  })
}
const sentBy = (log: ReadLog) => requestsOf(log).map(({ ids }) => ids)

describe('a compaction of Claude Code that kept messages', () => {
  it('leaves the summary, the kept messages and all later ones in the context', async () => {
    const log = await read(preservedLines)
    expect(sentBy(log)).toEqual([
      'u1',
      'u1 a1 r1',
      'u1 a1 r1 a2 r2',
      'k1 a3 v2 u2',
      'k1 a3 v2 u2 a4 r3',
      'k1 a3 v2 u2 a4 r3 a5 r4',
      'k1 a3 v2 u2 a4 r3 a5 r4 a6 u3',
    ])
    expect(log.skipped).toEqual([])
    const [session] = log.sessions
    expect([log.sessions.length, session?.compactions, session?.abandoned]).toEqual([1, 1, 0])
    expect(session?.messages.map(({ id }) => id).join(' ')).toBe('u1 a1 r1 a2 r2 a3 k1 v2 u2 a4 r3 a5 r4 a6 u3 a7')
    expect(session?.keptMessages).toEqual(new Map([['k1', { ids: new Set(['a3']), place: 'after-summary' }]]))
  })

  it('sends what the provider counted, at every request', async () => {
    const requests = requestsOf(await read(preservedLines))
    const instructions = (requests[0]?.reported ?? 0) - (requests[0]?.tokens ?? 0)
    for (const { tokens, reported } of requests) expect(Math.abs(instructions + tokens - reported) / reported).toBeLessThan(0.15)
  })

  it('is read alike if the log names only both ends of the kept messages, or only each of them', async () => {
    const both = await read(preservedLines)
    const { preservedSegment, preservedMessages } = keptFields('k1', ['a3', 'h1'])
    expect(await read(compacted({ preservedSegment }))).toEqual(both)
    expect(await read(compacted({ preservedMessages }))).toEqual(both)
  })

  it('keeps calls together with their results', async () => {
    const log = await read(compacted(keptFields('k1', ['a2', 'r2', 'a3', 'h1'])))
    expect(sentBy(log)[3]).toBe('k1 a2 r2 a3 v2 u2')
    const { preservedSegment } = keptFields('k1', ['r2', 'h1'])
    expect(sentBy(await read(compacted({ preservedSegment })))[3]).toBe('k1 a2 r2 a3 v2 u2')
  })

  it('does not keep the message that a kept hook line hangs on', async () => {
    const expected = 'k1 v2 u2'
    expect(sentBy(await read(compacted(keptFields('k1', ['h1']))))[3]).toBe(expected)
    expect(sentBy(await read(compacted({ preservedSegment: keptFields('k1', ['h1']).preservedSegment })))[3]).toBe(expected)
  })

  it('may keep messages that are not next to each other', async () => {
    expect(sentBy(await read(compacted(keptFields('k1', ['u1', 'a3', 'h1']))))[3]).toBe('k1 u1 a3 v2 u2')
  })

  it('may keep the beginning, which then comes before the summary', async () => {
    const after = [
      claudeLine('u2', 'k1', 11, claudeUser('Go on.')),
      claudeLine('a4', 'u2', 12, claudeReply('m4', text('Yes.'), 20_100)),
    ]
    const log = await read(compacted(keptFields('b1', ['u1']), after))
    expect(sentBy(log)).toEqual(['u1', 'u1 a1 r1', 'u1 a1 r1 a2 r2', 'u1 k1 u2'])
    expect(log.skipped).toEqual([])
  })

  it('is undone if the user goes back to a message before the summary', async () => {
    const after = [
      claudeLine('u2', 'u1', 11, claudeUser('Go on.')),
      claudeLine('a4', 'u2', 12, claudeReply('m4', text('Yes.'), 20_100)),
    ]
    expect(sentBy(await read(compacted(keptFields('b1', ['u1']), after)))).toEqual(['u1 u2'])
  })

  it('leaves out kept messages after the one that the user went back to', async () => {
    const after = [
      claudeLine('u2', 'r2', 11, claudeUser('Go on.')),
      claudeLine('a4', 'u2', 12, claudeReply('m4', text('Yes.'), 36_000)),
    ]
    expect(sentBy(await read(compacted(keptFields('k1', ['a2', 'r2', 'a3', 'h1']), after))).at(-1)).toBe('k1 a2 r2 u2')
  })

  it('may be followed by others, which keep messages that were kept before, or end with no kept messages', async () => {
    const again = (parent: string, id: string, kept: PreservedFields): Lines => [
      claudeBoundary(`b${id}`, parent, 20, kept),
      claudeSummary(`k${id}`, `b${id}`, 20),
    ]
    const round = (parent: string, id: string): Lines => [
      claudeLine(`u${id}`, parent, 21, claudeUser('More.')),
      claudeLine(`a${id}`, `u${id}`, 22, claudeReply(`m${id}`, text('Yes.'), 21_000)),
    ]
    const log = await read([
      ...preservedLines,
      ...again('a7', 'second', keptFields('ksecond', ['a6', 'u3', 'a7'])),
      ...round('a7', '20'),
      ...again('a20', 'third', keptFields('kthird', ['a7', 'u20', 'a20'])),
      ...round('a20', '21'),
      ...again('a21', 'last', {}),
      ...round('klast', '22'),
    ])
    expect(sentBy(log).slice(7)).toEqual(['ksecond a6 u3 a7 u20', 'kthird a7 u20 a20 u21', 'klast u22'])
    expect([log.sessions.length, log.sessions[0]?.compactions, log.sessions[0]?.abandoned, log.skipped]).toEqual([1, 4, 0, []])
  })

  it('may keep again what the compaction before it kept, without the summary of that one', async () => {
    const kept = ['a3', 'h1', 'v1', 'v2', 'f1', 'u2', 'a4', 'r3', 'a5', 'r4', 'a6', 'u3', 'a7']
    const { preservedSegment, preservedMessages } = keptFields('k2', kept)
    for (const fields of [{ preservedSegment }, { preservedMessages }]) {
      const log = await read([
        ...preservedLines,
        claudeBoundary('b2', 'a7', 20, fields),
        claudeSummary('k2', 'b2', 20),
        claudeLine('u4', 'a7', 21, claudeUser('More.')),
        claudeLine('a8', 'u4', 22, claudeReply('m8', text('Yes.'), 25_000)),
      ])
      expect(sentBy(log).at(-1)).toBe('k2 a3 v2 u2 a4 r3 a5 r4 a6 u3 a7 u4')
    }
  })

  it('is found if the lines before it are written again and its tail hangs on an old line', async () => {
    const log = await read([
      ...preservedLines,
      ...beforeCompaction.slice(0, 3),
      claudeLine('h2', 'r1', 19, { type: 'system', subtype: 'stop_hook_summary' }),
      claudeBoundary('b2', 'h2', 20, keptFields('k2', ['a7', 'h2'])),
      claudeSummary('k2', 'b2', 20),
      claudeLine('u4', 'h2', 21, claudeUser('More.')),
      claudeLine('a8', 'u4', 22, claudeReply('m8', text('Yes.'), 20_100)),
    ])
    expect(sentBy(log).slice(3)).toEqual([
      'k1 a3 v2 u2',
      'k1 a3 v2 u2 a4 r3',
      'k1 a3 v2 u2 a4 r3 a5 r4',
      'k1 a3 v2 u2 a4 r3 a5 r4 a6 u3',
      'k2 a7 u4',
    ])
    expect(log.skipped.map(({ reason }) => reason)).toEqual(['repeated', 'repeated', 'repeated'])
  })

  it('is one of a sub-agent in the log of that', async () => {
    const log = await read(preservedLines.map((line) => ({ ...line, isSidechain: true })))
    expect(sentBy(log)).toEqual(sentBy(await read(preservedLines)))
  })
})

describe('a damaged compaction of Claude Code', () => {
  const segment = (headUuid: unknown, anchorUuid: unknown, tailUuid: unknown) => ({
    preservedSegment: { headUuid, anchorUuid, tailUuid },
  })
  const noted = [{ line: 8, reason: 'bad-compaction' }]

  it.each<[string, PreservedFields, string]>([
    ['ends that are not in the log', segment('x', 'k1', 'y'), 'k1 v2 u2'],
    ['a head that is not in the log', segment('x', 'k1', 'h1'), 'k1 v2 u2'],
    ['a tail that is not in the log', segment('a3', 'k1', 'y'), 'k1 v2 u2'],
    ['a head after its tail', segment('h1', 'k1', 'a1'), 'k1 v2 u2'],
    ['no ends', segment(undefined, 'k1', undefined), 'k1 v2 u2'],
    ['ends that are not texts', segment(7, 'k1', { uuid: 'h1' }), 'k1 v2 u2'],
    ['a segment that is not an object', { preservedSegment: 'a3..h1' }, 'k1 v2 u2'],
    ['an anchor that is not in the log', segment('a3', 'lost', 'h1'), 'k1 a3 v2 u2'],
    ['no anchor', segment('a3', undefined, 'h1'), 'k1 a3 v2 u2'],
    ['an anchor that is a kept message', segment('a3', 'a3', 'h1'), 'k1 a3 v2 u2'],
    [
      'a kept message that is not in the log',
      { preservedMessages: { anchorUuid: 'k1', uuids: ['a2', 'x', 'a3'] } },
      'k1 a2 r2 a3 v2 u2',
    ],
    ['kept messages that are not a list', { preservedMessages: { anchorUuid: 'k1', uuids: 'a3' } }, 'k1 v2 u2'],
  ])('with %s still ends the context before it, and is reported', async (_, kept, expected) => {
    const log = await read(compacted(kept))
    expect(sentBy(log).slice(3)).toEqual([
      expected,
      `${expected} a4 r3`,
      `${expected} a4 r3 a5 r4`,
      `${expected} a4 r3 a5 r4 a6 u3`,
    ])
    expect(log.skipped).toEqual(noted)
  })

  it('without a summary ends nothing, and is reported', async () => {
    const log = await read(compacted(keptFields('k1', ['a3', 'h1'])).filter(({ uuid }) => uuid !== 'k1'))
    expect(sentBy(log)[3]).toBe('u1 a1 r1 a2 r2 a3 v2 u2')
    expect([log.skipped, log.sessions[0]?.compactions]).toEqual([noted, 0])
  })

  it('is not reported if the log ends with it', async () => {
    const log = await read([...beforeCompaction, claudeBoundary('b1', 'h1', 9, keptFields('k1', ['a3', 'h1']))])
    expect([log.skipped, log.sessions.length]).toEqual([[], 1])
  })

  it.each(['lost', 'a1'])('is found by the id of its summary if that hangs on %s', async (parentUuid) => {
    const lines = preservedLines.map((line) => (line['uuid'] === 'k1' ? { ...line, parentUuid } : line))
    expect(sentBy(await read(lines))).toEqual(sentBy(await read(preservedLines)))
  })

  it('with an unknown head is continued by the lines that hang on its tail', async () => {
    const log = await read(compacted(segment('x', 'k1', 'r1'), afterCompaction('r1')))
    expect(sentBy(log)[3]).toBe('k1 v2 u2')
  })

  it('does not create a separate session', async () => {
    const log = await read([
      claudeBoundary('b1', 'lost', 9, keptFields('k1', ['x'])),
      claudeLine('u', null, 10, claudeUser('Hello.')),
    ])
    expect(log.sessions.map(({ messages }) => messages.map(({ id }) => id))).toEqual([['u']])
  })

  it('never throws, with any line of the log missing', async () => {
    for (const missing of preservedLines.keys()) {
      const log = await read(preservedLines.toSpliced(missing, 1))
      const requests = requestsOf(log, log.sessions.length - 1)
      expect(requests.length).toBeGreaterThan(0)
      for (const { messages } of requests) expect(new Set(messages).size).toBe(messages.length)
    }
  })

  it('is not searched for without end: many that keep everything are reported at some point', async () => {
    const rounds = Array.from({ length: 3000 }, (_, index) => [
      claudeLine(`u${index}`, index === 0 ? null : `u${index - 1}`, 1, claudeUser('x')),
      claudeBoundary(`b${index}`, `u${index}`, 1, segment('u0', `k${index}`, `u${index}`)),
      claudeSummary(`k${index}`, `b${index}`, 1),
    ])
    expect((await read(rounds.slice(0, 300).flat())).skipped).toEqual([])
    expect((await read(rounds.flat())).skipped.length).toBeGreaterThan(0)
  })
})

describe('the messages that Claude Code kept', () => {
  it('are compared with the reported usage, which exposes a reader that sends too much', async () => {
    const [session] = (await read(preservedLines)).sessions
    if (session === undefined) throw new Error('no session')
    const checked = (of: typeof session) => {
      const recorded = recordSession(of, { name: 's', format: 'claude-code', tokens: estimator })
      return calibrate(reportedTurns(recorded, (message) => countMessage(message, estimator))).sent
    }
    expect(checked(session)).toEqual({ turns: 7, mismatch: null })
    const unread = { ...session, messages: session.messages.filter(({ summary }) => summary !== true) }
    expect(checked(unread)).toMatchObject({ turns: 7, mismatch: { kind: 'sent-too-much', turns: 4 } })
  })
})

// A log of the newer shape may be next to the repository; its contents are invented, its token counts are recorded.
const example = fileURLToPath(new URL('../../../../../../shared/claude-code-preserved-segment.jsonl', import.meta.url))

describe('a log with a preserved segment', () => {
  it('has no compacted message in the first request after the compaction, and the tokens that were recorded', async () => {
    const log = existsSync(example) ? ((await readLog(example)).value as ReadLog) : await read(preservedLines)
    const [session] = log.sessions
    const requests = requestsOf(log)
    const after = requests.findIndex(({ messages }) => messages.some(({ summary }) => summary === true))
    const first = requests[after]
    const summary = session?.messages.find((message) => message.summary === true)
    const kept = session?.keptMessages?.get(summary?.id ?? '')?.ids ?? new Set<string>()
    expect([log.skipped, session?.abandoned, kept.size]).toEqual([[], 0, 1])
    expect(first?.messages[0]).toBe(summary)
    const gone = (session?.messages ?? []).slice(
      0,
      session?.messages.findIndex((message) => message === summary),
    )
    expect(gone.filter((message) => first?.messages.includes(message)).map(({ id }) => id)).toEqual([...kept])
    expect(checkView(first?.messages ?? [])).toEqual([])
    const instructions = (requests[0]?.reported ?? 0) - (requests[0]?.tokens ?? 0)
    const reported = first?.reported ?? 0
    expect(Math.abs(instructions + (first?.tokens ?? 0) - reported) / reported).toBeLessThan(0.1)
  })
})
