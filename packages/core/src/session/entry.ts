import type { Edit } from '../edit.ts'
import type { Usage } from '../facts.ts'
import type { Message } from '../message.ts'
import type { ReportedEdit } from '../report.ts'
import type { StringsName } from '../strings/strings-for.ts'
import { detached } from '../text/lines.ts'
import type { Ledger } from '../timing/ledger.ts'

/** The log format version this code writes. `docs/formats.md` explains how others are read. */
export const formatVersion = 1

/** One line of a session's log. Entries form a tree by `parentId` and are never changed. */
export type Entry = HeaderEntry | MessageEntry | EditsEntry | RequestEntry | UsageEntry | FailureEntry | NoteEntry | RewindEntry

export interface EntryHead {
  readonly type: Entry['type']
  /** Unique in its file. A message entry has the id of its message. */
  readonly id: string
  /** The entry it continues; null only for the header. */
  readonly parentId: string | null
  /** When it was written, in milliseconds. Never earlier than the entry before it, even if the clock went back. */
  readonly at: number
}

export interface HeaderEntry extends EntryHead {
  readonly type: 'header'
  readonly version: number
  readonly session: string
  readonly root?: string
  readonly title?: string
  /** Language of the text inserted for the model, for all of the session. Default: `specification`. */
  readonly strings?: StringsName
  /** The session this one was forked from, and the last entry copied. */
  readonly from?: { readonly session: string; readonly entry: string; readonly reason: 'fork' | 'compaction' }
}

export interface MessageEntry extends EntryHead {
  readonly type: 'message'
  readonly message: Message
}

/** Edits that were applied or reverted, and messages the user pinned or hid. */
export interface EditsEntry extends EntryHead {
  readonly type: 'edits'
  readonly apply?: readonly Edit[]
  readonly withdraw?: readonly string[]
  /** Ids of messages that stay untrimmed from here on. */
  readonly pin?: readonly string[]
  readonly unpin?: readonly string[]
  /** Ids of messages whose results are hidden from here on. */
  readonly hide?: readonly string[]
  readonly unhide?: readonly string[]
  readonly report?: readonly ReportedEdit[]
}

/** A request that was sent. It can be rebuilt exactly from the branch up to here. */
export interface RequestEntry extends EntryHead {
  readonly type: 'request'
  readonly model: string
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly tools?: string
  /** The policies that ran, in the order their edits are applied in. */
  readonly policies?: readonly string[]
  /** The handle of each layer outside the conversation, by name. */
  readonly layers?: Readonly<Record<string, string>>
  readonly last: string | null
  /** Handle of the view, to verify a rebuilt one: hash of the handles of its messages' JSON, one per line. */
  readonly view: string
  readonly estimate: number
  readonly ledger?: Ledger
}

export interface UsageEntry extends EntryHead {
  readonly type: 'usage'
  readonly request: string
  readonly usage: Usage
}

/** A request, a summary or a tool failed; `kind` is a stable name for machines. */
export interface FailureEntry extends EntryHead {
  readonly type: 'failure'
  readonly kind: string
  readonly message: string
  readonly request?: string
}

/** Any other information, under a stable name for machines. */
export interface NoteEntry extends EntryHead {
  readonly type: 'note'
  readonly code: string
  readonly text?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** The conversation continues from an earlier entry, its `parentId`, not from the last one, `left`, which stays in the file. */
export interface RewindEntry extends EntryHead {
  readonly type: 'rewind'
  readonly left: string
}

/** An entry before the writer adds id, parent and time. */
export type NewEntry = DistributiveOmit<Exclude<Entry, HeaderEntry>, 'id' | 'parentId' | 'at'> & {
  readonly parentId?: string
}

type DistributiveOmit<Value, Key extends PropertyKey> = Value extends unknown ? Omit<Value, Key> : never

/** The heads of a file in order, and the index of each id; -1 if missing. */
export interface EntryTree<Head extends EntryHead = EntryHead> {
  readonly heads: readonly Head[]
  readonly indexOf: (id: string) => number
}

/** The entries from the first one to a leaf, in order. Entries after a lost one are kept. */
export function branchOf<Head extends EntryHead>(tree: EntryTree<Head>, leaf: number): readonly Head[] {
  const path: Head[] = []
  for (let index = leaf; tree.heads[index] !== undefined; index = parentOf(tree, index).index)
    path.push(tree.heads[index] as Head)
  return path.reverse()
}

/** Index of the entry that another one continues; -1 if none. `isLost`: it is missing and the nearest earlier one is used. */
export function parentOf(tree: EntryTree, index: number): { readonly index: number; readonly isLost: boolean } {
  const parentId = tree.heads[index]?.parentId ?? null
  if (parentId === null) return { index: index - 1, isLost: index > 0 }
  const parent = tree.indexOf(parentId)
  return parent >= 0 && parent < index ? { index: parent, isLost: false } : { index: index - 1, isLost: true }
}

/** Number of characters that is enough to read a head, unless ids are very long. */
export const headLength = 320

/** Reads the head of an entry without parsing the rest. Null if the line must be parsed in full to be sure. */
export function readHead(start: string, length: number): EntryHead | null {
  const found = headPattern.exec(start)
  if (found === null) return null
  const [head, type, id, parentId, at, bytes] = found
  if (head.length + Number(bytes) !== length || (parentId === undefined) !== (type === 'header')) return null
  return {
    type: type as Entry['type'],
    // A slice would keep the line in memory.
    id: detached(id as string),
    parentId: parentId === undefined ? null : detached(parentId),
    at: Number(at),
  }
}

const headPattern =
  /^\{"type":"(header|message|edits|request|usage|failure|note|rewind)","id":"([ !#-[\]-~]{1,120})","parentId":(?:null|"([ !#-[\]-~]{1,120})"),"at":(\d{1,15}),"bytes":(\d{1,12})(?=[,}])/
