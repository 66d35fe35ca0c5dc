import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@plimsoll/core'
import { createSession } from '../../session/create-session.ts'
import type { OpenSession } from '../../session/session.ts'

/** A session in a separate folder. */
export interface TestSession {
  readonly session: OpenSession
  /** The folder of all sessions. */
  readonly sessions: string
  /** Closes the session and removes the folder. */
  readonly close: () => Promise<void>
}

/** Starts a session on the real file system with these messages in its log. */
export async function startSession(messages: readonly Message[]): Promise<TestSession> {
  const sessions = await mkdtemp(join(tmpdir(), 'plimsoll-agent-'))
  const session = await createSession(sessions, { root: '/project' })
  if (messages.length > 0) await session.append(messages.map((message) => ({ type: 'message', message })))
  return {
    session,
    sessions,
    async close() {
      await session.close()
      await rm(sessions, { recursive: true, force: true })
    },
  }
}
