import type { Message, ToolCallPart, ToolResultPart } from '@plimsoll/core'
import { hasCalls, isPaired, pairUp } from '@plimsoll/core/policies'
import type { Planning } from './plan-rows.ts'
import { placesById, type Row, type RowPlan } from './row-format.ts'

/**
 * Links every entry whose parent does not exist to the nearest one before it, and breaks circles. An entry whose parent is
 * dropped is linked to the nearest kept ancestor.
 */
export function relinkRows(planning: Planning): void {
  const { input, drop, parents, repairs } = planning
  const { rows } = input
  const alive = placesById(rows, drop)
  const gone = new Map(rows.flatMap(({ id }, row) => (id === null || !drop.has(row) ? [] : [[id, row] as const])))
  // The ids also include those of results that are not written yet.
  for (const id of gone.keys()) if (!alive.has(id)) planning.ids.delete(id)
  const aboves = new Map<string, string | undefined>()
  const latest = new Map<string, number>()
  rows.forEach(({ id, chain, parent: own }, row) => {
    if (drop.has(row)) return
    const parent = parents.has(row) ? (parents.get(row) ?? null) : own
    if (parent !== null && !planning.ids.has(parent)) relink(row, parent, latest.get(chain))
    if (id !== null) latest.set(chain, row)
  })
  breakCircles(planning, alive)

  function relink(row: number, parent: string, previous: number | undefined): void {
    const above = aboveGone(parent)
    const target = above === undefined ? previous : (alive.get(above) ?? previous)
    // The first entry of a file may continue another file.
    if (target === undefined) return
    parents.set(row, (rows[target] as Row).id)
    repairs.push({ kind: 'relinked', row, to: target })
  }

  /** The nearest kept ancestor of a dropped entry. Each path is walked once. */
  function aboveGone(id: string): string | undefined {
    const way: string[] = []
    let above: string | null = id
    while (above !== null && !aboves.has(above) && !alive.has(above)) {
      const row = gone.get(above)
      if (row === undefined) break
      aboves.set(above, undefined)
      way.push(above)
      above = (rows[row] as Row).parent
    }
    const found = above === null ? undefined : alive.has(above) ? above : aboves.get(above)
    for (const each of way) aboves.set(each, found)
    return found
  }
}

/** Breaks circles of parents, which readers would walk endlessly: the earliest entry is linked to the one before it. */
function breakCircles({ input, parents, drop, repairs }: Planning, alive: ReadonlyMap<string, number>): void {
  const { rows } = input
  const before = previousInChain(rows, drop)
  const known = new Set<number>()
  for (let start = 0; start < rows.length; start += 1) {
    const way = new Set<number>()
    let row: number | undefined = drop.has(start) ? undefined : start
    while (row !== undefined && !known.has(row) && !way.has(row)) {
      way.add(row)
      row = parentRow(row)
    }
    if (row !== undefined && way.has(row)) {
      const earliest = earliestFrom(way, row)
      const previous = before[earliest] ?? null
      // An entry that leads into the circle cannot be its start.
      const target = previous === null || way.has(previous) ? null : previous
      parents.set(earliest, target === null ? null : (rows[target] as Row).id)
      repairs.push({ kind: 'relinked', row: earliest, to: target })
    }
    for (const place of way) known.add(place)
  }

  function parentRow(row: number): number | undefined {
    const parent = parents.has(row) ? parents.get(row) : rows[row]?.parent
    return parent == null ? undefined : alive.get(parent)
  }
}

function previousInChain(rows: readonly Row[], drop: ReadonlySet<number>): readonly (number | null)[] {
  const latest = new Map<string, number>()
  return rows.map(({ id, chain }, row) => {
    const previous = latest.get(chain) ?? null
    if (id !== null && !drop.has(row)) latest.set(chain, row)
    return previous
  })
}

function earliestFrom(way: ReadonlySet<number>, start: number): number {
  let earliest = start
  let isInside = false
  for (const row of way) {
    isInside ||= row === start
    if (isInside && row < earliest) earliest = row
  }
  return earliest
}

/**
 * A plan that moves every entry after its parent; null if they are in order. To a reader that goes from first to last, an early
 * entry has no parent.
 */
export function reorderRows(rows: readonly Row[], drop: ReadonlySet<number>): RowPlan | null {
  const placeOf = placesById(rows, drop)
  const waiting = new Map<number, number[]>()
  const written = new Set<number>()
  const added = new Map<number, { readonly moved: number }[]>()
  rows.forEach(({ parent }, row) => {
    if (drop.has(row)) return
    const above = parent === null ? undefined : placeOf.get(parent)
    if (above !== undefined && above !== row && !written.has(above)) {
      const others = waiting.get(above) ?? []
      others.push(row)
      waiting.set(above, others)
    } else write(row)
  })
  if (added.size === 0) return null
  const repairs = [...added].flatMap(([to, list]) => list.map(({ moved: row }) => ({ kind: 'moved-entry' as const, row, to })))
  return { drop, remove: new Map(), parents: new Map(), added, repairs }

  /** Writes an entry and those that waited for it. Entries in a circle stay in place. */
  function write(row: number): void {
    written.add(row)
    const free = (waiting.get(row) ?? []).toReversed()
    const list: { readonly moved: number }[] = []
    for (let next = free.pop(); next !== undefined; next = free.pop()) {
      written.add(next)
      list.push({ moved: next })
      for (const inner of (waiting.get(next) ?? []).toReversed()) free.push(inner)
    }
    if (list.length > 0) added.set(row, list)
  }
}

/** The calls of one message that need a result after it. */
export interface OpenCalls {
  /** The places of the calling message, of the last result right after it, and of the next message; -1 if there is none. */
  readonly asked: number
  readonly end: number
  readonly next: number
  readonly calls: readonly { readonly call: ToolCallPart; readonly strayed: number | null }[]
}

interface ExtraResult {
  readonly index: number
  readonly part: ToolResultPart
  readonly kind: 'doubled-result' | 'dropped-result'
}

/** Finds calls and results that a provider would reject; none in a log without calls. */
export function findPairFaults(messages: readonly Message[]): {
  readonly open: readonly OpenCalls[]
  readonly extra: readonly ExtraResult[]
} {
  if (isPaired(messages) || !messages.some(hasCalls)) return { open: [], extra: [] }
  const pairs = pairUp(messages)
  const byAsked = Map.groupBy(pairs.open, ({ asked }) => asked)
  return {
    open: [...byAsked].map(([asked, open]) => {
      const end = open[0]?.end ?? asked
      const calls = open.map(({ call, strayed }) => ({ call, strayed: strayed?.index ?? null }))
      return { asked, end, next: end + 1 < messages.length ? end + 1 : -1, calls }
    }),
    extra: messages.flatMap((message, index) =>
      message.parts.flatMap((part, partIndex): readonly ExtraResult[] => {
        if (message.role !== 'tool' || part.type !== 'tool-result') return []
        const standing = pairs.standing(index, partIndex, part)
        if (standing === 'doubled') return [{ index, part, kind: 'doubled-result' }]
        return standing === 'orphan' ? [{ index, part, kind: 'dropped-result' }] : []
      }),
    ),
  }
}
