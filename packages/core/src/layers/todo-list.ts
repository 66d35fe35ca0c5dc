import type { Facts } from '../facts.ts'
import { callInput, isRecord, type Message, resultText } from '../message.ts'
import { type PlacedResult, toolResults } from '../tool-results.ts'

/** One thing to do. */
export interface TodoItem {
  /** The id that tools which change single items know it by. */
  readonly id: string | null
  readonly text: string
  readonly state: 'open' | 'in progress' | 'done'
}

/**
 * The list of things to do as the conversation left it: the latest complete list, with the single changes that came after it.
 * Calls that failed, or that nobody answered, changed nothing. Null where no list was ever made.
 */
export function todoList(messages: readonly Message[], facts: Facts): readonly TodoItem[] | null {
  const changes: (readonly [change: Change, result: PlacedResult])[] = []
  const results = toolResults(messages, facts)
  for (let index = results.length - 1; index >= 0; index -= 1) {
    const result = results[index] as PlacedResult
    const change = result.kind === 'todo' && !result.isError ? readChange(result) : null
    if (change === null) continue
    changes.push([change, result])
    if (change.kind === 'list') break
  }
  if (changes.length === 0) return null
  const items = new Map<string, TodoItem>()
  for (const [change, result] of changes.reverse()) apply(items, change, result)
  return [...items.values()]
}

type Fields = Readonly<Record<string, unknown>>
type Change =
  | { readonly kind: 'list' | 'merge'; readonly entries: readonly unknown[] }
  | { readonly kind: 'create'; readonly fields: Fields }
  | { readonly kind: 'update'; readonly id: string; readonly fields: Fields }

/** Told apart by what the arguments hold, since agents agree on little else. */
function readChange({ call }: PlacedResult): Change | null {
  const input = call === null ? null : callInput(call)
  if (input === null) return null
  for (const field of ['todos', 'plan', 'items', 'tasks']) {
    const entries = listIn(input[field])
    if (entries !== null) return { kind: input['merge'] === true ? 'merge' : 'list', entries }
  }
  const id = idOf(input['taskId'] ?? input['task_id'])
  if (id !== null) return { kind: 'update', id, fields: input }
  return textOf(input) === null ? null : { kind: 'create', fields: input }
}

function apply(items: Map<string, TodoItem>, change: Change, { part }: PlacedResult): void {
  switch (change.kind) {
    case 'list':
      items.clear()
      for (const entry of change.entries.slice(0, mostItems)) put(items, entry)
      return
    case 'merge':
      for (const entry of change.entries.slice(0, mostItems)) put(items, entry)
      return
    case 'create': {
      // The tool gives the id only in its answer; without one, tasks are counted.
      const id = /#(\d{1,9})/.exec(resultText(part).slice(0, 200))?.[1] ?? String(items.size + 1)
      return put(items, { ...change.fields, id })
    }
    case 'update':
      if (items.has(change.id)) put(items, { ...change.fields, id: change.id })
  }
}

function put(items: Map<string, TodoItem>, entry: unknown): void {
  const fields: Fields = isRecord(entry) ? entry : { content: entry }
  const id = idOf(fields['id'])
  const key = id ?? freeKey(items)
  const known = items.get(key)
  const text = textOf(fields) ?? known?.text
  const state = stateOf(fields['status'], known?.state)
  if (state === null) items.delete(key)
  else if (text !== undefined && (known !== undefined || items.size < mostItems)) items.set(key, { id, text, state })
}

function freeKey(items: ReadonlyMap<string, TodoItem>): string {
  let number = items.size
  while (items.has(`#${number}`)) number += 1
  return `#${number}`
}

const mostItems = 1000

function stateOf(status: unknown, known: TodoItem['state'] = 'open'): TodoItem['state'] | null {
  if (typeof status !== 'string' || status.length > 40) return known
  const word = status.toLowerCase().replace(/[\s-]/g, '_')
  if (/^(?:completed?|done|finished|closed)$/.test(word)) return 'done'
  if (/^(?:in_?progress|active|doing|started)$/.test(word)) return 'in progress'
  return /^(?:cancell?ed|deleted|removed|skipped)$/.test(word) ? null : 'open'
}

function textOf(fields: Fields): string | null {
  for (const field of ['content', 'step', 'subject', 'title', 'text', 'task', 'description']) {
    const value = fields[field]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
}

/** A list, also one that a model wrote as text. */
function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value as readonly unknown[]
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return null
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? (list as readonly unknown[]) : null
  } catch {
    return null
  }
}
