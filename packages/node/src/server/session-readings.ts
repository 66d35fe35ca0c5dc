import { stat } from 'node:fs/promises'
import { readSession, sessionPaths } from '../session/open-session.ts'
import type { ReadOnlySession, StoredSession } from '../session/session.ts'

interface SessionReadingsOptions {
  /** Milliseconds without a question until a session is closed. Default: 20,000. */
  readonly idleMs?: number
}

interface Reading {
  readonly version: string
  readonly opening: Promise<ReadOnlySession>
  users: number
  isOver: boolean
  timer: NodeJS.Timeout | null
}

/** A large log takes as much memory as it has bytes. */
const maxKept = 3

/** Reads sessions, and keeps the last ones open for a while: a client that reads asks for the next page at once. */
export function createSessionReadings(sessions: string, { idleMs = 20_000 }: SessionReadingsOptions = {}) {
  const kept = new Map<string, Reading>()

  async function readingOf(id: string): Promise<Reading> {
    const version = await versionOf(sessions, id)
    const known = kept.get(id)
    if (known !== undefined && version !== null && known.version === version) return known
    if (known !== undefined) void end(id, known)
    const reading: Reading = { version: version ?? '', opening: readSession(sessions, id), users: 0, isOver: false, timer: null }
    reading.opening.catch(() => {
      if (kept.get(id) === reading) kept.delete(id)
    })
    kept.set(id, reading)
    const [oldest] = kept
    if (kept.size > maxKept && oldest !== undefined) void end(...oldest)
    return reading
  }

  /** Not used again; closed once its last user is done. */
  async function end(id: string, reading: Reading): Promise<void> {
    reading.isOver = true
    if (kept.get(id) === reading) kept.delete(id)
    if (reading.timer !== null) clearTimeout(reading.timer)
    if (reading.users > 0) return
    const session = await reading.opening.catch(() => null)
    await session?.close()
  }

  /** Returns a session as its log is now. It must not be used once `use` has returned. Rejects with `SessionError`. */
  async function read<Value>(id: string, use: (session: StoredSession) => Value): Promise<Awaited<Value>> {
    const reading = await readingOf(id)
    reading.users += 1
    if (reading.timer !== null) clearTimeout(reading.timer)
    try {
      return await use(await reading.opening)
    } finally {
      reading.users -= 1
      if (reading.isOver) await end(id, reading)
      else if (reading.users === 0) {
        reading.timer = setTimeout(() => void end(id, reading), idleMs)
        reading.timer.unref()
      }
    }
  }

  return {
    read,
    closeAll: () => Promise.all([...kept].map(([id, reading]) => end(id, reading))),
  }
}

async function versionOf(sessions: string, id: string): Promise<string | null> {
  const { ino, size, mtimeMs } = (await stat(sessionPaths(sessions, id).log).catch(() => null)) ?? {}
  return ino === undefined ? null : `${ino} ${size} ${mtimeMs}`
}
