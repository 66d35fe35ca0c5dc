export type PrefixTree = ReturnType<typeof createPrefixTree>

export interface Prefix {
  /** The key of its last block. */
  readonly key: number
  readonly length: number
  /** The number of the request that last used it, if its keeper recorded that; -1 for none. */
  lastUse: number
  /** Most have one continuation, which needs no map. */
  next: Prefix | null
  others: Map<number, Prefix> | null
}

/** The prefixes of all prompts of a conversation, each of them stored once. */
export function createPrefixTree() {
  const path: Prefix[] = [prefix(0, 0)]
  const sums: number[] = [0]
  const last: number[] = []

  /** Moves to another prompt. Returns its blocks in common with the last one, and with any earlier one; `leave` gets the others. */
  function follow(keys: readonly number[], tokens: readonly number[], leave?: (prefix: Prefix) => void) {
    const max = Math.min(keys.length, last.length)
    let common = 0
    let counted = 0
    for (; common < max && keys[common] === last[common]; common += 1) {
      if (counted === common && (sums[common] as number) + tokensOf(tokens[common]) === sums[common + 1]) counted += 1
    }
    if (leave !== undefined) for (let length = common + 1; length < path.length; length += 1) leave(path[length] as Prefix)
    path.length = common + 1
    sums.length = counted + 1
    last.length = common
    let shared = common
    for (let index = common; index < keys.length; index += 1) {
      const key = keys[index] as number
      const parent = path[index] as Prefix
      const known = parent.next?.key === key ? parent.next : parent.others?.get(key)
      if (known !== undefined) shared = index + 1
      path.push(known ?? continued(parent, key))
      last.push(key)
    }
    for (let index = counted; index < keys.length; index += 1) sums.push((sums[index] as number) + tokensOf(tokens[index]))
    return { common, shared }
  }

  return {
    /** The prefixes of the last prompt by their length, from the empty one, and their tokens. */
    path: path as readonly Prefix[],
    sums: sums as readonly number[],
    follow,
  }
}

/** Anything but a positive number of tokens counts as none. */
export function tokensOf(value: number | undefined): number {
  return value !== undefined && value > 0 && value < Number.POSITIVE_INFINITY ? value : 0
}

function continued(parent: Prefix, key: number): Prefix {
  const next = prefix(key, parent.length + 1)
  if (parent.next === null) parent.next = next
  else {
    parent.others ??= new Map()
    parent.others.set(key, next)
  }
  return next
}

function prefix(key: number, length: number): Prefix {
  return { key, length, lastUse: -1, next: null, others: null }
}
