import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { branchOf } from '@plimsoll/core/session'
import { codeOf } from '../files/problem.ts'
import { syncFolder, withFile } from './durable-file.ts'
import { acquireLock } from './lock.ts'
import { createLineReader, createLogIndex, type LineHead, readLineText, scanLines } from './log-index.ts'
import { orSessionError, sessionPaths } from './open-session.ts'
import { fileError } from './session-error.ts'
import { isSessionId, pathsOf, sessionTime } from './session-folder.ts'
import { titleOf, titleText } from './shown-message.ts'

export type SessionRow = Awaited<ReturnType<typeof sessionRow>>

/** All sessions, the one last written to first. Those that cannot be read are only named in `unreadable`. */
export async function listSessions(sessions: string) {
  const rows: SessionRow[] = []
  const unreadable: string[] = []
  for (const id of await sessionIds(sessions)) {
    try {
      rows.push(await sessionRow(sessions, id))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') unreadable.push(id)
    }
  }
  return { rows: rows.toSorted((a, b) => b.last - a.last || (a.id < b.id ? 1 : -1)), unreadable }
}

export async function sessionIds(sessions: string): Promise<readonly string[]> {
  try {
    return (await readdir(sessions)).filter(isSessionId).toSorted()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw fileError('cannot-read', sessions, error)
  }
}

/** Removes the rests of sessions that were being created or removed when the process ended. */
async function removeLeftovers(sessions: string): Promise<void> {
  const names = await readdir(sessions).catch(() => [])
  for (const name of names) {
    const path = join(sessions, name)
    if (name.startsWith('.removed-') || (name.startsWith('.new-') && (await isOld(path)))) {
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
    }
  }
}

async function isOld(path: string): Promise<boolean> {
  const changed = await stat(path).catch(() => null)
  return changed !== null && Date.now() - changed.mtimeMs > 86_400_000
}

const maxLookedAt = 20

/** One session of the list. Rejects if it cannot be read. */
export async function sessionRow(sessions: string, id: string) {
  return withFile(open(pathsOf(join(sessions, id)).log, 'r'), async (handle) => {
    const readText = createLineReader(handle)
    const index = createLogIndex(readText)
    const { length: bytes } = await scanLines(handle, 0, index.add)
    const { heads } = index
    const messages = branchOf(index, heads.length - 1).filter(({ type }) => type === 'message').length
    const { title = null, root = null, from = null } = index.header() ?? {}
    const first = heads[0]?.at ?? 0
    // A fork or restored session has only entries that are older than itself.
    const last = Math.max(index.latest(), sessionTime(id))
    const shown = title === null ? firstSaid(heads, readText) : titleText(title)
    // Messages of the active branch, with compacted ones; bytes of the log without its blobs.
    return { id, title: shown, messages, bytes, first, last, root, from }
  })
}

function firstSaid(heads: readonly LineHead[], readText: (offset: number, length: number) => string | null): string | null {
  for (const { offset, length } of heads.filter(({ type }) => type === 'message').slice(0, maxLookedAt)) {
    const read = readLineText(readText(offset, length))
    const said = read.kind === 'entry' && read.entry.type === 'message' ? titleOf([read.entry.message]) : null
    if (said !== null) return said
  }
  return null
}

/** Removes a session with its blobs, unless it is in use. The folder is renamed first, so that a crash leaves no half of a session. */
export async function removeSession(sessions: string, id: string): Promise<void> {
  const paths = sessionPaths(sessions, id)
  await orSessionError(stat(paths.folder), paths)
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
    // If the folder was a link, the session still exists and must not stay locked.
    await rm(pathsOf(aside).lock, { force: true })
    await rm(aside, { recursive: true, force: true })
    await removeLeftovers(sessions)
  } catch (error) {
    throw fileError('cannot-write', aside, error)
  }
}
