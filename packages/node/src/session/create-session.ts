import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formatVersion, type HeaderEntry, writeLine } from '@plimsoll/core'
import { syncFolder, writeNewFile } from './durable-file.ts'
import { openSession, type WriteOptions } from './open-session.ts'
import type { OpenSession } from './session.ts'
import { fileError, SessionError } from './session-error.ts'
import { newSessionId, pathsOf, type SessionPaths } from './session-folder.ts'

/** What a new session is told about itself. */
export interface CreateOptions extends WriteOptions {
  /** The project's folder. */
  readonly root?: string
  /** Default: the first words of the user. */
  readonly title?: string
}

/** Makes a new session in the folder of all sessions and opens it for writing. */
export async function createSession(sessions: string, { root, title, ...options }: CreateOptions = {}): Promise<OpenSession> {
  const { now = Date.now, redact } = options
  const at = startTime(now)
  const id = newSessionId(at)
  const header: HeaderEntry = {
    type: 'header',
    id,
    parentId: null,
    at,
    version: formatVersion,
    session: id,
    ...(root === undefined ? {} : { root }),
    ...(title === undefined ? {} : { title: redact === undefined ? title : redact(title) }),
  }
  await buildFolder(sessions, id, ({ log }) => writeNewFile(log, Buffer.from(`${writeLine(header)}\n`, 'utf8')))
  return openSession(sessions, id, options)
}

/** A session's folder appears whole or not at all: it is filled under another name. */
export async function buildFolder(sessions: string, id: string, fill: (paths: SessionPaths) => Promise<void>): Promise<void> {
  const folder = join(sessions, id)
  const temporary = join(sessions, `.new-${id}`)
  const paths = pathsOf(temporary)
  try {
    await mkdir(sessions, { recursive: true, mode: 0o700 })
    await mkdir(temporary, { mode: 0o700 })
    await mkdir(paths.blobs, { mode: 0o700 })
    await fill(paths)
    await syncFolder(paths.blobs)
    await syncFolder(temporary)
    await rename(temporary, folder)
    await syncFolder(sessions)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined)
    throw error instanceof SessionError ? error : fileError('cannot-write', folder, error)
  }
}

/** The time a session starts at. A clock that says what is no time starts it at the beginning of all times. */
export function startTime(now: () => number): number {
  const time = Math.trunc(now())
  // What has more than four digits of years would not be in order as text.
  return Number.isSafeInteger(time) && time >= 0 && time < 253_402_300_800_000 ? time : 0
}
