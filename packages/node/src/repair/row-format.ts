import { createHash } from 'node:crypto'
import { isRecord } from '@plimsoll/core/text'
import type { Patch, Path } from '@plimsoll/core/wire'
import type { Fields } from '../logs/fields.ts'
import { textAt } from '../logs/fields.ts'
import type { RowsInput } from './plan-rows.ts'
import type { Repair } from './repair.ts'

/** One entry of a log, without its text. */
export interface Row {
  readonly id: string | null
  readonly parent: string | null
  /** Separates the entries of an agent from those of its subagents. */
  readonly chain: string
  /** Equal for the entries of one model response, if the log splits it into several. */
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

/** A result and its path in the entry; the path is empty if the entry is the result. */
export interface RowResult {
  readonly callId: string | null
  readonly path: Path
}

/** A result to write for a call. */
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
  /** Additions after an entry, in order: new results and moved entries. */
  readonly added: ReadonlyMap<number, readonly (RowAnswer | { readonly moved: number })[]>
  readonly repairs: readonly RowRepair[]
}

/** A repair that names the places of entries instead of their lines. */
export interface RowRepair extends Pick<Repair, 'kind' | 'tool'> {
  readonly row: number
  readonly to?: number | null
}

/** How one agent's log is split into entries and repaired. */
export interface RowFormat {
  readonly name: string
  readonly form: RowsInput['form']
  /** Whether an object is an entry of such a log, not a value inside one. */
  readonly isEntry: (value: Fields) => boolean
  readonly rowOf: (entry: Fields) => Row
  /** All paths that hold an entry's id and must agree; none if entries have no ids. */
  readonly idPaths: (entry: Fields) => readonly Path[]
  readonly parentPath: Path | null
  /** Whether call ids are unique, so that a second call or result with one is a duplicate. Default: they are not. */
  readonly answersOnce?: true
  /** Makes an id in this agent's format; the same text gives the same id. */
  readonly newId: (about: string) => string
  /** How an interrupted call is answered: by a new entry, or by changes to the entry that holds the call. */
  readonly answer: (
    entry: Fields,
    call: RowCall,
    place: Pick<RowAnswer, 'id' | 'parent'> & { readonly text: string },
  ) => { readonly entry: Fields; readonly patches?: never } | { readonly patches: readonly Patch[]; readonly entry?: never }
  /** The entry that a log must start with, or the agent does not read it. */
  readonly head?: {
    readonly is: (entry: Fields) => boolean
    /** Makes a new one from the first entry and the names of file and folder; null if none is needed. */
    readonly make: (first: Fields, names: { readonly file: string; readonly folder: string }) => Fields | null
  }
  /** Updates byte counts in an entry's text after a change. Default: there are none. */
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

/** The time of an entry; the start of 1970 if it has none. */
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
