import { open } from 'node:fs/promises'
import { openError, sessionPaths } from './open-session.ts'
import type { ReadOnlySession } from './session.ts'
import { fileError } from './session-error.ts'
import { createStoredLog } from './stored-log.ts'

/** Opens a session for reading only: no lock, nothing is written, and another process may go on writing to it. */
export async function readSession(sessions: string, id: string): Promise<ReadOnlySession> {
  const paths = sessionPaths(sessions, id)
  const handle = await open(paths.log, 'r').catch((error: unknown) => {
    throw openError(error, sessions, id, paths)
  })
  try {
    const log = createStoredLog(id, paths, handle)
    await log.readOn(0)
    return { ...log.session, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw fileError('cannot-read', paths.log, error)
  }
}
