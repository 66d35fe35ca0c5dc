import { randomUUID } from 'node:crypto'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './durable-file.ts'
import { removeLeftovers } from './list-sessions.ts'
import { acquireLock } from './lock.ts'
import { openError, sessionPaths } from './open-session.ts'
import { fileError } from './session-error.ts'
import { pathsOf } from './session-folder.ts'

/**
 * Removes a session with its blobs. Refuses one that is in use. The folder gets another name first, so that a crash leaves no half
 * of a session that looks whole.
 */
export async function removeSession(sessions: string, id: string): Promise<void> {
  const paths = sessionPaths(sessions, id)
  await stat(paths.folder).catch((error: unknown) => {
    throw openError(error, sessions, id, paths)
  })
  const lock = await acquireLock(paths.lock)
  const aside = join(sessions, `.removed-${id}-${randomUUID()}`)
  try {
    await rename(paths.folder, aside)
  } catch (error) {
    await lock.release()
    throw fileError('cannot-write', paths.folder, error)
  }
  try {
    await syncFolder(sessions)
    // Behind a link to somewhere else the session stays, and must not stay locked.
    await rm(pathsOf(aside).lock, { force: true })
    await rm(aside, { recursive: true, force: true })
    await removeLeftovers(sessions)
  } catch (error) {
    throw fileError('cannot-write', aside, error)
  }
}
