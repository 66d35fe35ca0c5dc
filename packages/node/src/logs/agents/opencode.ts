import { open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Message, Part } from '@plimsoll/core'
import { usageTotal } from '@plimsoll/core/bill'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, ResultContent, TextPart } from '@plimsoll/core/wire'
import { withFile } from '../../session/durable-file.ts'
import { createUniqueIds, type Draft, reasoningParts, resultPart, settleDrafts, textParts } from '../draft.ts'
import { type Fields, fieldsAt, listAt, parseFields, type Time, textAt, timeAt } from '../fields.ts'
import { readFields } from '../log-lines.ts'
import { createRecordReader, type FoundUsage, type LogNotes, type ReadSession, readSessionOf, type Take } from '../log-reader.ts'
import { type Reported, readUsage } from '../read-usage.ts'

/** Opencode, as `opencode export` writes it: facts about the session under `info`, and messages with their parts. */
export const opencode = createRecordReader({
  name: 'opencode',
  detect: (entry) =>
    isRecord(entry['info']) &&
    listAt(entry, 'messages')
      .slice(0, 20)
      .some((message) => isRecord(message) && isRecord(message['info']) && Array.isArray(message['parts'])),
  read: (entry, notes, take) => opencodeSession(fieldsAt(entry, 'info'), listAt(entry, 'messages'), notes, take),
})

/** The conversation of an opencode session: its own fields, and messages as `{ info, parts }` in order. */
function opencodeSession(info: Fields, list: Iterable<unknown>, notes: LogNotes, take: Take): ReadSession | null {
  const unique = createUniqueIds()
  const drafts: Draft[] = []
  const usages: FoundUsage[] = []
  const keptFrom = new Map<string, string>()
  /** For each message of opencode, the first of ours. */
  const first = new Map<string, string>()
  const reverted = textAt(fieldsAt(info, 'revert'), 'messageID')
  let model: string | null = null
  let tail: string | null = null
  let abandoned = 0

  let line = 0
  for (const item of list) {
    line += 1
    const own = isRecord(item) ? fieldsAt(item, 'info') : {}
    const parts = isRecord(item) ? listAt(item, 'parts').filter(isRecord) : []
    const id = textAt(own, 'id') ?? `message-${line}`
    const { role } = own
    if (role !== 'user' && role !== 'assistant') {
      notes.skip(line, 'no-message')
      continue
    }
    // Ids grow with time; messages after a revert are only shown until the user continues.
    if (reverted !== null && id >= reverted) {
      const steps = role === 'assistant' ? stepsOf(parts) : []
      for (const step of steps) addUsage(own, step, steps.length === 1)
      abandoned += 1
      continue
    }
    const before = drafts.length
    if (role === 'user') addUser(own, parts, id)
    else if (own['summary'] === true) addSummary(own, parts, id)
    else addAnswer(own, parts, id)
    const made = drafts[before]?.message.id
    if (made === undefined) notes.pass('message without content')
    else first.set(id, made)
  }
  if (drafts.length === 0) return null
  return readSessionOf({
    id: textAt(info, 'id'),
    title: textAt(info, 'title'),
    root: textAt(info, 'directory'),
    model,
    messages: settleDrafts(drafts),
    usages,
    abandoned,
    keptFrom,
  })

  function addUser(own: Fields, parts: readonly Fields[], id: string): void {
    const compaction = parts.find((part) => part['type'] === 'compaction')
    if (compaction !== undefined) tail = textAt(compaction, 'tail_start_id')
    const said = parts.flatMap((part): readonly Part[] => {
      if (part['type'] === 'file') return fileParts(part)
      return part['type'] === 'text' && part['ignored'] !== true ? textParts(part, 'text') : []
    })
    if (said.length === 0) return
    const isSynthetic = parts.every((part) => part['type'] !== 'text' || part['synthetic'] === true)
    const message: Message = { id: unique(id), role: 'user', parts: said, ...createdAt(own) }
    drafts.push({ message: take(message), added: isSynthetic })
  }

  function addSummary(own: Fields, parts: readonly Fields[], id: string): void {
    const text = parts.flatMap((part) => (part['type'] === 'text' ? (textAt(part, 'text') ?? []) : [])).join('\n\n')
    const kept = tail === null ? undefined : first.get(tail)
    tail = null
    addUsage(own, parts, true)
    if (text === '') return
    const message: Message = { id: unique(id), role: 'system', parts: [{ type: 'text', text }], ...createdAt(own), summary: true }
    if (kept !== undefined) keptFrom.set(message.id, kept)
    drafts.push({ message: take(message) })
  }

  /** In older versions a message holds all steps of a turn; each is one response. */
  function addAnswer(own: Fields, parts: readonly Fields[], id: string): void {
    model = textAt(own, 'modelID') ?? model
    const steps = stepsOf(parts)
    steps.forEach((step, index) => {
      const said = step.flatMap(readSpoken)
      if (said.length === 0) return addUsage(own, step, steps.length === 1)
      const started = step.flatMap((part) => timeAt(fieldsAt(part, 'time'), 'start').at ?? [])[0]
      const at = index === 0 || started === undefined ? createdAt(own) : { at: started }
      const message: Message = { id: unique(index === 0 ? id : `${id}.${index}`), role: 'assistant', parts: said, ...at }
      drafts.push({ message: take(message) })
      addUsage(own, step, steps.length === 1, message.id)
      for (const part of step) {
        const result = readResult(part, at)
        if (result !== null) drafts.push({ message: take({ ...result, id: unique(result.id) }) })
      }
    })
  }

  /** Each step has its usage at its end, and a message with a single step has it too. */
  function addUsage(own: Fields, step: readonly Fields[], isOnly: boolean, after?: string): void {
    const finish = step.find((part) => part['type'] === 'step-finish') ?? (isOnly ? own : {})
    const reported = stepUsage(finish['tokens'], finish['cost'])
    const at = createdAt(own).at
    if (reported !== null)
      usages.push({ ...(after === undefined ? {} : { after }), ...reported, model: textAt(own, 'modelID'), at })
  }
}

function stepsOf(parts: readonly Fields[]): readonly (readonly Fields[])[] {
  const steps: Fields[][] = []
  for (const part of parts) {
    const current = steps.at(-1)
    if (current === undefined || part['type'] === 'step-start') steps.push([part])
    else current.push(part)
  }
  return steps.length === 0 ? [[]] : steps
}

function readSpoken(part: Fields): readonly Part[] {
  if (part['type'] === 'text') return textParts(part, 'text')
  if (part['type'] === 'reasoning') return reasoningParts(part, 'text')
  const callId = part['type'] === 'tool' ? textAt(part, 'callID') : null
  if (callId === null) return []
  return [{ type: 'tool-call', callId, tool: textAt(part, 'tool') ?? '', input: fieldsAt(part, 'state')['input'] ?? {} }]
}

function readResult(part: Fields, answered: Time): Message | null {
  const callId = part['type'] === 'tool' ? textAt(part, 'callID') : null
  const state = fieldsAt(part, 'state')
  const { status } = state
  if (callId === null || (status !== 'completed' && status !== 'error')) return null
  const text = status === 'error' ? state['error'] : state['output']
  const media = listAt(state, 'attachments').filter(isRecord).flatMap(fileParts)
  const said: TextPart = { type: 'text', text: typeof text === 'string' ? text : '' }
  const content: ResultContent = media.length === 0 ? said : { type: 'list', items: [said, ...media] }
  const result = resultPart(callId, textAt(part, 'tool'), content, status === 'error' || undefined)
  const id = textAt(part, 'id') ?? `result-${callId}`
  return { id, role: 'tool', parts: [result], ...answered, ...timeAt(fieldsAt(state, 'time'), 'end') }
}

/** Text files and folders have their text in a separate part. */
function fileParts(part: Fields): readonly MediaPart[] {
  const mime = textAt(part, 'mime') ?? 'vendor/file'
  return mime === 'text/plain' || mime === 'application/x-directory' ? [] : [{ type: 'media', mediaType: mime, data: part }]
}

function createdAt(own: Fields): Time {
  return timeAt(fieldsAt(own, 'time'), 'created')
}

/** Cached tokens are not part of the input. Reasoning is not part of the output, unless the total includes it only once. */
function stepUsage(tokens: unknown, cost: unknown): Reported | null {
  if (!isRecord(tokens)) return null
  const cache = fieldsAt(tokens, 'cache')
  const { input, output, reasoning } = tokens
  const reported = readUsage({ input, output, cacheRead: cache['read'], cacheWrite: cache['write'], reasoning }, cost)
  const usage = reported?.usage ?? null
  const thought = typeof reasoning === 'number' ? reasoning : 0
  if (usage === null || thought === 0 || tokens['total'] === usageTotal(usage)) return reported
  return { ...reported, reasoning: thought, usage: { ...usage, output: usage.output + thought } }
}

/** Whether a file is named like a session of opencode's storage; the messages are in other folders. */
export function isOpencodeSessionFile(path: string): boolean {
  return /^ses_[\w-]{1,80}\.json$/.test(basename(path))
}

/**
 * Reads a session of opencode's storage: `session/<project>/<session>.json`, `message/<session>/<message>.json` and
 * `part/<message>/<part>.json`, or the same three under `session/` in older versions. Returns null for any other file.
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
  list.sort((one, other) => (createdAt(one.info).at ?? 0) - (createdAt(other.info).at ?? 0))
  return opencodeSession(info, list, notes, take)
}

/** The files of the first of these folders that exists, by name: their ids grow with time. */
async function firstFolder(paths: readonly string[]) {
  for (const path of paths) {
    const names = await readdir(path).catch(() => null)
    if (names !== null) return { path, names: names.filter((name) => name.endsWith('.json')).sort() }
  }
  return null
}

export async function isDatabase(path: string): Promise<boolean> {
  const start = await withFile(open(path, 'r'), (handle) => handle.read(Buffer.alloc(16), 0, 16, 0)).catch(() => null)
  return start?.bytesRead === 16 && start.buffer.toString('latin1') === 'SQLite format 3\0'
}

/** The tables `session`, `message` and `part`, with JSON in `data`. Returns null for another database, or without SQLite. */
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
      const revert = typeof row['revert'] === 'string' ? parseFields(row['revert']) : { messageID: row['revert_message_id'] }
      const info = { id, title: row['title'], directory: row['directory'], revert }
      return opencodeSession(info, list, notes, take) ?? []
    })
  } catch {
    // Another program's tables, or a damaged file.
    return null
  } finally {
    database.close()
  }
}

/** SQLite is missing in the oldest Node this runs on, and warns when it is loaded. */
function openDatabase(path: string) {
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

function dataOf(row: Fields): Fields {
  return typeof row['data'] === 'string' ? parseFields(row['data']) : {}
}
