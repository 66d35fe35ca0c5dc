import { createHash } from 'node:crypto'
import { isRecord } from '@plimsoll/core/text'
import type { Patch, Path } from '@plimsoll/core/wire'
import type { Fields } from '../logs/fields.ts'
import { textAt } from '../logs/fields.ts'
import type { Mend } from './mend.ts'
import type { RowsInput } from './plan-rows.ts'

/** One entry of a log as repairing sees it, without its text. */
export interface Row {
  readonly id: string | null
  readonly parent: string | null
  /** Entries of different chains do not continue each other: those of an agent and of one that it started. */
  readonly chain: string
  /** Equal for the entries of one response of the model, if a log writes it in several. */
  readonly group: string | null
  readonly calls: readonly RowCall[]
  readonly results: readonly RowResult[]
  /** Whether the entry holds anything besides its results. */
  readonly holdsMore: boolean
}

interface RowCall {
  readonly callId: string
  readonly tool: string
}

/** A result in an entry, and its path there: an empty one if it is all of the entry. */
export interface RowResult {
  readonly callId: string | null
  readonly path: Path
}

/** A result that is to be written for a call. */
export interface RowAnswer {
  readonly row: number
  readonly call: RowCall
  /** The id and the parent of the new entry, if a log has them. */
  readonly id: string | null
  readonly parent: string | null
}

/** Changes to the entries of a log, by their places. */
export interface RowPlan {
  readonly drop: ReadonlySet<number>
  /** Paths inside entries from which a result is removed. */
  readonly remove: ReadonlyMap<number, readonly Path[]>
  readonly parents: ReadonlyMap<number, string | null>
  /** Additions after an entry, in order: new results, and entries from elsewhere. */
  readonly behind: ReadonlyMap<number, readonly (RowAnswer | { readonly moved: number })[]>
  readonly mends: readonly RowMend[]
}

/** A repair that names the places of entries instead of their lines. */
export interface RowMend extends Pick<Mend, 'kind' | 'tool'> {
  readonly row: number
  readonly to?: number | null
}

/** How one agent's log is taken apart into entries and repaired. */
export interface RowFormat {
  readonly name: string
  readonly form: RowsInput['form']
  /** Whether an object is an entry of such a log, and not a piece from inside one. */
  readonly isEntry: (value: Fields) => boolean
  readonly rowOf: (entry: Fields) => Row
  /** All places that hold an entry's id and must agree; none if entries have no ids. */
  readonly idPaths: (entry: Fields) => readonly Path[]
  readonly parentPath: Path | null
  /** Whether ids of calls are never used again, so that a second call or result of one is a copy. Default: they may be. */
  readonly answersOnce?: true
  /** A new id as this agent makes them; the same for the same text. */
  readonly newId: (about: string) => string
  /** How an interrupted call is answered: by a new entry, or by changes to the entry that holds the call. */
  readonly answer: (
    entry: Fields,
    call: RowCall,
    place: Pick<RowAnswer, 'id' | 'parent'> & { readonly text: string },
  ) => { readonly entry: Fields; readonly patches?: never } | { readonly patches: readonly Patch[]; readonly entry?: never }
  /** The entry that a log starts with. Without it the agent does not read its log. */
  readonly head?: {
    readonly is: (entry: Fields) => boolean
    /** Makes a lost one from the first entry and the names of file and folder; null if none is needed. */
    readonly make: (first: Fields, names: { readonly file: string; readonly folder: string }) => Fields | null
  }
  /** Makes an entry's text agree with itself after a change. Default: nothing has to. */
  readonly settle?: (text: string) => string
}

/** The row of an entry that is not part of the conversation. */
export function plainRow(id: string | null, parent: string | null): Row {
  return { id, parent, chain: '', group: null, calls: [], results: [], holdsMore: true }
}

export function placesById(rows: readonly Row[], dropped: ReadonlySet<number>): ReadonlyMap<string, number> {
  return new Map(rows.flatMap(({ id }, row) => (id === null || dropped.has(row) ? [] : [[id, row] as const])))
}

/** The calls among blocks. `type` is that of a call's block, null if all are calls; the other two name its fields. */
export function callsAmong(
  blocks: readonly unknown[],
  type: string | null,
  idField: string,
  toolField: string,
): readonly RowCall[] {
  return blocks.flatMap((block) => {
    const callId = isRecord(block) && (type === null || block['type'] === type) ? textAt(block, idField) : null
    return callId === null || !isRecord(block) ? [] : [{ callId, tool: textAt(block, toolField) ?? '' }]
  })
}

export function resultsAmong(blocks: readonly unknown[], type: string, idField: string, path: Path): readonly RowResult[] {
  return blocks.flatMap((block, index) =>
    isRecord(block) && block['type'] === type ? [{ callId: textAt(block, idField), path: [...path, index] }] : [],
  )
}

export function pick(entry: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(entry, name) ? [[name, entry[name]]] : [])))
}

/** The time of an entry; the beginning of 1970 if it has none. */
export function timestampOf(entry: Fields): string {
  return textAt(entry, 'timestamp') ?? '1970-01-01T00:00:00.000Z'
}

/** Hexadecimal digits that are the same for the same text. */
export function madeHex(about: string, digits: number): string {
  return createHash('sha256').update(about).digest('hex').slice(0, digits)
}

export function madeUuid(about: string): string {
  const hex = madeHex(about, 32)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}
