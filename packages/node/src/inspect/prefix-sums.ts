/** Amounts at places, which change, and whose sums up to a place are wanted often. */
export interface PrefixSums {
  readonly add: (place: number, amount: number) => void
  /** What stands from one place up to and with another. */
  readonly between: (from: number, to: number) => number
  /** The first place up to and with which there is more than so much; a place behind all of them where there never is. */
  readonly findMore: (than: number) => number
}

/** Sums in which nothing is anywhere; each call takes time in the logarithm of the number of places. */
export function createPrefixSums(): PrefixSums {
  let amounts = new Float64Array(64)
  let tree = new Float64Array(65)

  const upTo = (place: number) => {
    let sum = 0
    for (let at = Math.min(place + 1, amounts.length); at > 0; at -= at & -at) sum += tree[at] as number
    return sum
  }

  const insert = (place: number, amount: number) => {
    for (let at = place + 1; at < tree.length; at += at & -at) tree[at] = (tree[at] as number) + amount
  }

  const grow = (places: number) => {
    const before = amounts
    amounts = new Float64Array(Math.max(places, before.length * 2))
    amounts.set(before)
    tree = new Float64Array(amounts.length + 1)
    before.forEach((amount, place) => insert(place, amount))
  }

  return {
    add(place, amount) {
      if (place >= amounts.length) grow(place + 1)
      amounts[place] = (amounts[place] as number) + amount
      insert(place, amount)
    },
    between: (from, to) => (to < from ? 0 : upTo(to) - upTo(from - 1)),
    findMore(than) {
      let at = 0
      let left = than
      for (let step = 2 ** Math.floor(Math.log2(amounts.length)); step >= 1; step /= 2) {
        const next = at + step
        if (next >= tree.length || (tree[next] as number) > left) continue
        at = next
        left -= tree[next] as number
      }
      return at
    },
  }
}
