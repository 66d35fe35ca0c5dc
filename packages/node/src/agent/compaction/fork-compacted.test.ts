import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SummaryWriter } from '@plimsoll/core/compaction'
import { completeConfig } from '@plimsoll/core/policies'
import { afterEach, describe, expect, it } from 'vitest'
import { longConversation } from '../../model/testing/long-conversation.ts'
import { openSession } from '../../session/open-session.ts'
import { startSession, type TestSession } from '../testing/start-session.ts'
import { forkCompacted } from './hand-over.ts'

let original: TestSession | undefined

afterEach(async () => {
  await original?.close()
  original = undefined
})

async function start(rounds = 14): Promise<TestSession> {
  original = await startSession(longConversation(rounds))
  return original
}

const options = { config: completeConfig({}), writer: null, emit: () => undefined }

describe('forkCompacted', () => {
  it('Q-48 R001-26 saves the compacted conversation as a new session that names the one it came from', async () => {
    const { session, sessions } = await start()
    const { outcome, session: fork } = await forkCompacted(sessions, session, options)
    expect(outcome).toMatchObject({ kind: 'compacted', kept: 'outline' })
    const { header, messages } = fork?.state() ?? {}
    expect(header?.from).toEqual({ session: session.id, entry: 'r13-answer', reason: 'compaction' })
    expect(messages?.[0]?.summary).toBe(true)
    expect(messages?.slice(1)).toEqual(longConversation().slice(16))
    expect([...(fork?.messages() ?? [])]).toEqual(longConversation())
    await fork?.close()
  })

  it('Q-48 leaves the original byte for byte as it was, to be opened again', async () => {
    const { session, sessions } = await start()
    const log = join(session.folder, 'log.jsonl')
    const before = await readFile(log, 'utf8')
    const { session: fork } = await forkCompacted(sessions, session, options)
    await fork?.close()
    await session.close()
    expect(await readFile(log, 'utf8')).toBe(before)
    const again = await openSession(sessions, session.id)
    expect(again.state().messages).toEqual(longConversation())
    await again.close()
  })

  it('R001-24 continues from the new session as from any other', async () => {
    const { session, sessions } = await start()
    const { session: fork } = await forkCompacted(sessions, session, options)
    const messages = fork?.state().messages
    await fork?.close()
    const resumed = await openSession(sessions, fork?.id ?? '')
    expect(resumed.state().messages).toEqual(messages)
    await resumed.close()
  })

  it.each<[name: string, writer: SummaryWriter | null, rounds: number, reason: string]>([
    ['there is nothing to fold', null, 5, 'unchanged'],
    ['it was cancelled', () => new Promise(() => {}), 14, 'cancelled'],
  ])('leaves no new session behind where %s', async (_name, writer, rounds, kind) => {
    const { session, sessions } = await start(rounds)
    const stop = new AbortController()
    const emit = () => stop.abort()
    const forked = await forkCompacted(sessions, session, { ...options, writer, signal: stop.signal, emit })
    expect(forked).toMatchObject({ outcome: { kind }, session: null })
    expect(await readdir(sessions)).toEqual([session.id])
  })
})
