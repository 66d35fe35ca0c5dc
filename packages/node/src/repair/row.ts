import type { Path } from '@plimsoll/core/wire'
import type { Mend } from '../shared/mend.ts'

/** What repairing has to know of one entry of a log, and no text of it. */
export interface Row {
  readonly id: string | null
  /** The entry it continues; null where it names none. */
  readonly parent: string | null
  /** Entries of different chains do not continue each other: those of an agent and of one that it started. */
  readonly chain: string
  /** Equal for entries that are one response of the model, where a log writes it in several. */
  readonly group: string | null
  readonly calls: readonly RowCall[]
  readonly results: readonly RowResult[]
  /** Whether there is anything in it besides its results. */
  readonly holdsMore: boolean
}

/** A call in an entry. */
export interface RowCall {
  readonly callId: string
  readonly tool: string
}

/** A result in an entry, and where it stands there: an empty path where it is all of the entry. */
export interface RowResult {
  readonly callId: string | null
  readonly path: Path
}

/** A result that is to be written for a call. */
export interface RowAnswer {
  /** The place of the entry that holds the call. */
  readonly row: number
  readonly call: RowCall
  /** The id and the parent that the new entry gets, where a log has them. */
  readonly id: string | null
  readonly parent: string | null
}

/** What is to be done with the entries of a log, by their places. */
export interface RowPlan {
  readonly drop: ReadonlySet<number>
  /** Places inside entries at which a result is to be taken out. */
  readonly remove: ReadonlyMap<number, readonly Path[]>
  /** The parents that entries get in place of their own. */
  readonly parents: ReadonlyMap<number, string | null>
  /** What stands behind an entry from now on, in order: new results, and entries that stood elsewhere. */
  readonly behind: ReadonlyMap<number, readonly (RowAnswer | { readonly moved: number })[]>
  /** Mends by the place of the entry they are about. */
  readonly mends: readonly RowMend[]
}

/** A mend that names the places of entries; whoever read them knows the lines. */
export interface RowMend extends Pick<Mend, 'kind' | 'tool'> {
  readonly row: number
  readonly to?: number | null
}
