import { open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isRecord } from '@plimsoll/core/text'
import { withFile } from '../../session/durable-file.ts'
import { fieldsAt, parseFields, textAt, timeAt } from '../draft.ts'
import { readFields } from '../log-lines.ts'
import type { Fields, LogNotes, ReadSession, Take } from '../log-reader.ts'
import { opencodeSession } from './opencode.ts'

/** Whether a file is named as opencode names what it keeps of a session; the messages lie in folders beside it. */
export function isOpencodeSessionFile(path: string): boolean {
  return /^ses_[\w-]{1,80}\.json$/.test(basename(path))
}

/**
 * Reads a session of opencode's storage: `session/<project>/<session>.json`, `message/<session>/<message>.json` and
 * `part/<message>/<part>.json`, or the same three under `session/` in older versions. Null where the file is none.
 */
export async function readOpencodeStore(path: string, notes: LogNotes, take: Take): Promise<ReadSession | null> {
  const info = await readFields(path)
  const session = info === null ? null : textAt(info, 'id')
  if (info === null || session === null || `${session}.json` !== basename(path)) return null
  const root = dirname(dirname(path))
  const storages = [dirname(root), root]
  const messages = await firstFolder(storages.map((storage) => join(storage, 'message', session)))
  if (messages === null) return null
  const list: { readonly info: Fields; readonly parts: readonly Fields[] }[] = []
  for (const [number, name] of messages.names.entries()) {
    const own = await readFields(join(messages.path, name))
    if (own === null) {
      notes.skip(number + 1, 'not-json')
      continue
    }
    const id = basename(name, '.json')
    const places = storages.flatMap((storage) => [join(storage, 'part', id), join(storage, 'part', session, id)])
    const found = await firstFolder(places)
    const parts: Fields[] = []
    for (const part of found?.names ?? []) {
      const fields = await readFields(join(found?.path ?? '', part))
      if (fields === null) notes.skip(number + 1, 'not-json')
      else parts.push(fields)
    }
    list.push({ info: { id, ...own }, parts })
  }
  list.sort((one, other) => createdAt(one.info) - createdAt(other.info))
  return opencodeSession(info, list, notes, take)
}

/** The files of the first of these folders that is there, by name: their ids grow with time. */
async function firstFolder(paths: readonly string[]) {
  for (const path of paths) {
    const names = await readdir(path).catch(() => null)
    if (names !== null) return { path, names: names.filter((name) => name.endsWith('.json')).sort() }
  }
  return null
}

function createdAt(info: Fields): number {
  return timeAt(fieldsAt(info, 'time'), 'created').at ?? 0
}

/** Whether a file is a SQLite database, by its first bytes. */
export async function isDatabase(path: string): Promise<boolean> {
  const start = await withFile(open(path, 'r'), (handle) => handle.read(Buffer.alloc(16), 0, 16, 0)).catch(() => null)
  return start?.bytesRead === 16 && start.buffer.toString('latin1') === 'SQLite format 3\0'
}

/**
 * Reads the sessions of the database that newer versions of opencode keep: the tables `session`, `message` and `part`, with JSON in
 * `data`. Null where the file is another database, or where this Node has no SQLite.
 */
export function readOpencodeDatabase(path: string, notes: LogNotes, take: Take): readonly ReadSession[] | null {
  const database = openDatabase(path)
  if (database === null) return null
  try {
    const rows = database.prepare('SELECT * FROM session ORDER BY id').all().filter(isRecord)
    const messages = database.prepare('SELECT * FROM message WHERE session_id = ? ORDER BY id')
    const parts = database.prepare('SELECT id, data FROM part WHERE message_id = ? ORDER BY id')
    return rows.flatMap((row) => {
      const id = textAt(row, 'id')
      if (id === null) return []
      const list = messages.all(id).map((message) => {
        const info = { ...dataOf(message), id: message['id'] }
        return { info, parts: parts.all(String(message['id'])).map((part) => ({ ...dataOf(part), id: part['id'] })) }
      })
      return opencodeSession(sessionInfo(row), list, notes, take) ?? []
    })
  } catch {
    // Another program's tables, or a damaged file.
    return null
  } finally {
    database.close()
  }
}

interface Database {
  readonly prepare: (sql: string) => { readonly all: (...values: readonly string[]) => Record<string, unknown>[] }
  readonly close: () => void
}

/** SQLite came to Node later than the oldest version this runs on, and warns whoever loads it that it is new. */
function openDatabase(path: string): Database | null {
  const warn = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    const sqlite = process.getBuiltinModule?.('node:sqlite')
    return sqlite === undefined ? null : new sqlite.DatabaseSync(path, { readOnly: true })
  } catch {
    return null
  } finally {
    process.emitWarning = warn
  }
}

function dataOf(row: Record<string, unknown>): Fields {
  return typeof row['data'] === 'string' ? parseFields(row['data']) : {}
}

function sessionInfo(row: Fields): Fields {
  const revert = typeof row['revert'] === 'string' ? parseFields(row['revert']) : { messageID: row['revert_message_id'] }
  return { id: row['id'], title: row['title'], directory: row['directory'], revert }
}
