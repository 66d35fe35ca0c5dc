import type { Patch, Path } from '@plimsoll/core/wire'
import type { Fields } from '../logs/log-reader.ts'
import type { RowsInput } from './plan-rows.ts'
import type { Row, RowCall } from './row.ts'

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
