import type { Message, Part } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, TextPart } from '@plimsoll/core/wire'
import {
  contentParts,
  createUniqueIds,
  type Draft,
  resultContent,
  resultPart,
  settleDrafts,
  textParts,
  vendorPart,
} from '../draft.ts'
import { type Fields, fieldsAt, type Time, textAt, timeAt } from '../fields.ts'
import { type FoundUsage, type LogNotes, type LogReader, readSessionOf, type Take } from '../log-reader.ts'
import { readUsage } from '../read-usage.ts'

/** Pi: a header, then entries in order; in newer versions a tree by `parentId`, where the last entry is the current one. */
export const pi: LogReader = {
  name: 'pi',
  detect: (entry) =>
    (entry['type'] === 'session' && typeof entry['id'] === 'string') ||
    (entry['type'] === 'message' && typeof fieldsAt(entry, 'message')['role'] === 'string'),
  start,
}

interface Place {
  readonly parent: Place | null
  readonly draft: Draft | null
  readonly id: string
  /** For a compaction, the id of the first entry it left in the context. */
  readonly firstKept: string | null
}

function start(notes: LogNotes, take: Take) {
  const places = new Map<string, Place>()
  const unique = createUniqueIds()
  let header: Fields = {}
  let latest: Place | null = null
  let title: string | null = null
  let model: string | null = null
  let count = 0
  /** Of all branches. */
  const usages: FoundUsage[] = []
  /** The names of all entries, including the header, in the order of the file: older versions refer to entries by number. */
  const names: (string | null)[] = []

  return { add, finish }

  function add(entry: Fields, line: number): void {
    const type = textAt(entry, 'type') ?? 'entry without a type'
    names.push(null)
    if (type === 'session') {
      if (header['type'] === 'session') notes.pass('session')
      else header = entry
      return
    }
    const given = textAt(entry, 'id')
    if (given !== null && places.has(given)) return notes.skip(line, 'repeated')
    const parent = parentOf(entry)
    const id = unique(given ?? `line-${line}`)
    names[names.length - 1] = id
    const read = readDraft(entry, type, id, line)
    const draft = read === null ? null : { ...read, message: take(read.message) }
    if (type === 'session_info') title = textAt(entry, 'name') ?? title
    if (type === 'model_change') model = textAt(entry, 'modelId') ?? model
    const spoken = draft?.message.role === 'assistant' ? fieldsAt(entry, 'message') : {}
    const reported = readUsage(spoken['usage'])
    if (reported !== null) usages.push({ after: id, ...reported, model: textAt(spoken, 'model'), at: draft?.message.at })
    model = textAt(spoken, 'model') ?? model
    if (draft !== null) count += 1
    const number = entry['firstKeptEntryIndex']
    const numbered = typeof number === 'number' ? (names[number] ?? null) : null
    latest = {
      parent,
      draft,
      id,
      firstKept: type === 'compaction' ? (textAt(entry, 'firstKeptEntryId') ?? numbered) : null,
    }
    if (given !== null) places.set(given, latest)
  }

  /** An entry without a known parent continues the one before it. */
  function parentOf(entry: Fields): Place | null {
    if (entry['parentId'] === null) return null
    const parent = textAt(entry, 'parentId')
    return (parent === null ? undefined : places.get(parent)) ?? latest
  }

  function readDraft(entry: Fields, type: string, id: string, line: number): Draft | null {
    const time = timeAt(entry, 'timestamp')
    if (type === 'compaction') return summaryDraft(entry, id, time)
    if (type === 'branch_summary') return addedDraft(textParts(entry, 'summary'), id, time)
    if (type === 'custom_message') return addedDraft(contentParts(entry['content'], readBlock), id, time)
    if (type !== 'message') {
      notes.pass(type)
      return null
    }
    const raw = entry['message']
    const draft = isRecord(raw) ? readMessage(raw, id, { ...time, ...timeAt(raw, 'timestamp') }) : null
    if (draft === null) notes.skip(line, 'no-message')
    else if (draft === 'nothing') notes.pass('message without content')
    return draft === 'nothing' ? null : draft
  }

  function finish() {
    const path: Place[] = []
    for (let place = latest; place !== null; place = place.parent) path.push(place)
    path.reverse()
    const drafts = path.flatMap(({ draft }) => draft ?? [])
    if (drafts.length === 0) return []
    const messages = settleDrafts(drafts)
    return [
      readSessionOf({
        id: textAt(header, 'id'),
        title,
        root: textAt(header, 'cwd'),
        model: model ?? textAt(header, 'modelId'),
        messages,
        usages,
        abandoned: count - drafts.length,
        keptFrom: keptOn(path, messages),
      }),
    ]
  }
}

/** For each summary of a path, the first message at or after the entry it names. */
function keptOn(path: readonly Place[], messages: readonly Message[]): ReadonlyMap<string, string> {
  const places = new Map(path.map(({ id }, index) => [id, index]))
  const shown = new Set(messages.map(({ id }) => id))
  const kept = new Map<string, string>()
  for (const [index, { id, firstKept }] of path.entries()) {
    const from = firstKept === null ? undefined : places.get(firstKept)
    if (from === undefined || from >= index || !shown.has(id)) continue
    let first = from
    while (first < index && !shown.has((path[first] as Place).id)) first += 1
    if (first < index) kept.set(id, (path[first] as Place).id)
  }
  return kept
}

function readMessage(raw: Fields, id: string, time: Time): Draft | 'nothing' | null {
  switch (raw['role']) {
    case 'user':
      return said('user', contentParts(raw['content'], readBlock), id, time)
    case 'assistant':
      return said('assistant', contentParts(raw['content'], readSpokenBlock), id, time)
    case 'toolResult': {
      const content = resultContent(raw['content'], readBlock)
      const result = resultPart(textAt(raw, 'toolCallId'), textAt(raw, 'toolName'), content, raw['isError'])
      return { message: { id, role: 'tool', parts: [result], ...time } }
    }
    case 'bashExecution':
      // The user can keep a command from the model.
      return raw['excludeFromContext'] === true ? 'nothing' : said('user', [{ type: 'text', text: commandText(raw) }], id, time)
    case 'compactionSummary':
      return summaryDraft(raw, id, time)
    case 'branchSummary':
      return addedDraft(textParts(raw, 'summary'), id, time)
    case 'custom':
    case 'hookMessage':
      return addedDraft(contentParts(raw['content'], readBlock), id, time)
    default:
      return null
  }
}

function said(role: 'user' | 'assistant', parts: readonly Part[] | null, id: string, time: Time): Draft | 'nothing' | null {
  if (parts === null) return null
  return parts.length === 0 ? 'nothing' : { message: { id, role, parts, ...time } }
}

function addedDraft(parts: readonly Part[] | null, id: string, time: Time): Draft | null {
  return parts === null || parts.length === 0 ? null : { message: { id, role: 'user', parts, ...time }, added: true }
}

function summaryDraft(entry: Fields, id: string, time: Time): Draft | null {
  const parts = textParts(entry, 'summary')
  return parts.length === 0 ? null : { message: { id, role: 'system', parts, ...time, summary: true } }
}

/** A command that the user ran, with its output. It does not answer a call. */
function commandText(raw: Fields): string {
  const code = raw['exitCode']
  const status = typeof code === 'number' && code !== 0 ? `\n(exit code ${code})` : ''
  return `$ ${textAt(raw, 'command') ?? ''}\n${textAt(raw, 'output') ?? ''}${status}`
}

function readSpokenBlock(block: unknown): Part {
  if (!isRecord(block)) return vendorPart(block)
  if (block['type'] === 'thinking' && typeof block['thinking'] === 'string') return { type: 'reasoning', text: block['thinking'] }
  const callId = block['type'] === 'toolCall' ? textAt(block, 'id') : null
  if (callId === null) return readBlock(block)
  return { type: 'tool-call', callId, tool: textAt(block, 'name') ?? '', input: block['arguments'] }
}

function readBlock(block: unknown): TextPart | MediaPart {
  if (!isRecord(block)) return vendorPart(block)
  if (block['type'] === 'text' && typeof block['text'] === 'string') return { type: 'text', text: block['text'] }
  if (block['type'] === 'image') return { type: 'media', mediaType: textAt(block, 'mimeType') ?? 'image/*', data: block }
  return vendorPart(block)
}
