import { open } from 'node:fs/promises'
import { isMapping } from '../config/mapping.ts'
import { textAt } from './entry-fields.ts'
import type { Fields, LogNotes, ReadSession, Take } from './log-reader.ts'
import { opencodeSession } from './opencode.ts'
import { parseFields } from './parse-fields.ts'

/** Whether a file is a SQLite database, by its first bytes. */
export async function isDatabase(path: string): Promise<boolean> {
  const handle = await open(path, 'r').catch(() => null)
  if (handle === null) return false
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    return bytesRead === 16 && buffer.toString('latin1') === 'SQLite format 3\0'
  } catch {
    return false
  } finally {
    await handle.close()
  }
}

/**
 * Reads the sessions of the database that newer versions of opencode keep: the tables `session`, `message` and `part`, with JSON in
 * `data`. Null where the file is another database, or where this Node has no SQLite.
 */
export function readOpencodeDatabase(path: string, notes: LogNotes, take: Take): readonly ReadSession[] | null {
  const database = openDatabase(path)
  if (database === null) return null
  try {
    const rows = database.prepare('SELECT * FROM session ORDER BY id').all().filter(isMapping)
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

/** The columns of a session by the names its file had. */
function sessionInfo(row: Fields): Fields {
  const revert = typeof row['revert'] === 'string' ? parseFields(row['revert']) : { messageID: row['revert_message_id'] }
  return { id: row['id'], title: row['title'], directory: row['directory'], revert }
}
