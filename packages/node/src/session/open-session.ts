import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { formatVersion } from '@plimsoll/core/session'
import { codeOf } from '../files/problem.ts'
import { removeUnfinished } from './blob-store.ts'
import { acquireLock } from './lock.ts'
import { openLogEnd } from './log-end.ts'
import { createLogWriter } from './log-writer.ts'
import type { Redact } from './redact-entry.ts'
import type { OpenSession, ReadOnlySession } from './session.ts'
import { fileError, SessionError } from './session-error.ts'
import { isSessionId, pathsOf, type SessionPaths } from './session-folder.ts'
import { createStoredLog, type StoredLog } from './stored-log.ts'

export interface WriteOptions {
  readonly now?: () => number
  /** Removes secrets from every text before it is stored, permanently. Default: none are. */
  readonly redact?: Redact
}

/** Opens a session for writing, which only one process may. Rejects with `SessionError`. */
export async function openSession(
  sessions: string,
  id: string,
  { now = Date.now, redact }: WriteOptions = {},
): Promise<OpenSession> {
  const paths = sessionPaths(sessions, id)
  const handle = await orSessionError(open(paths.log, constants.O_RDWR | constants.O_APPEND), paths, 'cannot-write')
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
    refuseNewer(log.index.header()?.version ?? formatVersion)
    refuseEmptied(log, paths)
    const end = openLogEnd(paths.end, log.end)
    const writer = createLogWriter({ paths, handle, log, end, now, redact, ...scanned })
    let closing: Promise<void> | null = null
    return {
      ...log.session,
      append: writer.append,
      close() {
        closing ??= writer.end().then(() => {
          end.close()
          return close()
        })
        return closing
      },
    }
  } catch (error) {
    await close()
    throw fileError('cannot-read', paths.log, error)
  }
}

/** The paths of a session; a name that is not an id cannot lead out of the folder. */
export function sessionPaths(sessions: string, id: string): SessionPaths {
  if (!isSessionId(id)) throw new SessionError({ kind: 'not-found', id, folder: sessions })
  return pathsOf(join(sessions, id))
}

/** The same promise, with an error of the file system as a `SessionError` about this session. */
export async function orSessionError<Value>(
  opening: Promise<Value>,
  { folder, log }: SessionPaths,
  kind: 'cannot-read' | 'cannot-write' = 'cannot-read',
): Promise<Value> {
  try {
    return await opening
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
    const missing = { kind: 'not-found', id: basename(folder), folder: dirname(folder) } as const
    throw isMissing ? new SessionError(missing) : fileError(kind, log, error)
  }
}

/** Opens a session for reading: without a lock, while another process may write to it. */
export async function readSession(sessions: string, id: string): Promise<ReadOnlySession> {
  const paths = sessionPaths(sessions, id)
  const handle = await orSessionError(open(paths.log, 'r'), paths)
  try {
    const log = createStoredLog(id, paths, handle)
    await log.readOn(0)
    return { ...log.session, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw fileError('cannot-read', paths.log, error)
  }
}

/** A log has a header from the start: one without entries lost everything, and what is left of it must stay as it is. */
export function refuseEmptied({ index, end }: StoredLog, { log: file }: SessionPaths): void {
  if (index.heads.length === 0) throw new SessionError({ kind: 'emptied', file, entries: 'end' in end ? end.end.number : 0 })
}

/** Throws for a session of a newer format. */
export function refuseNewer(version: number): void {
  if (version > formatVersion) throw new SessionError({ kind: 'newer', version, known: formatVersion })
}
