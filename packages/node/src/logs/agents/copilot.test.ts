import { describe, expect, it } from 'vitest'
import type { ReadLog } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { copilotLines } from '../testing/agent-recordings.ts'
import { outlineOf } from '../testing/outline.ts'
import { linesOf } from '../testing/recordings.ts'

const read = async (lines: Parameters<typeof linesOf>[0]) => (await readLogText(linesOf(lines))).value as ReadLog

describe('a session of Copilot CLI', () => {
  it('is the conversation without sub-agents and undone messages', async () => {
    const { sessions, unread } = await read(copilotLines)
    const [session] = sessions
    expect(outlineOf(session as never)).toEqual([
      'e1 system 1 "Be brief."',
      'e2 user 1 "<now>9:00</now> Why red?"',
      'e4 assistant 3 (Find the colour.) "Looking." c1=view{"path":"a.css"} c2=bash{"command":"npm test"}',
      'e6 tool 4 c1→color: red',
      'e8 tool 5 c2→exit 1!',
      'e9 assistant 6 "It is red in a.css."',
      'e12 summary 8 "The colour is in a.css."',
      'e13 user 9 "Make it blue." image/png',
      'e14 assistant 10 c3=edit{"path":"a.css"}',
    ])
    const { messages: _, ...rest } = session as NonNullable<typeof session>
    expect(rest).toEqual({
      id: 'copilot-1',
      title: 'Why red?',
      root: '/home/sam/shop',
      model: 'model-b',
      usages: [{ after: 'e4', model: 'model-b', usage: { input: 40, cacheRead: 60, cacheWrite: 0, output: 7 } }],
      compactions: 1,
      sidechains: 1,
      abandoned: 1,
    })
    expect(unread).toEqual({ 'assistant.turn_start': 1, 'assistant.usage': 1 })
  })

  it('gives a count that came before its answer to that answer', async () => {
    const usage = { type: 'assistant.usage', id: 'u', data: { inputTokens: 10, outputTokens: 1 } }
    const answer = { type: 'assistant.message', id: 'a', data: { content: 'Yes.' } }
    const { sessions } = await read([usage, answer])
    expect(sessions[0]?.usages.map(({ after }) => after)).toEqual(['a'])
  })

  it('joins the events of one response into one answer with the usage of that response', async () => {
    const part = (id: string, content: string, index: number, fields = {}) => ({
      type: 'assistant.message',
      id,
      data: { apiCallId: 'x', content, chunkIndex: index, chunkCount: 2, ...fields },
    })
    const usage = (id: string, data: object) => ({
      type: 'assistant.usage',
      id,
      data: { inputTokens: 10, outputTokens: 1, ...data },
    })
    const { sessions, unread } = await read([
      part('a', 'First', 0),
      part('b', 'then', 1, { toolRequests: [{ toolCallId: 'c', name: 'bash', arguments: {} }] }),
      usage('s', { apiCallId: 'other', interactionType: 'conversation-subagent' }),
      usage('u', { apiCallId: 'x' }),
      { type: 'tool.execution_complete', id: 'd', data: { toolCallId: 'c', success: true, result: { content: 'ok' } } },
    ])
    expect(outlineOf(sessions[0] as never)).toEqual(['a assistant - "First" "then" c=bash{}', 'd tool - c→ok'])
    expect(sessions[0]?.messages[1]?.parts[0]).toMatchObject({ tool: 'bash' })
    expect(sessions[0]?.usages.map(({ after }) => after)).toEqual(['a'])
    expect(unread).toEqual({ 'assistant.usage': 1 })
  })

  it('starts no round if the client continues on its own', async () => {
    const { sessions } = await read([
      { type: 'user.message', id: 'a', data: { content: 'Build it.' } },
      { type: 'assistant.message', id: 'b', data: { content: 'Done a part.' } },
      { type: 'user.message', id: 'c', data: { content: 'Go on.', isAutopilotContinuation: true } },
    ])
    expect(sessions[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'system'])
  })
})
