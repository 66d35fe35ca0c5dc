export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  let total = 0
  for (const item of items) total += of(item)
  return total
}

/** A part of a whole; `ofNothing` if the whole is 0. */
export function share(part: number, whole: number, ofNothing = 0): number {
  return whole === 0 ? ofNothing : part / whole
}

/** The change against a base, as a fraction; 0 without a base. */
export function changeOf(cost: number, base: number): number {
  return base === 0 ? 0 : cost / base - 1
}

export function sorted(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((one, other) => one - other)
}

/** The median of sorted numbers, 0 of none. */
export function median(list: readonly number[]): number {
  const middle = list.length >> 1
  if (list.length === 0) return 0
  return list.length % 2 === 1 ? (list[middle] as number) : ((list[middle - 1] as number) + (list[middle] as number)) / 2
}

/** The number that this share of sorted numbers is at most, 0 of none. */
export function quantile(list: readonly number[], part: number): number {
  return list.length === 0 ? 0 : (list[Math.max(0, Math.ceil(part * list.length) - 1)] as number)
}

interface CostPair {
  readonly cost: number
  readonly base: number
}

/** The 95 % bootstrap interval of the change over all sessions, as fractions of the base. Null without a base. */
export function changeInterval(pairs: readonly CostPair[]): readonly [low: number, high: number] | null {
  if (pairs.length === 0) return null
  const next = createNumbers(pairs.length)
  // With many sessions, fewer draws are enough.
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
  const ordered = sorted(changes)
  const at = (fraction: number) => ordered[Math.min(ordered.length - 1, Math.floor(fraction * ordered.length))] as number
  return [at(0.025), at(0.975)]
}

/** Random places in a list of this length, always the same ones, so that the same runs give the same interval. */
function createNumbers(count: number): () => number {
  let state = 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000) * count)
  }
}
