import { callInput, type Facts, type Message, resultText, toolResults } from '@plimsoll/core'
import { type PlacedResult, type TodoEntry, todoEntries, todoEntry, todoId } from '@plimsoll/core/policies'
import { labelText } from '@plimsoll/core/text'

/**
 * Where the work stands, for the end of a request: how many things are open, in progress and done, and the first twenty that are
 * not done. Null where no list was made. Wants the conversation as the log holds it: a list in a folded round still counts.
 */
export function todoRecap(messages: readonly Message[], facts: Facts): string | null {
  const items = todoList(messages, facts)
  if (items === null || items.length === 0) return null
  const working = items.filter(({ state }) => state === 'in progress')
  const open = items.filter(({ state }) => state === 'open')
  const left = [...working, ...open]
  const lines = [
    `Todo: ${open.length} open, ${working.length} in progress, ${items.length - left.length} done`,
    ...left.slice(0, mostShown).map(lineOf),
  ]
  if (left.length > mostShown) lines.push(`(and ${left.length - mostShown} more)`)
  return lines.join('\n')
}

const mostShown = 20
const longestLine = 120

function lineOf({ text, state }: TodoItem): string {
  return `- [${state}] ${labelText(text, longestLine)}`
}

/** One thing to do. */
interface TodoItem {
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

type Change =
  | { readonly kind: 'list' | 'merge'; readonly entries: readonly unknown[] }
  | { readonly kind: 'create'; readonly entry: TodoEntry }
  | { readonly kind: 'update'; readonly id: string; readonly entry: TodoEntry }

/** Told apart by what the arguments hold, since agents agree on little else. */
function readChange({ call }: PlacedResult): Change | null {
  const input = call === null ? null : callInput(call)
  if (input === null) return null
  const entries = todoEntries(input)
  if (entries !== null) return { kind: input['merge'] === true ? 'merge' : 'list', entries }
  const id = todoId(input['taskId'] ?? input['task_id'])
  const entry = todoEntry(input)
  if (id !== null) return { kind: 'update', id, entry }
  return entry.text === null ? null : { kind: 'create', entry }
}

function apply(items: Map<string, TodoItem>, change: Change, { part }: PlacedResult): void {
  switch (change.kind) {
    case 'list':
      items.clear()
      for (const entry of change.entries.slice(0, mostItems)) put(items, todoEntry(entry))
      return
    case 'merge':
      for (const entry of change.entries.slice(0, mostItems)) put(items, todoEntry(entry))
      return
    case 'create': {
      // The tool gives the id only in its answer; without one, tasks are counted.
      const id = /#(\d{1,9})/.exec(resultText(part).slice(0, 200))?.[1] ?? String(items.size + 1)
      return put(items, { ...change.entry, id })
    }
    case 'update':
      if (items.has(change.id)) put(items, { ...change.entry, id: change.id })
  }
}

function put(items: Map<string, TodoItem>, { id, text, state }: TodoEntry): void {
  const key = id ?? freeKey(items)
  const known = items.get(key)
  const what = text ?? known?.text
  if (state === 'dropped') items.delete(key)
  else if (what !== undefined && (known !== undefined || items.size < mostItems))
    items.set(key, { id, text: what, state: state ?? known?.state ?? 'open' })
}

function freeKey(items: ReadonlyMap<string, TodoItem>): string {
  let number = items.size
  while (items.has(`#${number}`)) number += 1
  return `#${number}`
}

const mostItems = 1000
