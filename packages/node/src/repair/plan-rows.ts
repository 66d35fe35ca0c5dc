import type { Message } from '@plimsoll/core'
import type { Path } from '@plimsoll/core/wire'
import { findPairFaults, type OpenCalls, relinkRows, reorderRows } from './relink-rows.ts'
import { placesById, type Row, type RowAnswer, type RowPlan, type RowRepair } from './row-format.ts'

export interface RowsInput {
  readonly rows: readonly Row[]
  /** The places of entries that are dropped already. */
  readonly dropped: ReadonlySet<number>
  /** The conversations that the reader found in the log; their texts are not used. */
  readonly conversations: readonly (readonly Message[])[]
  /** The place of the first entry that a message came from. */
  readonly rowOf: (message: string) => number | undefined
  /**
   * How results belong to calls: in entries linked by parents, in entries that only follow each other, or in the entry of the
   * call.
   */
  readonly form: 'tree' | 'list' | 'in-place'
  /** Makes an id; the same text gives the same id. */
  readonly newId: (about: string) => string
}

/**
 * Decides how to repair a log: every call gets a result after it, every result has a call, and every entry has a parent that
 * exists. The only new content is results that report an interrupted call.
 */
export function planRows(input: RowsInput): RowPlan {
  const planning = startPlanning(input)
  for (const messages of input.conversations) {
    const faults = findPairFaults(messages)
    for (const open of faults.open) answerCalls(planning, messages, open)
    for (const { index, part, kind } of faults.extra) {
      const row = input.rowOf((messages[index] as Message).id)
      if (row !== undefined) removeResult(planning, row, part.callId, kind)
    }
  }
  // If entries are out of order, fix only the order; the next round finds the rest.
  const reordered = input.form === 'tree' && planning.repairs.length > 0 ? reorderRows(input.rows, input.dropped) : null
  if (reordered !== null) return reordered
  if (input.form === 'tree') {
    dropDoubled(planning)
    relinkRows(planning)
  }
  const { drop, remove, parents, added, repairs } = planning
  return { drop, remove, parents, added, repairs }
}

export interface Planning {
  readonly input: RowsInput
  readonly drop: Set<number>
  readonly remove: Map<number, Path[]>
  readonly parents: Map<number, string | null>
  readonly added: Map<number, (RowAnswer | { readonly moved: number })[]>
  readonly repairs: RowRepair[]
  readonly callRows: ReadonlyMap<string, readonly { readonly row: number }[]>
  readonly ids: Set<string>
  /** The place of each id, and the places of its children. */
  readonly placeOf: ReadonlyMap<string, number>
  readonly children: ReadonlyMap<string | null, readonly number[]>
}

function startPlanning(input: RowsInput): Planning {
  const { rows, dropped } = input
  const placeOf = placesById(rows, new Set())
  const calls = rows.flatMap((row, place) => (dropped.has(place) ? [] : row.calls.map(({ callId }) => ({ callId, row: place }))))
  return {
    input,
    drop: new Set(dropped),
    remove: new Map(),
    parents: new Map(),
    added: new Map(),
    repairs: [],
    callRows: Map.groupBy(calls, ({ callId }) => callId),
    ids: new Set(placeOf.keys()),
    placeOf,
    children: Map.groupBy(rows.keys(), (row) => (rows[row] as Row).parent),
  }
}

function answerCalls(planning: Planning, messages: readonly Message[], open: OpenCalls): void {
  const { input, callRows, repairs, added } = planning
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
    // Some logs write a record again when its state changes; the last version counts.
    const place = (form === 'in-place' ? undefined : places.find(({ row }) => row >= first)) ?? places.at(-1)
    if (place === undefined) continue
    const { row } = place
    const from = strayed === null ? undefined : rowOf((messages[strayed] as Message).id)
    const isMoved = from !== undefined && rows[from]?.results.length === 1 && (form !== 'in-place' || !rows[from].holdsMore)
    if (strayed !== null && !isMoved) continue
    // A call that comes after the next message is answered right after itself.
    const isLate = tree !== null && row > tree.tail
    const after = tree === null || isLate ? row : tree.tail
    const list = added.get(after) ?? []
    added.set(after, list)
    if (isMoved) {
      list.push({ moved: from })
      tree?.link(from)
      repairs.push({ kind: 'moved-result', row: from, to: row, tool: call.tool })
    } else {
      const about = `${call.callId} ${rows[row]?.id ?? row}`
      const { id, parent } = tree?.linkNew(about, isLate ? (rows[row]?.id ?? null) : null) ?? { id: null, parent: null }
      list.push({ row, call: { callId: call.callId, tool: call.tool }, id, parent })
      repairs.push({ kind: 'answered-call', row, tool: call.tool })
    }
  }
  tree?.close()
}

/**
 * The part of a tree where calls are answered. Its entries form one chain (response, results, next message), so that a reader
 * that walks from the last entry to the first finds all of them.
 */
function createBranch(planning: Planning, first: number, until: number, existing: readonly number[]) {
  const { input, parents, ids, drop, children, placeOf } = planning
  const { rows } = input
  const { group, chain } = rows[first] as Row
  const maxRow = group === null ? first + 1 : Math.min(until, first + maxResponse)
  let asked = first
  for (let row = first + 1; row < maxRow; row += 1)
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
    link(row: number): void {
      const { id, parent } = rows[row] as Row
      for (const place of id === null ? [] : (children.get(id) ?? [])) if (!parents.has(place)) parents.set(place, parent)
      parents.set(row, last)
      members.add(row)
      last = id ?? last
    },
    linkNew(about: string, on: string | null): { readonly id: string; readonly parent: string | null } {
      let id = input.newId(about)
      for (let number = 2; ids.has(id); number += 1) id = input.newId(`${about} ${number}`)
      ids.add(id)
      const parent = on ?? last
      if (on === null) last = id
      return { id, parent }
    },
    close(): void {
      for (const row of before === null ? [] : (children.get(before) ?? []))
        if (row > tail && !parents.has(row) && !members.has(row)) parents.set(row, last)
      relinkNext()
    },
  }

  /** The next message may continue another of the results, or an entry that is not a message. */
  function relinkNext(): void {
    let row = until
    for (let step = 0; row < rows.length && step < maxSteps; step += 1) {
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

/** Maximum entries of a response, and maximum other entries between two messages. */
const maxResponse = 2000
const maxSteps = 50

/** Removes a result from its entry, or the entry if it holds nothing else. */
function removeResult(planning: Planning, row: number, callId: string | null, kind: 'doubled-result' | 'dropped-result'): void {
  const { input, drop, remove, repairs } = planning
  const { results, holdsMore } = input.rows[row] as Row
  const gone = remove.get(row) ?? []
  const taken = new Set(gone)
  const found = results.find((result) => result.callId === callId && !taken.has(result.path))
  if (found === undefined || drop.has(row)) return
  repairs.push({ kind, row })
  if (!holdsMore && results.length === gone.length + 1) {
    drop.add(row)
    remove.delete(row)
  } else remove.set(row, [...gone, found.path])
}

/** Drops a second result of a call on the path from the last entry up; readers that match by call do not report it. */
function dropDoubled(planning: Planning): void {
  const { rows } = planning.input
  const places = placesById(rows, planning.drop)
  const path = new Set<number>()
  let row: number | undefined = rows.findLastIndex(
    ({ id, chain }, place) => id !== null && chain === '' && !planning.drop.has(place),
  )
  while (row !== undefined && row >= 0 && !path.has(row)) {
    path.add(row)
    const parent: string | null = (rows[row] as Row).parent
    row = parent === null ? undefined : places.get(parent)
  }
  const answered = new Set<string>()
  for (const place of [...path].reverse()) {
    const { calls, results } = rows[place] as Row
    for (const { callId } of calls) answered.delete(callId)
    for (const { callId } of results) {
      if (callId === null) continue
      if (answered.has(callId)) removeResult(planning, place, callId, 'doubled-result')
      answered.add(callId)
    }
  }
}
