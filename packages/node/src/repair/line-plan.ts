import type { Patch } from '@plimsoll/core/wire'
import type { Mend } from '../shared/mend.ts'
import type { RowAnswer } from './row.ts'
import type { RowFormat } from './row-format.ts'

/** What is to be done with a file of lines. Entries are named by their place among all that could be read. */
export interface LinePlan {
  /** What was read: the name of the reader, or of the dialect. */
  readonly format: string
  readonly lines: number
  readonly entries: number
  readonly mends: readonly Mend[]
  readonly isEntry: (value: Readonly<Record<string, unknown>>) => boolean
  readonly rowFormat: RowFormat | null
  /** Lines of which something was left out or changed before they were read. */
  readonly touched: ReadonlySet<number>
  readonly drop: ReadonlySet<number>
  /** The changes to an entry, asked for when it is written. */
  readonly patches: (row: number, entry: Readonly<Record<string, unknown>>) => readonly Patch[]
  /** Places of entries that have changes. */
  readonly changed: ReadonlySet<number>
  /** What stands behind an entry from now on; behind -1 what stands before all. */
  readonly behind: ReadonlyMap<number, readonly Addition[]>
  /** Entries out of which pictures are taken. */
  readonly pictured: ReadonlySet<number>
}

/** Something that is put between entries. */
export type Addition = { readonly text: string } | { readonly moved: number } | { readonly answer: RowAnswer }
