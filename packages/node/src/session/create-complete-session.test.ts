import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCompleteSession } from './create-session.ts'
import { listSessions } from './list-sessions.ts'
import { openSession } from './open-session.ts'

let sessions: string
beforeEach(async () => {
  sessions = await mkdtemp(join(tmpdir(), 'plimsoll-whole-'))
})
afterEach(() => rm(sessions, { recursive: true, force: true }))

const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] } as const

it('a session is hidden while it is filled, then complete and open to the next writer', async () => {
  const id = await createCompleteSession(sessions, { title: 'a title' }, async (session) => {
    await session.append([{ type: 'message', message }])
    expect((await listSessions(sessions)).rows).toEqual([])
  })
  expect((await listSessions(sessions)).rows.map((row) => [row.id, row.title, row.messages])).toEqual([[id, 'a title', 1]])
  expect(await readdir(sessions)).toEqual([id])
  const session = await openSession(sessions, id)
  expect(session.state().messages).toEqual([message])
  await session.close()
})

it('a session that could not be filled leaves nothing behind', async () => {
  const failing = createCompleteSession(sessions, {}, async (session) => {
    await session.append([{ type: 'message', message }])
    throw new Error('no more')
  })
  await expect(failing).rejects.toThrow('no more')
  expect(await readdir(sessions)).toEqual([])
})
