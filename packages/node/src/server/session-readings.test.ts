import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@plimsoll/core'
import { expect, it, onTestFinished } from 'vitest'
import { createSession } from '../session/create-session.ts'
import type { OpenSession, StoredSession } from '../session/session.ts'
import { createSessionReadings } from './session-readings.ts'

async function start(idleMs?: number) {
  const sessions = mkdtempSync(join(tmpdir(), 'plimsoll-readings-'))
  const writers: OpenSession[] = []
  const readings = createSessionReadings(sessions, idleMs === undefined ? {} : { idleMs })
  onTestFinished(async () => {
    await readings.closeAll()
    for (const writer of writers) await writer.close()
    rmSync(sessions, { recursive: true })
  })
  const write = async () => {
    const writer = await createSession(sessions)
    writers.push(writer)
    return writer
  }
  return { readings, write }
}

const say = (session: OpenSession, id: string) => {
  const message: Message = { id, role: 'user', parts: [{ type: 'text', text: id }] }
  return session.append([{ type: 'message', message }])
}
const itself = (session: StoredSession) => ({ session, count: session.state().messages.length })

it('an unchanged session is read once, even by many at a time', async () => {
  const { readings, write } = await start()
  const writer = await write()
  await say(writer, 'one')
  const all = await Promise.all([readings.read(writer.id, itself), readings.read(writer.id, itself)])
  const later = await readings.read(writer.id, itself)
  expect(all.map(({ count }) => count)).toEqual([1, 1])
  expect(later.session).toBe(all[1]?.session)
})

it('a reading includes everything written before it', async () => {
  const { readings, write } = await start()
  const writer = await write()
  const counts: number[] = []
  for (const id of ['a', 'b', 'c']) {
    await say(writer, id)
    counts.push((await readings.read(writer.id, itself)).count)
  }
  expect(counts).toEqual([1, 2, 3])
})

it('a session in use stays open when others are read', async () => {
  const { readings, write } = await start()
  const writers = await Promise.all(Array.from({ length: 6 }, write))
  for (const writer of writers) await say(writer, 'one')
  const [first, ...others] = writers as [OpenSession, ...OpenSession[]]
  const count = await readings.read(first.id, async (session) => {
    for (const { id } of others) await readings.read(id, itself)
    await say(first, 'two')
    await readings.read(first.id, itself)
    return session.entry('one')?.type
  })
  expect(count).toBe('message')
})

it('a missing session is refused each time', async () => {
  const { readings } = await start()
  for (const id of ['20260101-000000-aaaaaa', '../up']) {
    await expect(readings.read(id, itself)).rejects.toThrow('session')
    await expect(readings.read(id, itself)).rejects.toThrow('session')
  }
})

it('an idle session is closed after a while, and opened again', async () => {
  const { readings, write } = await start(1)
  const writer = await write()
  await say(writer, 'one')
  const { session } = await readings.read(writer.id, itself)
  await expect.poll(async () => (await readings.read(writer.id, itself)).session === session, { interval: 30 }).toBe(false)
})
