/** What one session costs with a policy set, and what it costs without. */
export interface CostPair {
  readonly cost: number
  readonly base: number
}

/** The lowest and the highest change that 95 of 100 draws of as many sessions give, as fractions of the base. Null without a base. */
export function changeInterval(pairs: readonly CostPair[]): readonly [low: number, high: number] | null {
  if (pairs.length === 0) return null
  const next = createNumbers(pairs.length)
  // Many sessions say as much with fewer draws.
  const draws = Math.min(1000, Math.max(100, Math.floor(2_000_000 / pairs.length)))
  const changes: number[] = []
  for (let draw = 0; draw < draws; draw += 1) {
    let cost = 0
    let base = 0
    for (let count = 0; count < pairs.length; count += 1) {
      const pair = pairs[next()] as CostPair
      cost += pair.cost
      base += pair.base
    }
    if (base > 0) changes.push(cost / base - 1)
  }
  if (changes.length === 0) return null
  changes.sort((one, other) => one - other)
  return [at(changes, 0.025), at(changes, 0.975)]
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number
}

/** Places in a list of so many, always the same row of them, so that the same runs give the same interval. */
function createNumbers(count: number): () => number {
  let state = 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000) * count)
  }
}
