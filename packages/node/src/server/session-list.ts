import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type SessionRow, sessionIds, sessionRow } from '../session/list-sessions.ts'
import { pathsOf } from '../session/session-folder.ts'
import { hasWords } from './search-log.ts'

/** The stored sessions, the one last written to first. */
export interface SessionList {
  /** All of them, or those whose title, id or messages have a text. What cannot be read is left out. */
  readonly rows: (search: string, signal: AbortSignal) => Promise<readonly SessionRow[]>
}

/** From this many characters on, messages are searched too: fewer are in all of them. */
const leastSearched = 3
/** Bytes of logs that one search looks through, the newest sessions first. */
const mostSearched = 256 * 2 ** 20

/** Reads each log again only when it has changed. */
export function createSessionList(sessions: string): SessionList {
  const known = new Map<string, { readonly version: string; readonly row: SessionRow }>()

  async function rowOf(id: string): Promise<SessionRow | null> {
    try {
      const { size, mtimeMs } = await stat(pathsOf(join(sessions, id)).log)
      const version = `${size} ${mtimeMs}`
      const before = known.get(id)
      if (before?.version === version) return before.row
      const row = await sessionRow(sessions, id)
      known.set(id, { version, row })
      return row
    } catch {
      known.delete(id)
      return null
    }
  }

  async function all(): Promise<readonly SessionRow[]> {
    const rows: SessionRow[] = []
    const ids = await sessionIds(sessions)
    for (const id of ids) {
      const row = await rowOf(id)
      if (row !== null) rows.push(row)
    }
    const there = new Set(ids)
    for (const id of known.keys()) if (!there.has(id)) known.delete(id)
    return rows.sort((one, other) => other.last - one.last || (one.id < other.id ? 1 : -1))
  }

  return {
    async rows(search, signal) {
      const rows = await all()
      const wanted = search.trim().toLowerCase()
      if (wanted === '') return rows
      const found: SessionRow[] = []
      let left = wanted.length < leastSearched ? 0 : mostSearched
      for (const row of rows) {
        if (signal.aborted) break
        if (row.id.includes(wanted) || row.title?.toLowerCase().includes(wanted) === true) found.push(row)
        else if (row.bytes <= left) {
          left -= row.bytes
          if (await hasWords(pathsOf(join(sessions, row.id)).log, wanted, signal)) found.push(row)
        }
      }
      return found
    },
  }
}
