import { createHash } from 'node:crypto'
import type { Patch, Path } from '@plimsoll/core/wire'
import type { Fields } from '../logs/log-reader.ts'
import type { Mend } from '../shared/mend.ts'
import type { RowsInput } from './plan-rows.ts'

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
interface RowCall {
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

/** How one agent's log is taken apart into entries and mended. */
export interface RowFormat {
  /** The name of the log's reader. */
  readonly name: string
  readonly form: RowsInput['form']
  /** Whether an object is an entry of such a log, and no piece from the inside of one. */
  readonly isEntry: (value: Fields) => boolean
  readonly rowOf: (entry: Fields) => Row
  /** Where an entry's id stands, in all places that must agree; none where entries have no ids. */
  readonly idPaths: (entry: Fields) => readonly Path[]
  readonly parentPath: Path | null
  /** Whether ids of calls are never used again, so that a second call or result of one is a copy. Default: they may be. */
  readonly answersOnce?: true
  /** A new id as this agent makes them; the same for the same words. */
  readonly newId: (about: string) => string
  /** How a call is answered that was interrupted: by a new entry, or by changes to its own. */
  readonly answer: (entry: Fields, call: RowCall, place: AnswerPlace) => WrittenAnswer
  /** Without this entry at the beginning the agent does not read its log. */
  readonly head?: LogHead
  /** Makes an entry's text agree with itself after it was changed. Default: nothing has to. */
  readonly settle?: (text: string) => string
}

/** Where an answer is written to, and what it says. */
export interface AnswerPlace {
  readonly id: string | null
  readonly parent: string | null
  readonly text: string
}

/** An entry of its own, or changes to the entry that holds the call. */
export type WrittenAnswer =
  | { readonly entry: Fields; readonly patches?: never }
  | { readonly patches: readonly Patch[]; readonly entry?: never }

/** The entry that a log begins with. */
export interface LogHead {
  readonly is: (entry: Fields) => boolean
  /** One for a log that has lost it, as far as the first entry and the names of file and folder tell; null where none is needed. */
  readonly make: (first: Fields, names: { readonly file: string; readonly folder: string }) => Fields | null
}

/** A row of an entry that is no part of the conversation. */
export function plainRow(id: string | null, parent: string | null): Row {
  return { id, parent, chain: '', group: null, calls: [], results: [], holdsMore: true }
}

/** So many hexadecimal digits that are the same for the same words. */
export function madeHex(about: string, digits: number): string {
  return createHash('sha256').update(about).digest('hex').slice(0, digits)
}

/** A UUID that is the same for the same words. */
export function madeUuid(about: string): string {
  const hex = madeHex(about, 32)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}
