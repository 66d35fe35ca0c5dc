export type Turns = ReturnType<typeof createTurns>

interface TurnsOptions {
  /** How many times as long as a thing took its owner's next one waits, while others use the same. Default: not at all. */
  readonly pauses?: number
  readonly now?: () => number
  readonly later?: (work: () => void, milliseconds: number) => void
}

/** Lets each owner do only so many things at once. What is more waits for its owner's own, and for nothing else. */
export function createTurns(
  maxEach: number,
  { pauses = 0, now = () => performance.now(), later = setTimeout }: TurnsOptions = {},
) {
  const owners = new Map<string, Owner>()
  /** The last two owners who came. */
  let latest = { name: '', at: Number.NEGATIVE_INFINITY }
  let other = latest

  function come(name: string): Owner {
    if (latest.name !== name) other = latest
    latest = { name, at: now() }
    const owner = owners.get(name) ?? { running: 0, waiting: [] }
    owners.set(name, owner)
    return owner
  }

  /** An owner who never stops would leave the others next to nothing of what all share. */
  function pauseOf(name: string, took: number): number {
    const isShared = [latest, other].some((one) => one.name !== name && now() - one.at < sharedMs)
    return isShared ? Math.min(maxPause, took * pauses) : 0
  }

  function start(name: string, owner: Owner): () => void {
    const started = now()
    let isOver = false
    const end = () => {
      const next = owner.waiting.shift()
      if (next !== undefined) return next()
      owner.running -= 1
      if (owner.running === 0) owners.delete(name)
    }
    return () => {
      if (isOver) return
      isOver = true
      const pause = owner.waiting.length === 0 ? 0 : pauseOf(name, now() - started)
      if (pause === 0) end()
      else later(end, pause)
    }
  }

  return {
    /** Resolves when it may start. What it resolves with has to be called at the end. */
    async take(name: string): Promise<() => void> {
      const owner = come(name)
      if (owner.running < maxEach) owner.running += 1
      else await new Promise<void>((resolve) => owner.waiting.push(resolve))
      return start(name, owner)
    },
    /** The same at once, or null if it would have to wait. */
    tryTake(name: string): (() => void) | null {
      const owner = come(name)
      if (owner.running >= maxEach) return null
      owner.running += 1
      return start(name, owner)
    },
  }
}

/** Milliseconds. */
const sharedMs = 1000
const maxPause = 200

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
