import type { Message, ToolResultPart } from '@plimsoll/core'
import type { Entry, EntryHead, LargeText, NewEntry, SessionState } from '@plimsoll/core/session'

/** A stored session that can be read. Opening it reads the heads of all entries and the content of the active branch alone. */
export interface StoredSession {
  readonly id: string
  readonly folder: string
  /** The active branch, or the one that ends at a given entry. */
  readonly state: (leaf?: string) => SessionState
  readonly heads: () => readonly EntryHead[]
  readonly entry: (id: string) => Entry | null
  /** The entry behind one of `heads()`, for who reads them all. */
  readonly read: (head: EntryHead) => Entry | null
  /** Every message of the file, whatever the branch, oldest first; read as they are asked for. Results over 1 MB are extracts. */
  readonly messages: () => Iterable<Message>
  /** The complete result behind an extract, or why it cannot be had. Never throws. */
  readonly whole: (part: ToolResultPart) => { readonly part: ToolResultPart } | { readonly trouble: string }
  /** The same for a result whose text is large, to be read piece by piece; null for all others. Never throws. */
  readonly large: (part: ToolResultPart) => { readonly text: LargeText } | { readonly trouble: string } | null
  readonly troubles: () => readonly LineTrouble[]
}

/** A session open for reading, whoever else writes to it. It shows what was there when it was opened. */
export interface ReadOnlySession extends StoredSession {
  readonly close: () => Promise<void>
}

/** A session open for writing, which only one process may have. */
export interface OpenSession extends StoredSession {
  /** Adds entries. Once it resolves, they survive a crash and a loss of power. Calls that overlap share one write. */
  readonly append: (entries: readonly NewEntry[]) => Promise<readonly Entry[]>
  readonly close: () => Promise<void>
}

/** A line of the log that was skipped, or that is not as it was written. */
export interface LineTrouble {
  readonly line: number
  readonly offset: number
  readonly kind: 'torn' | 'foreign' | 'newer' | 'duplicate' | 'unreachable' | 'blob'
  readonly message: string
}
