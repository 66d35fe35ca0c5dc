/** What became of one item: its result, or why there is none. */
export type Committed<Result> = { readonly result: Result } | { readonly error: unknown }

/** Items that are committed in groups. */
export interface CommitQueue<Item, Result> {
  /** Resolves when the item's group was committed. */
  readonly add: (item: Item) => Promise<Result>
  /** Resolves when nothing is left to commit. */
  readonly idle: () => Promise<void>
}

/**
 * Commits items in groups, one group at a time: whatever arrives while a group is on its way goes into the next one, so that the
 * price of a commit is shared. An error of the whole group is the error of each of its items.
 */
export function createCommitQueue<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Committed<Result>[]>,
): CommitQueue<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let running: Promise<void> | null = null

  const run = async (): Promise<void> => {
    // Calls of the same moment still find their way into the first group.
    await Promise.resolve()
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await commitGroup(group, commit)
    }
    running = null
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        running ??= run()
      }),
    idle: async () => running ?? undefined,
  }
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

async function commitGroup<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  commit: (items: readonly Item[]) => Promise<readonly Committed<Result>[]>,
): Promise<void> {
  try {
    const outcomes = await commit(group.map(({ item }) => item))
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined) reject(new Error('a group was committed without one of its items'))
      else if ('error' in outcome) reject(outcome.error)
      else resolve(outcome.result)
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
