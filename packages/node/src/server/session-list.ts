import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../files/problem.ts'
import { findLogs, type LogPlace } from '../logs/find-logs.ts'
import { searchLogs } from '../logs/search/search-logs.ts'
import { type SessionRow, sessionIds, sessionRow } from '../session/list-sessions.ts'
import { pathsOf, sessionTime } from '../session/session-folder.ts'

/** Of a session that cannot be read, only its id and when it was made are known. */
export type ListedSession = SessionRow & { readonly isUnreadable?: true }

/** From this many characters on, messages are searched too: fewer are in all of them. */
const minSearched = 3

/** The stored sessions, the one last written to first. Reads each log again only when it has changed. The index is that of searches. */
export function createSessionList(sessions: string, index: string | null) {
  const known = new Map<string, { readonly version: string; readonly row: ListedSession }>()

  async function rowOf(id: string): Promise<ListedSession | null> {
    try {
      const { size, mtimeMs } = await stat(pathsOf(join(sessions, id)).log)
      const version = `${size} ${mtimeMs}`
      const before = known.get(id)
      if (before?.version === version) return before.row
      const row = await sessionRow(sessions, id)
      known.set(id, { version, row })
      return row
    } catch (error) {
      known.delete(id)
      return codeOf(error) === 'ENOENT' ? null : unreadable(id)
    }
  }

  const all = sharedReading(async (): Promise<readonly ListedSession[]> => {
    const rows: ListedSession[] = []
    const ids = await sessionIds(sessions)
    for (const id of ids) {
      const row = await rowOf(id)
      if (row !== null) rows.push(row)
    }
    const there = new Set(ids)
    for (const id of known.keys()) if (!there.has(id)) known.delete(id)
    return rows.sort((one, other) => other.last - one.last || (one.id < other.id ? 1 : -1))
  })

  async function sessionsWith(text: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const place: LogPlace = { agent: '', folder: sessions, logs: /^[^/]+\/log\.jsonl$/, depth: 1 }
    const { logs } = await findLogs([place])
    const ids = new Set<string>()
    await searchLogs(logs, text, { index, signal, found: ({ path }) => ids.add(basename(dirname(path))) })
    return ids
  }

  return {
    /** All of them, or those whose title, id or messages have a text. */
    async rows(search: string, signal: AbortSignal): Promise<readonly ListedSession[]> {
      const rows = await all()
      const wanted = search.trim().toLowerCase()
      if (wanted === '') return rows
      const holding = wanted.length < minSearched ? new Set<string>() : await sessionsWith(wanted, signal)
      return rows.filter(
        ({ id, title }) => id.includes(wanted) || title?.toLowerCase().includes(wanted) === true || holding.has(id),
      )
    },
  }
}

/** Those who ask during a reading share the next one, which has what changed until they asked: many tabs ask at the same time. */
export function sharedReading<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<unknown> | null = null
  let next: Promise<Value> | null = null
  const start = () => {
    const reading = read()
    const ended = reading.then(
      () => undefined,
      () => undefined,
    )
    running = ended
    void ended.then(() => {
      if (running === ended) running = null
    })
    return reading
  }
  return () => {
    if (running === null) return start()
    next ??= running.then(() => {
      next = null
      return start()
    })
    return next
  }
}

function unreadable(id: string): ListedSession {
  const made = sessionTime(id)
  return { id, title: null, messages: 0, bytes: 0, first: made, last: made, root: null, from: null, isUnreadable: true }
}
