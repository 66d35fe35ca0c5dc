import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { formatVersion } from '@plimsoll/core/session'
import { codeOf } from '../files/trouble.ts'
import { removeUnfinished } from './blob-store.ts'
import { acquireLock } from './lock.ts'
import { createLogWriter } from './log-writer.ts'
import type { Redact } from './redact-entry.ts'
import type { OpenSession, ReadOnlySession } from './session.ts'
import { fileError, SessionError } from './session-error.ts'
import { isSessionId, pathsOf, type SessionPaths } from './session-folder.ts'
import { createStoredLog } from './stored-log.ts'

export interface WriteOptions {
  /** The time in milliseconds. Default: the system's clock. */
  readonly now?: () => number
  /** Takes secrets out of every text before it is stored. They cannot be had back. Default: nothing is taken out. */
  readonly redact?: Redact
}

/**
 * Opens a session for writing. Only one process may: another one gets a `SessionError` that says which process has it. So does who
 * opens a session of a newer format, or one that is not there.
 */
export async function openSession(
  sessions: string,
  id: string,
  { now = Date.now, redact }: WriteOptions = {},
): Promise<OpenSession> {
  const paths = sessionPaths(sessions, id)
  const handle = await open(paths.log, constants.O_RDWR | constants.O_APPEND).catch((error: unknown) => {
    throw openError(error, sessions, id, paths, 'cannot-write')
  })
  const lock = await acquireLock(paths.lock).catch(async (error: unknown) => {
    await handle.close()
    throw error
  })
  const close = async () => {
    try {
      await handle.close()
    } finally {
      await lock.release()
    }
  }
  try {
    await removeUnfinished(paths.blobs)
    const log = createStoredLog(id, paths, handle)
    const scanned = await log.readOn(0)
    const version = log.index.header()?.version ?? formatVersion
    if (version > formatVersion) throw new SessionError({ kind: 'newer', version, known: formatVersion })
    const writer = createLogWriter({ paths, handle, log, now, redact, ...scanned })
    let closing: Promise<void> | null = null
    return {
      ...log.session,
      append: writer.append,
      close() {
        closing ??= writer.end().then(close)
        return closing
      },
    }
  } catch (error) {
    await close()
    throw fileError('cannot-read', paths.log, error)
  }
}

/** The paths of a session that is named by its id; a name that is none cannot lead out of the folder. */
export function sessionPaths(sessions: string, id: string): SessionPaths {
  if (!isSessionId(id)) throw new SessionError({ kind: 'not-found', id, folder: sessions })
  return pathsOf(join(sessions, id))
}

export function openError(
  error: unknown,
  sessions: string,
  id: string,
  paths: SessionPaths,
  kind: 'cannot-read' | 'cannot-write' = 'cannot-read',
): Error {
  const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
  return isMissing ? new SessionError({ kind: 'not-found', id, folder: sessions }) : fileError(kind, paths.log, error)
}

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
