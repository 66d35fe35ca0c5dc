import { codecs } from '@plimsoll/core'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { ReadError } from '@plimsoll/core/wire'
import { findJsonExcess } from './json-excess.ts'
import { findJsonFault } from './json-fault.ts'
import type { Outcome, ReadProblem } from './problem.ts'

export interface FoundConversation {
  /** A list of messages, or a request that holds one. */
  readonly request: unknown
  readonly messages: readonly unknown[]
  /** Set if it cannot be an agent’s log. */
  readonly isRequest?: true
}

/** Deeper values cannot be walked safely; more would not fit into memory. */
const limits = { depth: 1000, values: 5_000_000 }

/** Reads a list of messages, an object that holds one, JSON lines of messages, or a list or lines of such objects. */
export function parseConversations(text: string): Outcome<readonly FoundConversation[]> {
  const parsed = parseDocument(text)
  if (parsed.problem !== undefined) return parsed
  return findConversations(parsed.value)
}

export interface JsonDocument {
  readonly entries: readonly unknown[]
  readonly form: 'list' | 'object' | 'lines'
  readonly lines: readonly number[]
}

/** Rejects what would not fit into memory before parsing. */
export function parseDocument(text: string): Outcome<JsonDocument> {
  if (!/\S/.test(text)) return { problem: { kind: 'empty' } }
  if (/^\s*[[{]/.test(text)) {
    const excess = findJsonExcess(text, limits)
    if (excess?.kind === 'depth') return { problem: { kind: 'too-deep', place: excess.place, limit: limits.depth } }
    if (excess?.kind === 'values') return { problem: { kind: 'too-many-values', limit: limits.values } }
  }
  const whole = parseJson(text)
  if (whole !== undefined) {
    if (Array.isArray(whole)) return { value: { entries: whole, form: 'list', lines: [] } }
    return { value: { entries: [whole], form: 'object', lines: [1] } }
  }
  const start = text.search(/\S/)
  const end = text.indexOf('\n', start)
  const isLines = end > 0 && text[start] === '{' && parseJson(text.slice(start, end)) !== undefined
  return isLines ? parseLines(text) : faultIn(text, 0)
}

function parseLines(text: string): Outcome<JsonDocument> {
  const entries: unknown[] = []
  const lines: number[] = []
  let number = 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    number += 1
    start = end + 1
    if (line.trim() === '') continue
    const parsed = parseJson(line)
    if (parsed === undefined) {
      // Naming the format is more helpful than an error in it.
      const format = recogniseLog(entries)
      return format === null ? faultIn(line, number - 1) : { problem: { kind: 'other-format', format } }
    }
    entries.push(parsed)
    lines.push(number)
  }
  return { value: { entries, form: 'lines', lines } }
}

function faultIn(text: string, linesBefore: number): { readonly problem: ReadProblem } {
  const fault = findJsonFault(text)
  if (fault === null) throw new Error('the engine refused a text as JSON that reads as JSON')
  return { problem: { kind: 'not-json', fault: { ...fault, line: fault.line + linesBefore } } }
}

export function findConversations({ entries, form, lines }: JsonDocument): Outcome<readonly FoundConversation[]> {
  const first = entries[0]
  if (form === 'list' && (entries.length === 0 || isMessage(first))) return { value: [{ request: entries, messages: entries }] }
  if (form === 'lines' && isMessage(first) && heldList(first) === null) {
    const odd = entries.findIndex((entry) => !isMessage(entry))
    return odd < 0
      ? { value: [{ request: entries, messages: entries }] }
      : { problem: { kind: 'line-without-message', line: lines[odd] ?? 1 } }
  }
  const items = form === 'object' ? heldRequest(first) : null
  if (items !== null) return { value: [{ request: first, messages: items, isRequest: true }] }
  const held = entries.map(heldList)
  const format = recogniseLog(entries) ?? recogniseLog(held[0]?.messages.flat() ?? [])
  if (format !== null) return { problem: { kind: 'other-format', format } }
  const found = held.filter((conversation) => conversation !== null)
  if (found.length === entries.length) return { value: found }
  if (form === 'lines') return { problem: { kind: 'line-without-message', line: lines[held.indexOf(null)] ?? 1 } }
  // A codec names the place in another list.
  if (form === 'list' && found.length === 0) return { value: [{ request: entries, messages: entries }] }
  if (form === 'list')
    return { problem: { kind: 'no-messages', came: `${describe(entries[held.indexOf(null)])} at [${held.indexOf(null)}]` } }
  return isMessage(first)
    ? { value: [{ request: entries, messages: entries }] }
    : { problem: { kind: 'no-messages', came: describe(first) } }
}

function heldList(entry: unknown): FoundConversation | null {
  if (!isRecord(entry)) return null
  if (Array.isArray(entry['messages'])) return { request: entry, messages: entry['messages'] }
  for (const key of ['history', 'traj']) {
    const list = entry[key]
    if (Array.isArray(list)) return { request: list, messages: list }
  }
  return null
}

function isMessage(entry: unknown): boolean {
  return isRecord(entry) && typeof entry['role'] === 'string' && !Array.isArray(entry['parts'])
}

function describe(value: unknown): string {
  if (!isRecord(value)) return JSON.stringify(value)?.slice(0, 60) ?? typeof value
  const keys = Object.keys(value)
  const named = keys.slice(0, 6).map((key) => JSON.stringify(key.slice(0, 30)))
  return `{ ${named.join(', ')}${keys.length > named.length ? ', …' : ''} }`
}

type Fields = Readonly<Record<string, unknown>>

/** Recognized formats that no codec reads. */
const formats: readonly { readonly name: string; readonly marks: (entry: Fields) => boolean }[] = [
  {
    name: 'Claude Code JSONL',
    marks: (entry) =>
      has(entry, 'parentUuid', 'leafUuid', 'isSnapshotUpdate') ||
      (has(entry, 'sessionId') && has(entry, 'type') && !has(entry, 'messageId')),
  },
  { name: 'a Codex rollout', marks: (entry) => has(entry, 'payload') && typeof entry['type'] === 'string' },
  { name: 'a pi session', marks: (entry) => entry['type'] === 'session' && has(entry, 'cwd') },
  {
    name: 'OpenHands events',
    marks: (entry) => has(entry, 'action', 'observation') && has(entry, 'source', 'action_risk', 'extras'),
  },
  {
    name: 'AI SDK UI messages',
    marks: (entry) => {
      const parts: readonly unknown[] = Array.isArray(entry['parts']) ? entry['parts'] : []
      return has(entry, 'role') && parts.length > 0 && parts.every((part) => isRecord(part) && 'type' in part)
    },
  },
  {
    name: 'Gemini contents',
    marks: (entry) => (has(entry, 'role') && Array.isArray(entry['parts'])) || Array.isArray(entry['contents']),
  },
  {
    name: 'OpenAI Responses items',
    marks: (entry) => has(entry, 'previous_response_id', 'call_id') || (has(entry, 'input') && has(entry, 'model')),
  },
]

/** Decided by the first entries; null if unknown. */
function recogniseLog(entries: readonly unknown[]): string | null {
  for (const entry of entries.slice(0, 20)) {
    if (!isRecord(entry)) continue
    // A message stays one, whatever else it has.
    if (has(entry, 'role') && has(entry, 'content')) continue
    const format = formats.find(({ marks }) => marks(entry))
    if (format !== undefined) return format.name
  }
  return null
}

function has(entry: Fields, ...keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(entry, key))
}

/** The items or contents of a request whose dialect lists no messages; null for anything else, and for what that dialect refuses. */
export function heldRequest(entry: unknown): readonly unknown[] | null {
  if (!isRecord(entry)) return null
  const codec = [codecs['openai-responses'], codecs.gemini].find(({ detect }) => detect(entry))
  if (codec === undefined) return null
  try {
    codec.read(entry)
  } catch (error) {
    if (error instanceof ReadError) return null
    throw error
  }
  const list = requestList(entry)
  return Array.isArray(list) ? list : [{ role: 'user', content: list }]
}

/** The messages of a request in any dialect: the value itself, or the list under one of the known keys. */
export function requestList(request: unknown): unknown {
  if (!isRecord(request)) return request
  const { messages, input, contents } = request
  if (Array.isArray(messages)) return messages
  const held = input ?? contents
  if (held !== undefined) return held
  for (const field of ['generateContentRequest', 'generate_content_request', 'request']) {
    const inner = request[field]
    if (isRecord(inner) && Array.isArray(inner['contents'])) return inner['contents']
  }
  return messages
}

/** Counts the messages of a conversation, their parts and calls, and the parts of results. Stops above a limit. */
export function countParts(messages: readonly unknown[], limit: number): number {
  let count = messages.length
  for (const message of messages) {
    for (const key of listKeys) {
      const list = listAt(message, key)
      count += list.length
      if (count > limit) return count
      for (const part of list) count += listAt(part, 'content').length + listAt(fieldOf(part, 'output'), 'value').length
    }
    if (count > limit) return count
  }
  return count
}

/** The lists of a message, in every dialect, of which each item becomes a part. */
const listKeys = ['content', 'tool_calls', 'parts'] as const

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key)
  return Array.isArray(list) ? list : []
}

function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined
}
