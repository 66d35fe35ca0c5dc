import { isRecord } from '../message.ts'
import { parseJsonData } from '../text/json.ts'

/** One entry of a todo list in a tool's call or answer. */
export interface TodoEntry {
  readonly id: string | null
  /** Null if the entry does not say. */
  readonly text: string | null
  /** As the agent wrote it. */
  readonly status: string | null
  readonly state: 'open' | 'in progress' | 'done' | 'dropped' | null
}

/** The todo list in some fields, under any name agents use, also if a model wrote it as text. Null without one. */
export function todoEntries(fields: Readonly<Record<string, unknown>>): readonly unknown[] | null {
  for (const name of ['todos', 'plan', 'items', 'tasks', 'newTodos']) {
    const entries = listIn(fields[name])
    if (entries !== null) return entries
  }
  return null
}

/** Reads an entry by its field names, since agents agree on little else. A plain text is the task itself. */
export function todoEntry(entry: unknown): TodoEntry {
  const fields = isRecord(entry) ? entry : { content: entry }
  const status = firstText(fields, ['status', 'state'])
  const isTicked = fields['completed'] === true || fields['done'] === true
  return {
    id: todoId(fields['id']),
    text: firstText(fields, ['content', 'step', 'subject', 'title', 'text', 'task', 'description']),
    status,
    state: status === null ? (isTicked ? 'done' : null) : stateOf(status),
  }
}

/** Some tools write ids as numbers. */
export function todoId(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
}

function stateOf(status: string): TodoEntry['state'] {
  if (status.length > 40) return null
  const word = status.trim().toLowerCase().replace(/[\s-]/g, '_')
  if (/^(?:completed?|done|finished|closed)$/.test(word)) return 'done'
  if (/^(?:in_?progress|active|doing|started)$/.test(word)) return 'in progress'
  return /^(?:cancell?ed|deleted|removed|skipped)$/.test(word) ? 'dropped' : 'open'
}

function firstText(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value as readonly unknown[]
  const list = typeof value === 'string' ? parseJsonData(value) : undefined
  return Array.isArray(list) ? (list as readonly unknown[]) : null
}
