import type { Message, ToolResultPart } from '@plimsoll/core'
import type { Entry, EntryHead, LargeText, NewEntry, SessionState } from '@plimsoll/core/session'

/** A stored session. Opening it reads the heads of all entries and the content of the active branch only. */
export interface StoredSession {
  readonly id: string
  readonly folder: string
  /** The active branch, or the one that ends at a given entry. */
  readonly state: (leaf?: string) => SessionState
  readonly heads: () => readonly EntryHead[]
  readonly entry: (id: string) => Entry | null
  /** The entry of one of `heads()`. */
  readonly read: (head: EntryHead) => Entry | null
  /** The messages of all branches, oldest first, read on demand. Results over 1 MB are extracts. */
  readonly messages: () => Iterable<Message>
  /** The complete result of an extract, or why it cannot be read. Never throws. */
  readonly whole: (part: ToolResultPart) => { readonly part: ToolResultPart } | { readonly trouble: string }
  /** The same for a large text, read piece by piece; null for all others. Never throws. */
  readonly large: (part: ToolResultPart) => { readonly text: LargeText } | { readonly trouble: string } | null
  readonly troubles: () => readonly LineProblem[]
}

/** A session open for reading, as it was when it was opened. */
export interface ReadOnlySession extends StoredSession {
  readonly close: () => Promise<void>
}

/** A session open for writing, which only one process may have. */
export interface OpenSession extends StoredSession {
  /** Adds entries. Once it resolves, they survive a crash and a loss of power. Calls that overlap share one write. */
  readonly append: (entries: readonly NewEntry[]) => Promise<readonly Entry[]>
  readonly close: () => Promise<void>
}

/** A line of the log that was skipped or changed, or a place where lines are missing. */
export interface LineProblem {
  readonly line: number
  readonly offset: number
  readonly kind: 'torn' | 'foreign' | 'newer' | 'duplicate' | 'unreachable' | 'blob' | 'changed' | 'missing' | 'moved' | 'end'
  readonly message: string
  /** How many entries are missing. */
  readonly count?: number
}
