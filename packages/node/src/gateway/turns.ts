export type Turns = ReturnType<typeof createTurns>

/** Lets each owner do only so many things at once. What is more waits for its owner's own, and for nothing else. */
export function createTurns(maxEach: number) {
  const owners = new Map<string, Owner>()

  function ownerOf(name: string): Owner {
    const owner = owners.get(name) ?? { running: 0, waiting: [] }
    owners.set(name, owner)
    return owner
  }

  function start(name: string, owner: Owner): () => void {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const next = owner.waiting.shift()
      if (next !== undefined) return next()
      owner.running -= 1
      if (owner.running === 0) owners.delete(name)
    }
  }

  return {
    /** Resolves when it may start. What it resolves with has to be called at the end. */
    async take(name: string): Promise<() => void> {
      const owner = ownerOf(name)
      if (owner.running < maxEach) owner.running += 1
      else await new Promise<void>((resolve) => owner.waiting.push(resolve))
      return start(name, owner)
    },
    /** The same at once, or null if it would have to wait. */
    tryTake(name: string): (() => void) | null {
      const owner = ownerOf(name)
      if (owner.running >= maxEach) return null
      owner.running += 1
      return start(name, owner)
    },
  }
}

interface Owner {
  running: number
  readonly waiting: (() => void)[]
}

/** In a list with the newest first: the place of the oldest item of the owner whose items are largest together. */
export function oldestOfLargest<Item extends { readonly owner: string }>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
): number {
  const sizes = new Map<string, number>()
  for (const item of items) sizes.set(item.owner, (sizes.get(item.owner) ?? 0) + sizeOf(item))
  let largest: string | null = null
  for (const [owner, size] of sizes) if (largest === null || size >= (sizes.get(largest) ?? 0)) largest = owner
  return items.findLastIndex(({ owner }) => owner === largest)
}
