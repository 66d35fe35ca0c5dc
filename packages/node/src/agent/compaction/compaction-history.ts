import { type Facts, type Message, type Part, toolResults } from '@plimsoll/core'
import type { FoldEdit } from '@plimsoll/core/policies'
import type { SessionState } from '@plimsoll/core/session'
import { branchHeads } from '../../session/branch.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'

/** A fold without a summary, only with the notice that there is none. A later compaction may write one. */
export const noticePolicy = 'compaction-notice'
const compactionPolicies: ReadonlySet<string> = new Set(['compaction', noticePolicy])
export const compactionNote = 'compaction'

export interface PastCompaction {
  readonly writer: 'succeeded' | 'failed' | 'not-asked'
  readonly effective: boolean
}

/** At most a hundred compactions of a branch, oldest first. */
export function pastCompactions(session: StoredSession, leaf: string): readonly PastCompaction[] {
  const found: PastCompaction[] = []
  for (const head of branchHeads(session, leaf).toReversed()) {
    if (found.length === 100) break
    const entry = head.type === 'note' ? session.entry(head.id) : null
    if (entry?.type !== 'note' || entry.code !== compactionNote) continue
    const writer = entry.data?.['writer']
    const isAsked = writer === 'succeeded' || writer === 'failed'
    found.push({ writer: isAsked ? writer : 'not-asked', effective: entry.data?.['effective'] === true })
  }
  return found.toReversed()
}

/** Unfolds folds without a summary, so that their rounds can be summarized after all. */
export function withoutNotices(session: StoredSession, state: SessionState) {
  const notices: FoldEdit[] = []
  let messages = state.messages
  for (const fold of state.folds) {
    if (fold.policy !== noticePolicy || fold.into === null) continue
    const place = messages.findIndex(({ id }) => id === fold.into?.id)
    const originals = foldedBy(session, state.leaf, fold)
    // If the log has lost a line, the notice is better than half of a round.
    if (place < 0 || originals === null) continue
    messages = [...messages.slice(0, place), ...originals, ...messages.slice(place + 1)]
    notices.push(fold)
  }
  return { messages, notices }
}

/** The original messages of a fold; null if the log lacks some. Messages in `known` are not read again. */
export function foldedBy(
  session: StoredSession,
  leaf: string,
  { first, last }: FoldEdit,
  known?: ReadonlyMap<string, Message>,
): readonly Message[] | null {
  const said = branchHeads(session, leaf).filter(({ type }) => type === 'message')
  const from = said.findIndex(({ id }) => id === first)
  const to = said.findIndex(({ id }) => id === last)
  const heads = from < 0 ? [] : said.slice(from, to + 1)
  const messages = heads.flatMap(({ id }) => {
    const message = known?.get(id)
    if (message !== undefined) return [message]
    const entry = session.entry(id)
    return entry?.type === 'message' ? [entry.message] : []
  })
  return messages.length === 0 || messages.length < heads.length ? null : messages
}

/** Shows the rounds of the latest compaction again; its handle can still be recalled. Returns null if there is none. */
export async function undoCompaction(session: OpenSession): Promise<FoldEdit | null> {
  const fold = session.state().folds.findLast(({ policy }) => compactionPolicies.has(policy))
  if (fold === undefined) return null
  await session.append([{ type: 'edits', withdraw: [fold.id] }])
  return fold
}

/** The calls of folded rounds that changed the list of todos, with their results: todos outlive their round. */
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

// A fold never changes, and its messages are read from disk unless they were shown a moment ago.
const remembered = new WeakMap<StoredSession, { todos: Map<string, readonly Message[]>; shown: readonly Message[] }>()

function todosAmong(messages: readonly Message[], facts: Facts): readonly Message[] {
  const callers = new Map<Part, Message>(messages.flatMap((message) => message.parts.map((part) => [part, message] as const)))
  const wanted = new Set<Message>()
  for (const { kind, message, call } of toolResults(messages, { ...facts })) {
    const caller = kind === 'todo' && call !== null ? callers.get(call) : undefined
    if (caller !== undefined) wanted.add(caller).add(message)
  }
  return messages.filter((message) => wanted.has(message))
}
