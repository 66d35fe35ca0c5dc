import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isMapping } from '../config/mapping.ts'
import { readTextFile } from '../files/read-text.ts'
import { fieldsAt, listAt, textAt } from './entry-fields.ts'
import type { Fields, LogNotes, ReadSession, Take } from './log-reader.ts'
import { createOpenHandsSdkEvents } from './openhands-sdk.ts'
import { parseFields } from './parse-fields.ts'

const eventFile = /^event-(\d{5,9})-[\w-]{1,80}\.json$/

/** Whether a file is the first of those in which OpenHands keeps the events of a conversation; the others lie beside it. */
export function isOpenHandsEventFile(path: string): boolean {
  return basename(dirname(path)) === 'events' && Number(eventFile.exec(basename(path))?.[1] ?? -1) === 0
}

/** The names of a folder of events without all but the first; null where it is no such folder. */
export function firstOpenHandsEvent(folder: string, names: readonly string[]): readonly string[] | null {
  if (basename(folder) !== 'events') return null
  const first = names.find((name) => isOpenHandsEventFile(join(folder, name)))
  return first === undefined ? null : [first]
}

/**
 * Reads a conversation that OpenHands keeps as `events/event-<number>-<id>.json`, one event to a file, beside `base_state.json` with
 * what was counted. Null where the file is none.
 */
export async function readOpenHandsStore(path: string, notes: LogNotes, take: Take): Promise<ReadSession | null> {
  const folder = dirname(path)
  const names = (await readdir(folder)).filter((name) => eventFile.test(name))
  names.sort((one, other) => numberOf(one) - numberOf(other))
  const events = createOpenHandsSdkEvents(notes, take)
  for (const [index, name] of names.entries()) {
    const event = await readFields(join(folder, name))
    if (event === null) notes.skip(index + 1, 'not-json')
    else events.add(event, index + 1)
  }
  const state = (await readFields(join(dirname(folder), 'base_state.json'))) ?? {}
  const metrics = Object.values(fieldsAt(fieldsAt(state, 'stats'), 'usage_to_metrics')).filter(isMapping)
  return events.finish({
    id: textAt(state, 'id') ?? basename(dirname(folder)),
    model: textAt(fieldsAt(fieldsAt(state, 'agent'), 'llm'), 'model'),
    usages: metrics.flatMap((one) => listAt(one, 'token_usages').filter(isMapping)),
    root: textAt(fieldsAt(state, 'workspace'), 'working_dir'),
    leaf: textAt(state, 'leaf_event_id'),
  })
}

function numberOf(name: string): number {
  return Number(eventFile.exec(name)?.[1] ?? 0)
}

async function readFields(path: string): Promise<Fields | null> {
  const { value } = await readTextFile(path)
  const fields = value === undefined ? {} : parseFields(value)
  return Object.keys(fields).length === 0 ? null : fields
}
