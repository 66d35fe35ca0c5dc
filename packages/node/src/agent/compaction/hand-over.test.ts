import { recall } from '@plimsoll/core'
import { afterEach, describe, expect, it } from 'vitest'
import { instruction, longConversation } from '../../model/testing/long-conversation.ts'
import { recallSourceOf } from '../../session/recall-source.ts'
import { compact, endAll, textOf } from '../testing/compacting.ts'
import { startSession, type TestSession } from '../testing/start-session.ts'
import { startHandOver } from './hand-over.ts'

const opened: TestSession[] = []
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
  await endAll()
})

async function start(messages = longConversation()): Promise<TestSession> {
  const test = await startSession(messages)
  opened.push(test)
  return test
}

/** The new session's view of the old one, text by text. */
async function handedOver({ session, sessions }: TestSession): Promise<readonly string[]> {
  const next = await startHandOver(sessions, session)
  const texts = next.state().messages.map(textOf)
  await next.close()
  return texts
}

describe('startHandOver', () => {
  it('tells of the whole conversation, the same each time', async () => {
    const test = await start()
    const texts = await handedOver(test)
    expect(texts).toEqual([expect.stringContaining(instruction)])
    expect(await handedOver(test)).toEqual(texts)
  })

  it('keeps the summaries that are there, and adds what came after them', async () => {
    const test = await start()
    await compact(test.session, {})
    const summary = textOf(test.session.state().messages.find((message) => message.summary === true))
    expect(await handedOver(test)).toEqual([summary, expect.stringMatching(/./)])
  })

  it('has nothing to say of an empty session', async () => expect(await handedOver(await start([]))).toEqual([]))

  it('R002-32 starts a new session that knows what the old one was about, and leaves that as it was', async () => {
    const { session, sessions } = await start()
    const before = session.state()
    const next = await startHandOver(sessions, session)
    try {
      const { messages, header } = next.state()
      expect(header.from).toMatchObject({ session: session.id, reason: 'compaction' })
      expect(messages.map(textOf)).toEqual([expect.stringContaining(instruction)])
      expect(session.state()).toEqual(before)
      const handle = /recall ([0-9a-f]{12})\]/.exec(textOf(messages[0]))?.[1] ?? ''
      expect(recall({ handle }, recallSourceOf(next)).kind).toBe('found')
    } finally {
      await next.close()
    }
  })

  it('takes a conversation over as it is that is too short to be summarised', async () => {
    const { session, sessions } = await start([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hello' }] }])
    const next = await startHandOver(sessions, session)
    expect(next.state().messages).toEqual(session.state().messages)
    await next.close()
  })
})
