/** What one conversation cost, and how much of something it had. */
export interface Rated {
  readonly dollars: number
  readonly amount: number
}

/**
 * Between which changes, as parts of the base, 95 of 100 draws of as many conversations from both lists lie. The same lists give the
 * same answer. Null where a list is empty or the base costs nothing.
 */
export function changeInterval(list: readonly Rated[], base: readonly Rated[]): readonly [low: number, high: number] | null {
  if (list.length === 0 || base.length === 0) return null
  const next = createNumbers()
  // Many conversations say as much with fewer draws.
  const draws = Math.min(1000, Math.max(100, Math.floor(2_000_000 / (list.length + base.length))))
  const changes: number[] = []
  for (let draw = 0; draw < draws; draw += 1) {
    const change = drawnRate(list, next) / drawnRate(base, next) - 1
    if (Number.isFinite(change)) changes.push(change)
  }
  if (changes.length < draws / 2) return null
  changes.sort((one, other) => one - other)
  return [changeAt(changes, 0.025), changeAt(changes, 0.975)]
}

function drawnRate(list: readonly Rated[], next: (count: number) => number): number {
  let dollars = 0
  let amount = 0
  for (let count = 0; count < list.length; count += 1) {
    const drawn = list[next(list.length)] as Rated
    dollars += drawn.dollars
    amount += drawn.amount
  }
  return dollars / amount
}

function changeAt(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number
}

/** Places in a list of so many, always the same row of them. */
function createNumbers(): (count: number) => number {
  let state = 0x2545f491
  return (count) => {
    // Marsaglia's xorshift.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return Math.floor(((state >>> 0) / 0x1_0000_0000) * count)
  }
}
