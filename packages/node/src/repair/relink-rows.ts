import type { Message, ToolCallPart, ToolResultPart } from '@plimsoll/core'
import { hasCalls, isPaired, pairUp } from '@plimsoll/core/policies'
import type { Planning } from './plan-rows.ts'
import type { Row, RowPlan } from './row-format.ts'

/**
 * Hangs every entry whose parent is not there on the nearest one before it, and breaks circles. An entry whose parent is left out goes
 * on where that one did.
 */
export function relinkRows(planning: Planning): void {
  const { input, drop, parents, mends } = planning
  const { rows } = input
  const alive = new Map<string, number>()
  const gone = new Map<string, number>()
  rows.forEach(({ id }, row) => {
    if (id !== null) (drop.has(row) ? gone : alive).set(id, row)
  })
  // Those of results that are still to be written are among the ids, too.
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
    // The first entry of a file may go on from another file.
    if (target === undefined) return
    parents.set(row, (rows[target] as Row).id)
    mends.push({ kind: 'relinked', row, to: target })
  }

  /** Where an entry that is left out hung, if that can be told. Each way up is walked once. */
  function aboveGone(id: string): string | undefined {
    const way: string[] = []
    let above: string | null = id
    while (above !== null && !aboves.has(above) && !alive.has(above)) {
      const row = gone.get(above)
      if (row === undefined) break
      // A circle of such entries leads nowhere.
      aboves.set(above, undefined)
      way.push(above)
      above = (rows[row] as Row).parent
    }
    const found = above === null ? undefined : alive.has(above) ? above : aboves.get(above)
    for (const each of way) aboves.set(each, found)
    return found
  }
}

/** An entry that is its own ancestor would be walked for ever: of each circle the earliest one hangs on what stands before it. */
function breakCircles({ input, parents, drop, mends }: Planning, alive: ReadonlyMap<string, number>): void {
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
      // What leads into the circle cannot be its beginning.
      const target = previous === null || way.has(previous) ? null : previous
      parents.set(earliest, target === null ? null : (rows[target] as Row).id)
      mends.push({ kind: 'relinked', row: earliest, to: target })
    }
    for (const place of way) known.add(place)
  }

  function parentRow(row: number): number | undefined {
    const parent = parents.has(row) ? parents.get(row) : rows[row]?.parent
    return parent == null ? undefined : alive.get(parent)
  }
}

/** For each entry the place of the one with an id before it in its chain. */
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
 * A plan that puts every entry behind the one it hangs on, with all that hangs on it; null where they stand so already. Whoever reads
 * from the beginning to the end takes an entry that comes too early for one that hangs on nothing.
 */
export function reorderRows(rows: readonly Row[], drop: ReadonlySet<number>): RowPlan | null {
  const placeOf = new Map(rows.flatMap(({ id }, row) => (id === null || drop.has(row) ? [] : [[id, row] as const])))
  /** Entries that wait for their parent, by its place. */
  const waiting = new Map<number, number[]>()
  const written = new Set<number>()
  const behind = new Map<number, { readonly moved: number }[]>()
  rows.forEach(({ parent }, row) => {
    if (drop.has(row)) return
    const above = parent === null ? undefined : placeOf.get(parent)
    if (above !== undefined && above !== row && !written.has(above)) {
      const others = waiting.get(above)
      if (others === undefined) waiting.set(above, [row])
      else others.push(row)
      return
    }
    write(row)
  })
  if (behind.size === 0) return null
  const mends = [...behind].flatMap(([to, list]) => list.map(({ moved }) => ({ kind: 'moved-entry' as const, row: moved, to })))
  return { drop, remove: new Map(), parents: new Map(), behind, mends }

  /** Writes an entry, and all that waited for it. Those that wait for each other in a circle are never written, and stay. */
  function write(row: number): void {
    written.add(row)
    const free = [...(waiting.get(row) ?? [])].reverse()
    const list: { readonly moved: number }[] = []
    for (let next = free.pop(); next !== undefined; next = free.pop()) {
      written.add(next)
      list.push({ moved: next })
      for (const inner of (waiting.get(next) ?? []).toReversed()) free.push(inner)
    }
    if (list.length > 0) behind.set(row, list)
  }
}

/** What is wrong with the calls of one message: those that need a result behind it. */
export interface OpenCalls {
  /** The places of the message that asks, of the last result right behind it, and of what follows that; -1 where nothing does. */
  readonly asked: number
  readonly end: number
  readonly next: number
  readonly calls: readonly { readonly call: ToolCallPart; readonly strayed: number | null }[]
}

/** A result that nobody asked for, or a second one. */
interface ExtraResult {
  readonly index: number
  readonly part: ToolResultPart
  readonly kind: 'doubled-result' | 'dropped-result'
}

/** What is wrong with the calls and results of a conversation. */
interface PairFaults {
  readonly open: readonly OpenCalls[]
  readonly extra: readonly ExtraResult[]
}

/** Finds what a provider would refuse about calls and results. A log that has no calls at all says nothing about pairs. */
export function findPairFaults(messages: readonly Message[]): PairFaults {
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
