import type { Edit, Message } from '@plimsoll/core'
import { hideOldSummaries } from '@plimsoll/core/compaction'
import { filterBinary, fitWindow, limitToolOutput, pairToolCalls } from '@plimsoll/core/policies'
import { branchOf, type EntryHead, type NewEntry, parentOf, type RewindEntry } from '@plimsoll/core/session'
import type { OpenSession, StoredSession } from './session.ts'
import { SessionError } from './session-error.ts'

/** The heads of a branch from its last entry back to the first, found one by one: whoever looks for something recent reads no more. */
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

/** An entry almost always continues the one before it. */
const nearby = 50

/** The heads of the active branch in order, or of the one that ends at an entry; none where there is no such entry. */
export function branchHeads(session: StoredSession, leaf?: string): readonly EntryHead[] {
  const heads = session.heads()
  const places = new Map(heads.map(({ id }, index) => [id, index]))
  const indexOf = (id: string) => places.get(id) ?? -1
  return branchOf({ heads, indexOf }, leaf === undefined ? heads.length - 1 : indexOf(leaf))
}

/**
 * The messages of the active branch, or of the one that ends at an entry, by their heads alone. Their numbers count from 1 and include
 * folded messages, so that a message keeps its number.
 */
export function branchMessages(session: StoredSession, leaf?: string) {
  const messages = branchHeads(session, leaf).filter(({ type }) => type === 'message')
  return messages.map((head, index) => ({ number: index + 1, head }))
}

/** Goes on from an earlier entry. What came after it stays in the log and can be had back. */
export async function rewindTo(session: OpenSession, entry: string): Promise<RewindEntry> {
  const left = session.heads().at(-1)?.id ?? session.id
  const [appended] = await session.append([{ type: 'rewind', parentId: entry, left }])
  if (appended?.type !== 'rewind') throw new SessionError({ kind: 'no-entry', id: entry })
  return appended
}

/** Takes the latest rewind of the active branch back: goes on from where the conversation was before it. */
export async function undoRewind(session: OpenSession): Promise<RewindEntry> {
  const latest = branchHeads(session).findLast(({ type }) => type === 'rewind')
  const entry = latest === undefined ? null : session.entry(latest.id)
  if (entry?.type !== 'rewind') throw new SessionError({ kind: 'nothing-to-undo' })
  return rewindTo(session, entry.left)
}

/** What the user wants whole is still wanted, though it was said later than the place that is gone back to. */
export async function keepPins(session: OpenSession, before: readonly string[], shown: ReadonlySet<string>): Promise<void> {
  const now = new Set(session.state().pins)
  const pin = before.filter((id) => shown.has(id) && !now.has(id))
  if (pin.length > 0) await session.append([{ type: 'edits', pin }])
}

interface RewoundBefore {
  readonly message: Message
  readonly dropped: number
  /** The entry that was the last one, to which one can go back again. */
  readonly end: string
}

/**
 * Goes back to before a message of the active branch; what the user wants whole stays so. Throws `SessionError` where there is no such
 * message.
 */
export async function rewindBefore(session: OpenSession, id: string): Promise<RewoundBefore> {
  const entry = session.entry(id)
  const before = entryBefore(session, id)
  if (before === null || entry?.type !== 'message') throw new SessionError({ kind: 'no-entry', id })
  const { pins } = session.state()
  const count = branchMessages(session).length
  const end = session.heads().at(-1)?.id ?? session.id
  await rewindTo(session, before)
  const shown = new Set(branchMessages(session).map(({ head }) => head.id))
  await keepPins(session, pins, shown)
  return { message: entry.message, dropped: count - shown.size, end }
}

/** The entry that a message of the active branch continues; null where there is no such message. */
export function entryBefore(session: StoredSession, id: string): string | null {
  return branchMessages(session).find(({ head }) => head.id === id)?.head.parentId ?? null
}

interface RestoredEdit {
  readonly edit: Edit
  readonly entry: NewEntry
  /** Whether its policy will propose the same again all the same, because it does not ask what is pinned. */
  readonly comesBack: boolean
}

/**
 * What takes an edit in force back, or null where there is none of that id. Its message is pinned, because the policy would propose the
 * same again at the next request.
 */
export function restoredEdit(session: StoredSession, id: string): RestoredEdit | null {
  const { folds, edits } = session.state()
  const edit = [...folds, ...edits].find((one) => one.id === id)
  if (edit === undefined) return null
  const pin = edit.kind === 'replace' ? { pin: [edit.message] } : {}
  return { edit, entry: { type: 'edits', withdraw: [edit.id], ...pin }, comesBack: heedless.has(edit.policy) }
}

const heedless = new Set([limitToolOutput, filterBinary, pairToolCalls, hideOldSummaries, fitWindow].map(({ name }) => name))
