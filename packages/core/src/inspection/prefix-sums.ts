/** Amounts at places, which change, and whose sums up to a place are wanted often. */
export interface PrefixSums {
  readonly add: (place: number, amount: number) => void
  /** What stands from one place up to and with another. */
  readonly between: (from: number, to: number) => number
  /** The first place up to and with which there is more than so much; the number of places where there never is. */
  readonly findMore: (than: number) => number
}

/** Sums over so many places, all of them nothing; each call takes time in the logarithm of their number. */
export function createPrefixSums(places: number): PrefixSums {
  const tree = new Float64Array(places + 1)
  const upTo = (place: number) => {
    let sum = 0
    for (let at = Math.min(place + 1, places); at > 0; at -= at & -at) sum += tree[at] as number
    return sum
  }
  return {
    add(place, amount) {
      for (let at = place + 1; at <= places && at > 0; at += at & -at) tree[at] = (tree[at] as number) + amount
    },
    between: (from, to) => (to < from ? 0 : upTo(to) - upTo(from - 1)),
    findMore(than) {
      let at = 0
      let left = than
      for (let step = 2 ** Math.floor(Math.log2(Math.max(1, places))); step >= 1; step /= 2) {
        const next = at + step
        if (next > places || (tree[next] as number) > left) continue
        at = next
        left -= tree[next] as number
      }
      return at
    },
  }
}
