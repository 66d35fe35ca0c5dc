import { describe, expect, it } from 'vitest'
import type { ReadLog, ReadSession } from './log-reader.ts'
import { readLogText } from './read-log.ts'
import { geminiChatFile, tauBenchRuns } from './testing/agent-recordings.ts'
import { outlineOf } from './testing/outline.ts'
import { linesOf } from './testing/recordings.ts'

const read = async (text: string) => (await readLogText(text)).value as ReadLog
const user = { role: 'user', content: 'hi' }
const assistant = { role: 'assistant', content: 'Hello.' }

describe('a file in which an entry is a whole conversation', () => {
  it('returns the answers of Gemini CLI with their calls, each followed by its results', async () => {
    const { sessions, unread } = await read(JSON.stringify(geminiChatFile))
    expect(outlineOf(sessions[0] as ReadSession)).toEqual([
      'g1 user 1 "Rename it." image/png',
      'g3 assistant 3 (Plan\nTwo steps.) "Renaming." k1=move{"to":"b"} k2=move{}',
      'g3.0 tool 3 k1→moved',
      'g3.1 tool 3 k2→no target!',
      'g4 user 4 "Go on."',
      'g5 assistant 5 "Yes."',
      'g6 assistant 6 k3=move{}',
    ])
    expect(sessions[0]?.usages).toEqual([
      { after: 'g3', model: 'gemini-x', usage: { input: 40, cacheRead: 60, cacheWrite: 0, output: 10 }, reasoning: 3 },
    ])
    expect(unread).toEqual({ info: 1 })
  })

  it('gives each run of tau-bench, by task and trial', async () => {
    const { sessions } = await read(JSON.stringify([...tauBenchRuns, { task_id: 'x', traj: [user] }]))
    expect(sessions.map(({ id, messages }) => [id, messages.length])).toEqual([
      ['task-3.1', 7],
      ['task-x', 1],
    ])
  })

  it('is not mistaken for JSON lines if each item of its list is on a separate line', async () => {
    const events = ['one', 'two', 'three'].map((content, id) =>
      JSON.stringify({ id, source: 'user', action: 'message', args: { content } }),
    )
    const log = await read(`{"instance_id":"x","history":[\n${events.join(',\n')}\n]}`)
    expect({ format: log.format, messages: log.sessions[0]?.messages.length, skipped: log.skipped }).toEqual({
      format: 'openhands',
      messages: 3,
      skipped: [],
    })
  })

  it('continues after a damaged line and an empty one', async () => {
    const [run] = tauBenchRuns
    const log = await read(`${linesOf([run as never])}{"traj": [\n{"traj":[],"reward":0}\n${linesOf([run as never])}`)
    expect({ sessions: log.sessions.length, skipped: log.skipped }).toEqual({
      sessions: 2,
      skipped: [
        { line: 2, reason: 'not-json' },
        { line: 3, reason: 'no-message' },
      ],
    })
  })
})

describe('messages and requests as providers take them', () => {
  it.each<[string, string, string, readonly number[], number]>([
    ['lines of messages, one of them cut off', `${linesOf([user, assistant])}{"role": "us`, 'openai-chat', [2], 1],
    [
      'lines of requests, one of them without any',
      linesOf([{ messages: [user] }, { note: 1 }, { messages: [user, assistant] }]),
      'openai-chat',
      [1, 2],
      1,
    ],
    ['more lines than it takes to give up', linesOf(Array.from({ length: 120 }, () => user)), 'openai-chat', [120], 0],
    ['a list with an item to a line', `[\n${JSON.stringify(user)},\n${JSON.stringify(assistant)}\n]`, 'openai-chat', [2], 0],
    [
      'a list with runs to a line',
      `[\n${JSON.stringify({ traj: [user], reward: 0 })},\n${JSON.stringify({ traj: [user], reward: 1 })}\n]`,
      'tau-bench',
      [1, 1],
      0,
    ],
    [
      'an object with a list with an item to a line',
      `{"messages":[\n${JSON.stringify(user)},\n${JSON.stringify(assistant)}\n]}`,
      'openai-chat',
      [2],
      0,
    ],
    [
      'Anthropic’s, with its system prompt',
      JSON.stringify({ system: 'Be brief.', model: 'm', messages: [user] }),
      'anthropic',
      [2],
      0,
    ],
    ['an unknown role among others', JSON.stringify([user, { role: 'wizard' }, assistant]), 'openai-chat', [2], 1],
  ])('are read: %s', async (_, text, format, messages, skipped) => {
    const log = await read(text)
    expect({
      format: log.format,
      messages: log.sessions.map((session) => session.messages.length),
      skipped: log.skipped.length,
    }).toEqual({
      format,
      messages,
      skipped,
    })
  })

  it('have only the times and the usage given with them', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2 }
    const { sessions } = await read(
      JSON.stringify([
        { ...user, timestamp: 1_767_603_600_000 },
        { ...assistant, model: 'm', usage },
      ]),
    )
    expect(sessions[0]?.messages.map(({ at }) => at)).toEqual([1_767_603_600_000, undefined])
    expect(sessions[0]).toMatchObject({ model: 'm', usages: [{ after: '1', model: 'm', usage: { input: 10, output: 2 } }] })
  })
})
