import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CreateOptions, createSession } from './create-session.ts'
import { syncFolder } from './durable-file.ts'
import type { OpenSession } from './session.ts'
import { fileError } from './session-error.ts'

/**
 * Makes a new session that is filled before anybody can see it, and returns its id. It appears whole or not at all, whenever the
 * process ends.
 */
export async function createWholeSession(
  sessions: string,
  options: CreateOptions,
  fill: (session: OpenSession) => Promise<void>,
): Promise<string> {
  // A folder with such a name is no session, and is cleared away when it has become old.
  const aside = join(sessions, `.new-${randomUUID()}`)
  try {
    const session = await createSession(aside, options)
    try {
      await fill(session)
    } finally {
      await session.close()
    }
    await appear(join(aside, session.id), sessions, session.id)
    return session.id
  } finally {
    await rm(aside, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function appear(folder: string, sessions: string, id: string): Promise<void> {
  try {
    await rename(folder, join(sessions, id))
    await syncFolder(sessions)
  } catch (error) {
    throw fileError('cannot-write', join(sessions, id), error)
  }
}
