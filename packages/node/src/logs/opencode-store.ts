import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readTextFile } from '../files/read-text.ts'
import { fieldsAt, textAt, timeAt } from './entry-fields.ts'
import type { Fields, LogNotes, ReadSession, Take } from './log-reader.ts'
import { opencodeSession } from './opencode.ts'
import { parseFields } from './parse-fields.ts'

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
async function firstFolder(
  paths: readonly string[],
): Promise<{ readonly path: string; readonly names: readonly string[] } | null> {
  for (const path of paths) {
    const names = await readdir(path).catch(() => null)
    if (names !== null) return { path, names: names.filter((name) => name.endsWith('.json')).sort() }
  }
  return null
}

async function readFields(path: string): Promise<Fields | null> {
  const { value } = await readTextFile(path)
  const fields = value === undefined ? {} : parseFields(value)
  return Object.keys(fields).length === 0 ? null : fields
}

function createdAt(info: Fields): number {
  return timeAt(fieldsAt(info, 'time'), 'created').at ?? 0
}
