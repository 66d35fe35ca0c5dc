import { buildView, type Codec, codecs, detectCodec } from '@plimsoll/core'
import { pairToolCalls } from '@plimsoll/core/policies'
import { isRecord, modelStrings } from '@plimsoll/core/text'
import { historyElsewhere, type Patch, type Path, ReadError } from '@plimsoll/core/wire'
import { heldRequest } from '../files/parse-conversations.ts'
import { isClineList } from '../logs/agents/cline.ts'
import { geminiChat } from '../logs/agents/gemini-chat.ts'
import { opencode } from '../logs/agents/opencode.ts'
import type { Fields } from '../logs/fields.ts'
import { createLogNotes } from '../logs/log-lines.ts'
import type { LogReader } from '../logs/log-reader.ts'
import { logReaders } from '../logs/read-log.ts'
import { type CollectedRows, collectRows, type LogNames, slimMessage } from './collect-rows.ts'
import { geminiChatRows } from './gemini-chat-rows.ts'
import type { Repair } from './repair.ts'
import type { RowAnswer, RowFormat } from './row-format.ts'
import { opencodeRows } from './row-formats.ts'

export interface ValueRepairs {
  readonly patches: readonly Patch[]
  readonly repairs: readonly Repair[]
}

/**
 * Repairs a list of messages, a request in any API format, or a session of opencode, Gemini CLI or Cline. With `line`, repairs
 * name that line instead of the position of a message.
 */
export function repairValue(value: unknown, names: LogNames, line: number | null = null): ValueRepairs {
  const at = (repairs: readonly Repair[]) => (line === null ? repairs : repairs.map((repair) => ({ ...repair, line })))
  for (const [reader, format] of heldLogs) {
    if (!isRecord(value) || !reader.detect(value)) continue
    const { patches, repairs } = repairHeldRows(value, reader, format, names)
    return { patches, repairs: at(repairs) }
  }
  if (isOnlyRead(value)) return { patches: [], repairs: [] }
  const found = conversationsIn(value).map(({ path, request }) => repairConversation(request, path))
  return { patches: found.flatMap(({ patches }) => patches), repairs: at(found.flatMap(({ repairs }) => repairs)) }
}

/** Benchmark runs store their calls as text, so only broken JSON in them is repaired. */
export const onlyReadFormats: ReadonlySet<string> = new Set([
  'mini-swe-agent',
  'swe-agent',
  'swe-smith',
  'openhands',
  'openhands-sdk',
])

function isOnlyRead(value: unknown): boolean {
  const first = Array.isArray(value) ? (value as readonly unknown[])[0] : value
  if (!isRecord(first) || (Array.isArray(value) && typeof first['role'] === 'string')) return false
  const reader = logReaders.find(({ detect }) => detect(first))
  return reader !== undefined && onlyReadFormats.has(reader.name)
}

const heldLogs: readonly (readonly [LogReader, RowFormat])[] = [
  [opencode, opencodeRows],
  [geminiChat, geminiChatRows],
]

function repairHeldRows(value: Fields, reader: LogReader, format: RowFormat, names: LogNames): ValueRepairs {
  const list = Array.isArray(value['messages']) ? (value['messages'] as readonly unknown[]) : []
  const notes = createLogNotes()
  const reading = reader.start(notes, slimMessage)
  reading.add(value, 1)
  const sessions = reading.finish()
  const skipped = new Set(notes.kept().skipped.map(({ line }) => line - 1))
  // The object around the entries is the head of such a log.
  const { head: _, ...rows } = format
  const collector = collectRows(rows, null, names)
  const kept: number[] = []
  const gone: number[] = []
  list.forEach((item, index) => {
    if (!isRecord(item) || (skipped.has(index) && sessions.length > 0)) return void gone.push(index)
    kept.push(index)
    collector.add(item, JSON.stringify(item), index + 1)
  })
  const collected = collector.finish(sessions)
  const inner = rowPatches(rows, collected, (row) => list[kept[row] ?? -1] as Fields)
  return {
    patches: [
      ...gone.map((index): Patch => ({ op: 'remove', path: ['messages', index] })),
      ...inner.map(
        (patch): Patch => ({ ...patch, path: ['messages', kept[patch.path[0] as number] ?? 0, ...patch.path.slice(1)] }),
      ),
    ],
    repairs: [...gone.map((index): Repair => ({ kind: 'dropped-entry', line: index + 1 })), ...collected.repairs],
  }
}

function conversationsIn(value: unknown): readonly { readonly path: Path; readonly request: unknown }[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    if (items.some(isMessageLike)) return [{ path: [], request: items }]
    return items.flatMap((item, index) => conversationsIn(item).map(({ path, request }) => ({ path: [index, ...path], request })))
  }
  if (!isRecord(value)) return []
  if (Array.isArray(value['messages']) || heldRequest(value) !== null) return [{ path: [], request: value }]
  for (const key of ['history', 'traj', 'contents']) if (Array.isArray(value[key])) return [{ path: [key], request: value[key] }]
  return []
}

function isMessageLike(item: unknown): boolean {
  return isRecord(item) && (typeof item['role'] === 'string' || typeof item['type'] === 'string')
}

function repairConversation(request: unknown, path: Path): ValueRepairs {
  const list = listIn(request)
  if (list === null) return { patches: [], repairs: [] }
  const codec = isClineList(list.items) ? codecs.anthropic : (detectCodec(request) ?? codecs['openai-chat'])
  // The other API formats can refer to a history that is not in the request.
  if (codec !== codecs['openai-chat'] && codec !== codecs['ai-sdk'] && historyElsewhere(request))
    return { patches: [], repairs: [] }
  const unreadable = isReadable(request, codec)
    ? []
    : list.items.flatMap((item, index) => (isReadable([item], codec) ? [] : [index]))
  if (unreadable.length > 0 && unreadable.length < list.items.length) {
    return {
      patches: unreadable.map((index): Patch => ({ op: 'remove', path: [...path, ...list.path, index] })),
      repairs: unreadable.map((index): Repair => ({ kind: 'dropped-entry', line: index + 1 })),
    }
  }
  if (!isReadable(request, codec)) return { patches: [], repairs: [] }
  const reading = codec.read(request)
  const { view, edits } = buildView({ messages: reading.messages, policies: [pairToolCalls], facts: {} })
  const lineOf = (message: string | null) =>
    message === null ? 1 : Number.parseInt(reading.locate(message, 0).message, 10) + 1 || 1
  return {
    patches: reading.patches(view).map((patch): Patch => ({ ...patch, path: [...path, ...patch.path] })),
    repairs: edits.flatMap((edit): readonly Repair[] => {
      if (edit.kind === 'insert') {
        const [part] = edit.message.parts
        const isMoved = reading.messages.some(({ parts }) => part !== undefined && parts.includes(part))
        const tool = part?.type === 'tool-result' ? (part.tool ?? '') : ''
        return [{ kind: isMoved ? 'moved-result' : 'answered-call', line: lineOf(edit.after), tool }]
      }
      return edit.kind === 'replace' || edit.kind === 'fold'
        ? [{ kind: 'dropped-result', line: lineOf(edit.kind === 'replace' ? edit.message : edit.first) }]
        : []
    }),
  }
}

function listIn(request: unknown): { readonly items: readonly unknown[]; readonly path: Path } | null {
  if (Array.isArray(request)) return { items: request, path: [] }
  for (const key of ['messages', 'input', 'contents']) {
    const items = isRecord(request) ? request[key] : undefined
    if (Array.isArray(items)) return { items, path: [key] }
  }
  return null
}

function isReadable(request: unknown, codec: Codec): boolean {
  try {
    codec.read(request)
    return true
  } catch (error) {
    if (error instanceof ReadError) return false
    throw error
  }
}

/** Turns a plan for entries into patches to the list of entries. */
export function rowPatches(format: RowFormat, collected: CollectedRows, entryAt: (row: number) => Fields): readonly Patch[] {
  const { plan, lateHead, newHead } = collected
  const patches: Patch[] = []
  const moved = new Set<number>(lateHead === null ? [] : [lateHead])
  for (const list of plan.added.values()) for (const one of list) if ('moved' in one) moved.add(one.moved)
  if (newHead !== null) patches.push({ op: 'insert', path: [0], value: newHead })
  if (lateHead !== null) patches.push({ op: 'insert', path: [0], value: entryAt(lateHead) })
  for (const row of plan.drop) patches.push({ op: 'remove', path: [row] })
  for (const row of moved) if (!plan.drop.has(row)) patches.push({ op: 'remove', path: [row] })
  for (const row of changedRows(collected)) {
    if (!plan.drop.has(row) && !moved.has(row))
      for (const patch of entryPatches(format, collected, row, entryAt(row)))
        patches.push({ ...patch, path: [row, ...patch.path] })
    for (const one of plan.added.get(row) ?? []) {
      const value = 'moved' in one ? entryAt(one.moved) : newEntry(format, one, entryAt(one.row))
      if (value !== null) patches.push({ op: 'insert', path: [row + 1], value })
    }
  }
  return patches
}

/** The places of all entries that are changed or followed by an addition. */
export function changedRows({ patches, plan }: CollectedRows): ReadonlySet<number> {
  return new Set([...patches.keys(), ...plan.parents.keys(), ...plan.remove.keys(), ...plan.added.keys()])
}

/** The changes to one entry: its id, its parent, removed results, and answers stored with the call. */
export function entryPatches(format: RowFormat, { plan, patches }: CollectedRows, row: number, entry: Fields): readonly Patch[] {
  const own = patches.get(row) ?? []
  const parentPath = plan.parents.has(row) ? format.parentPath : null
  return [
    ...(parentPath === null ? own : own.filter(({ path }) => path.join() !== parentPath.join())),
    ...(parentPath === null ? [] : [{ op: 'set', path: parentPath, value: plan.parents.get(row) ?? null } as const]),
    ...(plan.remove.get(row) ?? []).map((path) => ({ op: 'remove', path }) as const),
    ...(plan.added.get(row) ?? []).flatMap((one) => ('moved' in one ? [] : (writtenAnswer(format, one, entry).patches ?? []))),
  ]
}

export function newEntry(format: RowFormat, answer: RowAnswer, entry: Fields): Fields | null {
  return writtenAnswer(format, answer, entry).entry ?? null
}

function writtenAnswer(format: RowFormat, { call, id, parent }: RowAnswer, entry: Fields) {
  return format.answer(entry, call, { id, parent, text: modelStrings.interruptedCall })
}
