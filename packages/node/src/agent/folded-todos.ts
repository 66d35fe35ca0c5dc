import { type Facts, type Message, type Part, toolResults } from '@plimsoll/core'
import type { SessionState } from '@plimsoll/core/session'
import type { StoredSession } from '../session/session.ts'
import { foldedBy } from './compaction-history.ts'

/**
 * The calls of folded rounds that made or changed the list of things to do, with their results. What is still to be done does not
 * go away because the round in which it was noted is over.
 */
export function foldedTodos(session: StoredSession, state: SessionState, facts: Facts): readonly Message[] {
  const { todos: known, shown } = remembered.get(session) ?? { todos: new Map<string, readonly Message[]>(), shown: [] }
  remembered.set(session, { todos: known, shown: state.messages })
  let before: ReadonlyMap<string, Message> | undefined
  const found: Message[] = []
  for (const fold of state.folds) {
    let todos = known.get(fold.id)
    if (todos === undefined) {
      before ??= new Map(shown.map((message) => [message.id, message]))
      todos = todosAmong(foldedBy(session, state.leaf, fold, before) ?? [], facts)
      known.set(fold.id, todos)
    }
    for (const message of todos) found.push(message)
  }
  return found
}

/** What is known of a session: what its folds hold, by their ids, and the messages that it showed last. */
interface Remembered {
  readonly todos: Map<string, readonly Message[]>
  readonly shown: readonly Message[]
}

// A fold never changes, and what it folded is read from the disk, unless it was shown a moment ago.
const remembered = new WeakMap<StoredSession, Remembered>()

function todosAmong(messages: readonly Message[], facts: Facts): readonly Message[] {
  const callers = new Map<Part, Message>(messages.flatMap((message) => message.parts.map((part) => [part, message] as const)))
  const wanted = new Set<Message>()
  for (const { kind, message, call } of toolResults(messages, { ...facts })) {
    const caller = kind === 'todo' && call !== null ? callers.get(call) : undefined
    if (caller !== undefined) wanted.add(caller).add(message)
  }
  return messages.filter((message) => wanted.has(message))
}
