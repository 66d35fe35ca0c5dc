import type { Edit } from '@plimsoll/core'
import { hideOldSummaries } from '@plimsoll/core/compaction'
import { filterBinary, fitWindow, hideItemName, limitToolOutput, pairToolCalls } from '@plimsoll/core/policies'
import { branchOf, type EntryHead, type NewEntry, parentOf, type RewindEntry, type SessionState } from '@plimsoll/core/session'
import type { OpenSession, StoredSession } from './session.ts'
import { SessionError } from './session-error.ts'

/** The heads of a branch from its last entry back to the first, one by one: a search for something recent reads no more. */
export function* branchBack(session: StoredSession, leaf: string): Generator<EntryHead> {
  const heads = session.heads()
  let places: ReadonlyMap<string, number> | null = null
  const indexOf = (id: string, before: number): number => {
    const near = Math.max(0, before - nearby)
    for (let index = before; index >= near; index -= 1) if (heads[index]?.id === id) return index
    places ??= new Map(heads.map((head, index) => [head.id, index]))
    return places.get(id) ?? -1
  }
  for (let index = indexOf(leaf, heads.length - 1); index >= 0; ) {
    yield heads[index] as EntryHead
    const at = index
    index = parentOf({ heads, indexOf: (id) => indexOf(id, at - 1) }, at).index
  }
}

const nearby = 50

/** The heads of the active branch in order, or of the one that ends at an entry; none if there is no such entry. */
export function branchHeads(session: StoredSession, leaf?: string): readonly EntryHead[] {
  const heads = session.heads()
  const places = new Map(heads.map(({ id }, index) => [id, index]))
  const indexOf = (id: string) => places.get(id) ?? -1
  return branchOf({ heads, indexOf }, leaf === undefined ? heads.length - 1 : indexOf(leaf))
}

/** The heads of a branch's messages. Their numbers count from 1 and include compacted messages, so that a message keeps its number. */
export function branchMessages(session: StoredSession, leaf?: string) {
  const messages = branchHeads(session, leaf).filter(({ type }) => type === 'message')
  return messages.map((head, index) => ({ number: index + 1, head }))
}

/** Continues from an earlier entry. Later ones stay in the log and can be restored. */
export async function rewindTo(session: OpenSession, entry: string): Promise<RewindEntry> {
  const left = session.heads().at(-1)?.id ?? session.id
  const [appended] = await session.append([{ type: 'rewind', parentId: entry, left }])
  if (appended?.type !== 'rewind') throw new SessionError({ kind: 'no-entry', id: entry })
  return appended
}

export async function undoRewind(session: OpenSession): Promise<RewindEntry> {
  const latest = branchHeads(session).findLast(({ type }) => type === 'rewind')
  const entry = latest === undefined ? null : session.entry(latest.id)
  if (entry?.type !== 'rewind') throw new SessionError({ kind: 'nothing-to-undo' })
  return rewindTo(session, entry.left)
}

/** Keeps what was pinned and hidden after the place to which the session was rewound. */
export async function keepPins(
  session: OpenSession,
  before: Pick<SessionState, 'pins' | 'hides'>,
  shown: ReadonlySet<string>,
): Promise<void> {
  const now = session.state()
  const pin = before.pins.filter((id) => shown.has(id) && !now.pins.includes(id))
  const hide = before.hides.filter((id) => shown.has(id) && !now.hides.includes(id))
  if (pin.length + hide.length > 0)
    await session.append([{ type: 'edits', ...(pin.length > 0 ? { pin } : {}), ...(hide.length > 0 ? { hide } : {}) }])
}

/**
 * Rewinds to before a message of the active branch; pins stay. `end` is the former last entry, to which the session can be rewound again.
 * Throws `SessionError` if there is no such message.
 */
export async function rewindBefore(session: OpenSession, id: string) {
  const entry = session.entry(id)
  const place = entryBefore(session, id)
  if (place === null || entry?.type !== 'message') throw new SessionError({ kind: 'no-entry', id })
  const before = session.state()
  const count = branchMessages(session).length
  const end = session.heads().at(-1)?.id ?? session.id
  await rewindTo(session, place)
  const shown = new Set(branchMessages(session).map(({ head }) => head.id))
  await keepPins(session, before, shown)
  return { message: entry.message, dropped: count - shown.size, end }
}

export function entryBefore(session: StoredSession, id: string): string | null {
  return branchMessages(session).find(({ head }) => head.id === id)?.head.parentId ?? null
}

/**
 * The entry that undoes an active edit, or null if there is none with this id. Its message is pinned, because the policy would propose the
 * same again; `comesBack` says that it will, because it ignores pins. What the user has hidden is shown again, without a pin.
 */
export function restoredEdit(
  session: StoredSession,
  id: string,
): { readonly edit: Edit; readonly entry: NewEntry; readonly comesBack: boolean } | null {
  const { folds, edits } = session.state()
  const edit = [...folds, ...edits].find((one) => one.id === id)
  if (edit === undefined) return null
  if (edit.kind === 'replace' && edit.policy === hideItemName)
    return { edit, entry: { type: 'edits', withdraw: [edit.id], unhide: [edit.message] }, comesBack: false }
  const pin = edit.kind === 'replace' ? { pin: [edit.message] } : {}
  const entry: NewEntry = { type: 'edits', withdraw: [edit.id], ...pin }
  return { edit, entry, comesBack: heedless.has(edit.policy) }
}

const heedless = new Set([limitToolOutput, filterBinary, pairToolCalls, hideOldSummaries, fitWindow].map(({ name }) => name))
