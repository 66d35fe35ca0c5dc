import { branchOf, type EntryHead, type FoldEdit, type Message, type SessionState } from '@plimsoll/core'
import type { StoredSession } from '../session/session.ts'

/** The policy of a fold that holds no summary, only the notice that there is none. A later compaction may still write one. */
export const noticePolicy = 'compaction-notice'

/** The policies of the folds that compaction makes. */
export const compactionPolicies: ReadonlySet<string> = new Set(['compaction', noticePolicy])

/** The code of the note that says how a compaction went. */
export const compactionNote = 'compaction'

/** What became of one compaction. */
export interface PastCompaction {
  /** Whether a model was asked for the summary, and what came of it. */
  readonly writer: 'succeeded' | 'failed' | 'not-asked'
  readonly effective: boolean
}

/** The latest compactions of a branch, oldest first, at most ten. */
export function pastCompactions(session: StoredSession, leaf: string): readonly PastCompaction[] {
  const found: PastCompaction[] = []
  for (const head of branchHeads(session, leaf).toReversed()) {
    if (found.length === 10) break
    const entry = head.type === 'note' ? session.entry(head.id) : null
    if (entry?.type !== 'note' || entry.code !== compactionNote) continue
    found.push({ writer: writerOf(entry.data?.['writer']), effective: entry.data?.['effective'] === true })
  }
  return found.toReversed()
}

function writerOf(value: unknown): PastCompaction['writer'] {
  return value === 'succeeded' || value === 'failed' ? value : 'not-asked'
}

/** A conversation in which every mere notice is replaced by the messages it stands for. */
export interface Unfolded {
  readonly messages: readonly Message[]
  /** The notices that were replaced. */
  readonly notices: readonly FoldEdit[]
}

/** Takes back the folds that hold no summary, so that their rounds can be summarised after all. */
export function withoutNotices(session: StoredSession, state: SessionState): Unfolded {
  const notices: FoldEdit[] = []
  let messages = state.messages
  for (const fold of state.folds) {
    if (fold.policy !== noticePolicy || fold.into === null) continue
    const place = messages.findIndex(({ id }) => id === fold.into?.id)
    const originals = foldedBy(session, state.leaf, fold)
    if (place < 0 || originals.length === 0) continue
    messages = [...messages.slice(0, place), ...originals, ...messages.slice(place + 1)]
    notices.push(fold)
  }
  return { messages, notices }
}

/** The messages that a fold stands for. What one covers no other one does, so they are all in the log as they were said. */
function foldedBy(session: StoredSession, leaf: string, { first, last }: FoldEdit): readonly Message[] {
  const said = branchHeads(session, leaf).filter(({ type }) => type === 'message')
  const from = said.findIndex(({ id }) => id === first)
  const to = said.findIndex(({ id }) => id === last)
  if (from < 0) return []
  return said.slice(from, to + 1).flatMap(({ id }) => {
    const entry = session.entry(id)
    return entry?.type === 'message' ? [entry.message] : []
  })
}

function branchHeads(session: StoredSession, leaf: string): readonly EntryHead[] {
  const heads = session.heads()
  const places = new Map(heads.map(({ id }, index) => [id, index]))
  const indexOf = (id: string) => places.get(id) ?? -1
  return branchOf({ heads, indexOf }, indexOf(leaf))
}
