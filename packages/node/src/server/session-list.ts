import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readLine } from '@plimsoll/core/session'
import { codeOf } from '../files/problem.ts'
import { type SessionRow, sessionIds, sessionRow } from '../session/list-sessions.ts'
import { pathsOf, sessionTime } from '../session/session-folder.ts'
import { partText } from '../session/shown-message.ts'

/** Of a session that cannot be read, only its id and when it was made are known. */
export type ListedSession = SessionRow & { readonly isUnreadable?: true }

/** From this many characters on, messages are searched too: fewer are in all of them. */
const minSearched = 3
/** Bytes of logs that one search looks through, the newest sessions first. */
const maxSearched = 256 * 2 ** 20

/** The stored sessions, the one last written to first. Reads each log again only when it has changed. */
export function createSessionList(sessions: string) {
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

  async function all(): Promise<readonly ListedSession[]> {
    const rows: ListedSession[] = []
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
    /** All of them, or those whose title, id or messages have a text. */
    async rows(search: string, signal: AbortSignal): Promise<readonly ListedSession[]> {
      const rows = await all()
      const wanted = search.trim().toLowerCase()
      if (wanted === '') return rows
      const found: ListedSession[] = []
      let left = wanted.length < minSearched ? 0 : maxSearched
      for (const row of rows) {
        if (signal.aborted) break
        if (row.id.includes(wanted) || row.title?.toLowerCase().includes(wanted) === true) found.push(row)
        else if (row.isUnreadable !== true && row.bytes <= left) {
          left -= row.bytes
          if (await hasWords(pathsOf(join(sessions, row.id)).log, wanted, signal)) found.push(row)
        }
      }
      return found
    },
  }
}

function unreadable(id: string): ListedSession {
  const made = sessionTime(id)
  return { id, title: null, messages: 0, bytes: 0, first: made, last: made, root: null, from: null, isUnreadable: true }
}

/** Longer lines are results, which are not searched. */
const maxLine = 4 * 2 ** 20

/** Whether a message of a log has this text, which is in lower case. A log that cannot be read has none. */
async function hasWords(log: string, wanted: string, signal: AbortSignal): Promise<boolean> {
  // As the text is written in a line, so that most lines need not be parsed.
  const written = JSON.stringify(wanted).slice(1, -1)
  const handle = await open(log, 'r').catch(() => null)
  if (handle === null) return false
  try {
    for await (const line of linesOf(handle)) {
      if (signal.aborted) return false
      if (line.toLowerCase().includes(written) && holds(line, wanted)) return true
    }
    return false
  } catch {
    return false
  } finally {
    await handle.close()
  }
}

function holds(line: string, wanted: string): boolean {
  const read = line.startsWith('{"type":"message"') ? readLine(line) : null
  return (
    read?.kind === 'entry' &&
    read.entry.type === 'message' &&
    read.entry.message.parts.some((part) => partText(part).toLowerCase().includes(wanted))
  )
}

async function* linesOf(handle: Awaited<ReturnType<typeof open>>): AsyncGenerator<string> {
  let rest = ''
  let isSkipped = false
  for await (const chunk of handle.createReadStream({ encoding: 'utf8', highWaterMark: 2 ** 18, autoClose: false })) {
    const lines = (chunk as string).split('\n')
    for (const [index, piece] of lines.entries()) {
      if (!isSkipped) rest += piece
      if (rest.length > maxLine) {
        rest = ''
        isSkipped = true
      }
      if (index === lines.length - 1) continue
      if (!isSkipped) yield rest
      rest = ''
      isSkipped = false
    }
  }
  if (rest !== '') yield rest
}
