import type { Row, RowPlan } from './row.ts'

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
