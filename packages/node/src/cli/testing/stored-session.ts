import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@plimsoll/core'
import type { SessionState } from '@plimsoll/core/session'
import { onTestFinished } from 'vitest'
import { type CreateOptions, createSession } from '../../session/create-session.ts'
import { openSession, readSession } from '../../session/open-session.ts'
import type { OpenSession } from '../../session/session.ts'
import { sessionsFolder } from '../../session/session-folder.ts'

/** A session on disk in its own folder, removed after the test. */
export interface StoredForTest {
  readonly id: string
  /** The folder of all sessions. */
  readonly sessions: string
  /** The environment in which a command finds it. */
  readonly environment: Readonly<Record<string, string>>
  /** The state of this session, or of another one in the same folder. */
  readonly state: (id?: string) => Promise<SessionState>
  /** Opens it, runs a change, and closes it. */
  readonly change: <Value>(write: (session: OpenSession) => Promise<Value>) => Promise<Value>
  /** Every file with its content, to check that nothing was written. */
  readonly files: () => Readonly<Record<string, string>>
}

/** Stores messages as a session. */
export async function storeSession(messages: readonly Message[], options: CreateOptions = {}): Promise<StoredForTest> {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-stored-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const environment = { XDG_STATE_HOME: home }
  const sessions = sessionsFolder(environment)
  const created = await createSession(sessions, options)
  if (messages.length > 0) await created.append(messages.map((message) => ({ type: 'message', message })))
  await created.close()
  const { id } = created
  return {
    id,
    sessions,
    environment,
    async state(other = id) {
      const session = await readSession(sessions, other)
      try {
        return session.state()
      } finally {
        await session.close()
      }
    },
    async change(write) {
      const session = await openSession(sessions, id)
      try {
        return await write(session)
      } finally {
        await session.close()
      }
    },
    files: () =>
      Object.fromEntries(
        readdirSync(home, { recursive: true, encoding: 'utf8' })
          .filter((name) => statSync(join(home, name)).isFile())
          .map((name) => [name, readFileSync(join(home, name), 'utf8')]),
      ),
  }
}
