import { describe, expect, it } from 'vitest'
import type { ReadLog, ReadSession } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { geminiChatLines } from '../testing/agent-recordings.ts'
import { outlineOf } from '../testing/outline.ts'
import { linesOf, timeOf } from '../testing/recordings.ts'

type Line = Readonly<Record<string, unknown>>

const read = async (lines: readonly Line[]) => (await readLogText(linesOf(lines))).value as ReadLog
const sessionOf = async (...lines: readonly Line[]) => (await read([header, ...lines])).sessions[0] as ReadSession
const header: Line = { sessionId: 's', projectHash: 'x', startTime: timeOf(0), lastUpdated: timeOf(0) }
const user = (id: string, text: string): Line => ({ id, type: 'user', content: [{ text }] })
const answer = (id: string, text: string, fields: Line = {}): Line => ({ id, type: 'gemini', content: text, ...fields })
const idsOf = ({ messages }: ReadSession) => messages.map(({ id }) => id)

describe('a chat of Gemini CLI in lines', () => {
  it('is the last version of each record, including compacted ones', async () => {
    const { sessions, unread } = await read(geminiChatLines)
    const [session] = sessions as readonly [ReadSession]
    expect(outlineOf(session)).toEqual([
      's0 system 0 "<session_context>\nIt is Monday."',
      'u1 user 1 "Explain @a.ts" "export {}"',
      'g1 assistant 2 (Plan\nRead.) "Looking." k1=read_file{"path":"k1.ts"}',
      'g1.0 tool 3 k1→let a',
      'g2 assistant 4 (Hm.) "It is empty."',
      'u3 user 7 "Fill it." image/png',
      'g4 assistant 8 "With what?"',
      'x1 summary 9 "<state_snapshot>a.ts is empty.</state_snapshot>"',
      'u4 user 10 "With a test."',
      'g5 assistant 11 k2=read_file{"path":"k2.ts"}',
    ])
    const { messages: _, ...rest } = session
    expect(rest).toEqual({
      id: 'gemini-2',
      title: 'Fill an empty file',
      root: '/home/sam/shop',
      model: 'gemini-y',
      usages: [
        { after: 'g1', model: 'gemini-x', usage: { input: 40, cacheRead: 60, cacheWrite: 0, output: 10 }, reasoning: 3 },
        { after: 'g2', model: 'gemini-x', usage: { input: 120, cacheRead: 0, cacheWrite: 0, output: 4 } },
      ],
      compactions: 1,
      sidechains: 0,
      abandoned: 2,
      keptFrom: new Map([['x1', 'u3']]),
    })
    expect(unread).toEqual({ 'record written again': 2, info: 1, $set: 1 })
  })

  it('takes its title from the first message if there is no summary', async () => {
    const typed = { ...user('u', 'Explain @a.ts, which is: …'), displayContent: [{ text: 'Explain @a.ts' }] }
    expect((await sessionOf(user('p', '<session_context> here'), typed)).title).toBe('Explain @a.ts')
  })

  it('removes an undone turn from the context', async () => {
    const lines = [user('a', 'One.'), answer('b', 'Two.'), user('c', 'Three.')]
    const session = await sessionOf(...lines, { $set: { messages: lines.slice(0, 2) } }, user('d', 'Four.'))
    expect({ ids: idsOf(session), abandoned: session.abandoned }).toEqual({ ids: ['a', 'b', 'd'], abandoned: 1 })
  })

  it('keeps the whole result of a call that the client shortened later', async () => {
    const result = (output: string) => [{ functionResponse: { id: 'k', name: 'read', response: { output } } }]
    const call = (output: string) => ({
      toolCalls: [{ id: 'k', name: 'read', args: {}, status: 'success', result: result(output) }],
    })
    const session = await sessionOf(user('a', 'Read.'), answer('b', '', call('all of it')), {
      $set: { messages: [user('a', 'Read.'), answer('b', '', call('[masked]'))] },
    })
    expect(outlineOf(session)[2]).toBe('b.0 tool - k→all of it')
  })

  it('takes calls and results from the parts of a response that has nothing else', async () => {
    const call = { functionCall: { id: 'k', name: 'read', args: { path: 'a' } } }
    const output = { functionResponse: { id: 'k', name: 'read', response: { error: 'none' } } }
    const session = await sessionOf({ id: 'b', type: 'gemini', content: [call] }, { id: 'c', type: 'user', content: [output] })
    expect(outlineOf(session)).toEqual(['b assistant - k=read{"path":"a"}', 'c.0 tool - k→none!'])
  })

  it('reports a rewind to an unknown record, and continues', async () => {
    const log = await read([header, user('a', 'One.'), { $rewindTo: 'nobody' }, answer('b', 'Two.')])
    expect({ skipped: log.skipped, ids: log.sessions.flatMap(idsOf) }).toEqual({
      skipped: [{ line: 3, reason: 'no-message' }],
      ids: ['a', 'b'],
    })
  })

  it('removes a record once that was twice in the context, by its later version', async () => {
    const twice = { $set: { messages: [user('a', 'One.'), user('a', 'Two.')] } }
    expect(outlineOf(await sessionOf(twice))).toEqual(['a user - "Two."'])
    const session = await sessionOf(twice, { $set: { messages: [''] } }, answer('b', 'Gone.'))
    expect({ outline: outlineOf(session), abandoned: session.abandoned }).toEqual({
      outline: ['b assistant - "Gone."'],
      abandoned: 1,
    })
  })

  it('is one of several if another header follows', async () => {
    const { sessions } = await read([header, user('a', 'One.'), { ...header, sessionId: 't' }, user('a', 'Two.')])
    expect(sessions.map((session) => [session.id, session.title])).toEqual([
      ['s', 'One.'],
      ['t', 'Two.'],
    ])
  })

  it('is not what was typed over many chats', async () => {
    const typed = { sessionId: 's', messageId: 0, type: 'user', message: 'hi', timestamp: timeOf(0) }
    expect(await readLogText(JSON.stringify([typed]))).toMatchObject({ problem: { kind: 'no-messages' } })
  })
})
