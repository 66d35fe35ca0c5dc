import type { Message } from '@plimsoll/core'
import type { Path } from '@plimsoll/core/wire'
import { findPairFaults, type OpenCalls, relinkRows, reorderRows } from './relink-rows.ts'
import type { Row, RowAnswer, RowMend, RowPlan } from './row-format.ts'

/** What a log was found to hold. */
export interface RowsInput {
  /** The entries in order. */
  readonly rows: readonly Row[]
  /** The places of entries that are left out already. */
  readonly dropped: ReadonlySet<number>
  /** The conversations of the log as its reader gives them; their texts are not looked at. */
  readonly conversations: readonly (readonly Message[])[]
  /** The place of the entry that a message came from, or of its first one. */
  readonly rowOf: (message: string) => number | undefined
  /**
   * How results belong to calls: in entries that hang on each other, in entries that only follow each other, or in the very entry
   * of the call.
   */
  readonly form: 'tree' | 'list' | 'in-place'
  /** A new id for what the words are about; the same for the same words. */
  readonly newId: (about: string) => string
}

/**
 * Decides what makes a log whole: every call gets its result behind it, every result has its call, and every entry hangs on one that
 * is there. Nothing is invented but results that say that a call was interrupted.
 */
export function planRows(input: RowsInput): RowPlan {
  const planning: Planning = {
    input,
    drop: new Set(input.dropped),
    remove: new Map(),
    parents: new Map(),
    behind: new Map(),
    mends: [],
    callRows: callRowsOf(input),
    ...treeOf(input),
  }
  for (const messages of input.conversations) {
    const faults = findPairFaults(messages)
    for (const open of faults.open) answerCalls(planning, messages, open)
    for (const { index, part, kind } of faults.extra) {
      const row = input.rowOf((messages[index] as Message).id)
      if (row !== undefined) takeOut(planning, row, part.callId, kind)
    }
  }
  // Where something is wrong and entries stand in a wrong order, the order is all that is wrong until the log was read again.
  const reordered = input.form === 'tree' && planning.mends.length > 0 ? reorderRows(input.rows, input.dropped) : null
  if (reordered !== null) return reordered
  if (input.form === 'tree') {
    dropDoubled(planning)
    relinkRows(planning)
  }
  const { drop, remove, parents, behind, mends } = planning
  return { drop, remove, parents, behind, mends }
}

/** A plan in the making. */
export interface Planning {
  readonly input: RowsInput
  readonly drop: Set<number>
  readonly remove: Map<number, Path[]>
  readonly parents: Map<number, string | null>
  readonly behind: Map<number, (RowAnswer | { readonly moved: number })[]>
  readonly mends: RowMend[]
  /** The places of calls by their id, in order. */
  readonly callRows: ReadonlyMap<string, readonly number[]>
  /** All ids, so that new ones differ. */
  readonly ids: Set<string>
  /** The place of each id, and the places of all that hang on it. */
  readonly placeOf: ReadonlyMap<string, number>
  readonly children: ReadonlyMap<string, readonly number[]>
}

function treeOf({ rows }: RowsInput): Pick<Planning, 'ids' | 'placeOf' | 'children'> {
  const placeOf = new Map<string, number>()
  const children = new Map<string, number[]>()
  rows.forEach(({ id, parent }, row) => {
    if (id !== null) placeOf.set(id, row)
    const known = parent === null ? undefined : children.get(parent)
    if (known !== undefined) known.push(row)
    else if (parent !== null) children.set(parent, [row])
  })
  return { ids: new Set(placeOf.keys()), placeOf, children }
}

function callRowsOf({ rows, dropped }: RowsInput): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  rows.forEach(({ calls }, row) => {
    if (dropped.has(row)) return
    for (const { callId } of calls) {
      const known = places.get(callId)
      if (known === undefined) places.set(callId, [row])
      else known.push(row)
    }
  })
  return places
}

function answerCalls(planning: Planning, messages: readonly Message[], open: OpenCalls): void {
  const { input, callRows, mends, behind } = planning
  const { rows, form, rowOf } = input
  const first = rowOf((messages[open.asked] as Message).id) ?? 0
  const until = open.next < 0 ? rows.length : (rowOf((messages[open.next] as Message).id) ?? rows.length)
  const existing = messages
    .slice(open.asked + 1, open.end + 1)
    .flatMap(({ id }) => rowOf(id) ?? [])
    .sort((one, other) => one - other)
  const tree = form === 'tree' ? createBranch(planning, first, until, existing) : null
  for (const { call, strayed } of open.calls) {
    const places = callRows.get(call.callId) ?? []
    // Where a record is written again when its state changes, its last version is the one that counts.
    const row = form === 'in-place' ? places.at(-1) : (places.find((place) => place >= first) ?? places.at(-1))
    if (row === undefined) continue
    const from = strayed === null ? undefined : rowOf((messages[strayed] as Message).id)
    const isMoved = from !== undefined && rows[from]?.results.length === 1 && (form !== 'in-place' || !rows[from].holdsMore)
    if (strayed !== null && !isMoved) continue
    // A call that stands behind what came next is answered where it stands.
    const isLate = tree !== null && row > tree.tail
    const after = tree === null || isLate ? row : tree.tail
    const list = behind.get(after) ?? []
    behind.set(after, list)
    if (isMoved) {
      list.push({ moved: from })
      tree?.hang(from)
      mends.push({ kind: 'moved-result', row: from, to: row, tool: call.tool })
    } else {
      const about = `${call.callId} ${rows[row]?.id ?? row}`
      const { id, parent } = tree?.hangNew(about, isLate ? (rows[row]?.id ?? null) : null) ?? { id: null, parent: null }
      list.push({ row, call: { callId: call.callId, tool: call.tool }, id, parent })
      mends.push({ kind: 'answered-call', row, tool: call.tool })
    }
  }
  tree?.close()
}

interface Branch {
  /** The place behind which results are put. */
  readonly tail: number
  readonly hang: (row: number) => void
  /** A new entry behind the last one, or on another one. */
  readonly hangNew: (about: string, on: string | null) => { readonly id: string; readonly parent: string | null }
  readonly close: () => void
}

/**
 * The part of a tree where calls are answered. Its results are put in one line, response, results, what came next, so that whoever
 * walks from the last entry up to the first finds all of them.
 */
function createBranch(planning: Planning, first: number, until: number, existing: readonly number[]): Branch {
  const { input, parents, ids, drop, children, placeOf } = planning
  const { rows } = input
  const { group, chain } = rows[first] as Row
  const mostRow = group === null ? first + 1 : Math.min(until, first + longestResponse)
  let asked = first
  for (let row = first + 1; row < mostRow; row += 1)
    if (rows[row]?.group === group && rows[row]?.chain === chain && !drop.has(row)) asked = row
  const tail = Math.max(asked, existing.at(-1) ?? asked)
  const members = new Set([first, asked, ...existing])
  const heldBy = new Set([...members].flatMap((row) => rows[row]?.id ?? []))
  let last = rows[asked]?.id ?? null
  for (const row of existing) {
    if (rows[row]?.id == null || last === null) continue
    if (rows[row]?.parent !== last) parents.set(row, last)
    last = rows[row]?.id ?? last
  }
  const before = rows[tail]?.id ?? null
  return {
    tail,
    hang(row) {
      const { id, parent } = rows[row] as Row
      for (const place of id === null ? [] : (children.get(id) ?? [])) if (!parents.has(place)) parents.set(place, parent)
      parents.set(row, last)
      members.add(row)
      last = id ?? last
    },
    hangNew(about, on) {
      let id = input.newId(about)
      for (let number = 2; ids.has(id); number += 1) id = input.newId(`${about} ${number}`)
      ids.add(id)
      const parent = on ?? last
      if (on === null) last = id
      return { id, parent }
    },
    close() {
      for (const row of before === null ? [] : (children.get(before) ?? []))
        if (row > tail && !parents.has(row) && !members.has(row)) parents.set(row, last)
      relinkNext()
    },
  }

  /** What came next may hang on another of the results, or on an entry that only keeps books. */
  function relinkNext(): void {
    let row = until
    for (let step = 0; row < rows.length && step < mostSteps; step += 1) {
      if (parents.has(row)) return
      const { parent } = rows[row] as Row
      if (parent === null) return
      if (heldBy.has(parent)) return void parents.set(row, last)
      const above = placeOf.get(parent)
      if (above === undefined || above >= row) return
      row = above
    }
  }
}

/** A response is written within so many entries, and so many that keep books stand between two messages. */
const longestResponse = 2000
const mostSteps = 50

/** Takes a result out of its entry, or the entry with it where nothing else is in there. */
function takeOut(planning: Planning, row: number, callId: string | null, kind: 'doubled-result' | 'dropped-result'): void {
  const { input, drop, remove, mends } = planning
  const { results, holdsMore } = input.rows[row] as Row
  const gone = remove.get(row) ?? []
  const taken = new Set(gone)
  const found = results.find((result) => result.callId === callId && !taken.has(result.path))
  if (found === undefined || drop.has(row)) return
  mends.push({ kind, row })
  if (!holdsMore && results.length === gone.length + 1) {
    drop.add(row)
    remove.delete(row)
  } else remove.set(row, [...gone, found.path])
}

/** A second result of a call on the way from the last entry to the first, which a reader that goes by calls does not show. */
function dropDoubled(planning: Planning): void {
  const { rows } = planning.input
  const places = new Map(rows.flatMap(({ id }, row) => (id === null || planning.drop.has(row) ? [] : [[id, row] as const])))
  const path: number[] = []
  const onPath = new Set<number>()
  let row: number | undefined = rows.findLastIndex(
    ({ id, chain }, place) => id !== null && chain === '' && !planning.drop.has(place),
  )
  while (row !== undefined && row >= 0 && !onPath.has(row)) {
    onPath.add(row)
    path.push(row)
    const parent: string | null = (rows[row] as Row).parent
    row = parent === null ? undefined : places.get(parent)
  }
  const answered = new Set<string>()
  for (const place of path.reverse()) {
    const { calls, results } = rows[place] as Row
    for (const { callId } of calls) answered.delete(callId)
    for (const { callId } of results) {
      if (callId === null) continue
      if (answered.has(callId)) takeOut(planning, place, callId, 'doubled-result')
      answered.add(callId)
    }
  }
}
